import {
  ChartColumn,
  Clock,
  LayoutDashboard,
  ListChecks,
  LogOut,
  Search,
  Settings,
} from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { hasNavigated, NavLink, useLocation } from '#ui/navigation.tsx'
import type { ScreenPath } from '@stint/core/screens.ts'
import { t } from '@stint/core/text.ts'
import { VERSION } from '@stint/core/version.ts'
import { Icon } from '#ui/icon.tsx'
import { Wordmark } from '#ui/mark.tsx'
import { ToastRegion } from '#ui/toast.tsx'
import { useIsGuest } from '#hooks/use-auth.ts'
import { OWN_NAVIGATION } from '#hooks/own-navigation.ts'
import { SignOutButton } from '#features/auth/sign-out.tsx'
import { runShortcut } from '#hooks/requests.ts'
import { isApple } from '#ui/is-apple.ts'
import { useHasWarning } from '#session/signed-in.ts'
import { Warnings } from '#features/timer/on-demand.ts'
import { SessionErrorBanner } from '#features/timer/session-error-banner.tsx'
import { SyncChip } from '#features/timer/sync-chip.tsx'
import { TimerBar } from '#features/timer/timer-bar.tsx'
import { TimerSigns } from '#features/timer/timer-signs.tsx'

import { LoadCompanions } from './load-companions.tsx'
import { ScrollRestoration } from './scroll-restoration.tsx'

const PAGES: readonly { to: ScreenPath; label: string; icon: LucideIcon }[] = [
  { to: '/dashboard', label: t('Dashboard'), icon: LayoutDashboard },
  { to: '/tasks', label: t('Tasks'), icon: ListChecks },
  { to: '/reports', label: t('Reports'), icon: ChartColumn },
  { to: '/sessions', label: t('Sessions'), icon: Clock },
]

/** Screens without a place in the navigation, by the one that leads to them. */
const BEHIND: Readonly<Record<string, readonly string[]>> = {
  '/reports': ['/timesheet', '/balance', '/targets', '/year', '/rebuild'] satisfies ScreenPath[],
  // On phones its head opens them.
  '/dashboard': ['/settings', '/data'] satisfies ScreenPath[],
}

function isBehind(to: string, pathname: string): boolean {
  return BEHIND[to]?.includes(pathname) ?? false
}

/** Surrounds a signed-in page with navigation: a sidebar, or a bottom bar under 768 px. */
export function Layout({ children }: { children: ReactNode }) {
  const { pathname } = useLocation()
  const hasTimerBar = pathname !== '/dashboard'
  return (
    <div className="flex min-h-dvh flex-col md:ps-58">
      <a
        href="#main"
        className="fixed top-2 start-2 z-50 -translate-y-16 rounded-control bg-accent px-4 py-2 font-semibold text-on-accent focus:translate-y-0"
      >
        {t('Skip to content')}
      </a>
      <Sidebar hasTimerBar={hasTimerBar} />
      <Main pathname={pathname}>{children}</Main>
      <div className="pointer-events-none fixed inset-x-0 bottom-0 z-40">
        <ToastRegion />
        <BottomBar hasTimerBar={hasTimerBar} />
      </div>
      <TimerSigns />
      <LoadCompanions />
      <ScrollRestoration />
    </div>
  )
}

/**
 * After a navigation, also from the sign-in page, moves the focus to the new page unless an element in it, or in a
 * dialog that was opened while the page was loaded, has the focus.
 */
function Main({ pathname, children }: { pathname: string; children: ReactNode }) {
  const main = useRef<HTMLElement>(null)
  const lastPathname = useRef(hasNavigated() ? null : pathname)
  const hasWarning = useHasWarning()

  useEffect(() => {
    if (lastPathname.current === pathname) return
    lastPathname.current = pathname
    const focused = document.activeElement
    const isInUse = main.current?.contains(focused) || focused?.closest('[role="dialog"]')
    if (!isInUse) main.current?.focus({ preventScroll: true })
  }, [pathname])

  return (
    <main ref={main} id="main" tabIndex={-1} className="min-w-0 flex-1 max-md:pb-44 short:pb-28">
      <div className="mx-auto w-full max-w-[67.5rem] px-4 py-6 md:px-8 md:py-8">
        <div className="hidden short:block">
          <SyncChip className="mb-4 min-h-11" />
        </div>
        {hasWarning && <Warnings />}
        <SessionErrorBanner />
        {children}
      </div>
    </main>
  )
}

function Sidebar({ hasTimerBar }: { hasTimerBar: boolean }) {
  const { pathname } = useLocation()
  const isGuest = useIsGuest()
  return (
    <div className="fixed inset-y-0 start-0 flex w-58 flex-col gap-6 overflow-y-auto border-e border-line px-3 py-5 max-md:hidden">
      <header className="px-3">
        <Wordmark />
        <p className="text-xs text-quiet">{t('Time Management')}</p>
      </header>
      <SearchButton />
      <nav aria-label={t('navigation|Main')} className="flex flex-1 flex-col gap-0.5">
        {PAGES.map(({ to, label, icon }) => (
          <NavLink
            key={to}
            to={to}
            isWithin={to === '/reports' && isBehind(to, pathname)}
            className={SIDEBAR_ITEM}
          >
            <Icon of={icon} />
            {label}
          </NavLink>
        ))}
        <div className="mt-auto flex flex-col gap-3 pb-2">
          {hasTimerBar && <TimerBar layout="stacked" />}
          <SyncChip className="min-h-7 px-3" />
        </div>
        <SignOutButton className={SIDEBAR_ITEM}>
          <Icon of={LogOut} />
          {isGuest ? t('Leave') : t('Sign Out')}
        </SignOutButton>
      </nav>
      <footer className="relative -mt-5.5 flex flex-col">
        <NavLink to="/settings" isWithin={pathname === '/data'} className={SIDEBAR_ITEM}>
          <Icon of={Settings} />
          {t('Settings')}
        </NavLink>
        <p className="pointer-events-none absolute inset-y-0 end-3 flex items-center text-xs text-quiet">
          v{VERSION}
        </p>
      </footer>
    </div>
  )
}

/** Opens the command palette for people who do not know its shortcut. */
function SearchButton() {
  return (
    <button
      type="button"
      aria-keyshortcuts="Control+K Meta+K"
      onClick={() => runShortcut('palette')}
      className="flex h-9 shrink-0 items-center gap-3 rounded-control border border-line px-3 text-sm text-quiet transition-colors duration-80 hover:border-edge hover:text-ink"
    >
      <Icon of={Search} />
      {t('Search')}
      <kbd aria-hidden="true" className="ms-auto font-sans text-xs">
        {/* not translated: keyboard keys */}
        {isApple() ? '⌘K' : 'Ctrl K'}
      </kbd>
    </button>
  )
}

/** The tabs and the timer. With little height they share a line, and the tabs have no visible words. */
function BottomBar({ hasTimerBar }: { hasTimerBar: boolean }) {
  const { pathname } = useLocation()
  const leave = useIsGuest() ? t('Leave') : t('Sign Out')
  return (
    <div className="pointer-events-auto border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:hidden short:flex short:flex-wrap">
      <SyncChip className="min-h-11 border-b border-line px-4 short:hidden" />
      {hasTimerBar && (
        <div className="border-b border-line *:border-t-0 empty:hidden short:min-w-48 short:flex-1 short:border-0">
          <TimerBar layout="line" />
        </div>
      )}
      <nav
        aria-label={t('navigation|Main')}
        className="grid grid-cols-5 short:min-w-48 short:flex-1"
      >
        {[...PAGES, { to: '/signout', label: leave, icon: LogOut }].map(({ to, label, icon }) => (
          <NavLink
            key={to}
            to={to}
            state={OWN_NAVIGATION}
            isWithin={isBehind(to, pathname)}
            className={TAB}
          >
            <Icon of={icon} className="size-5" />
            <span className="short:sr-only">{label}</span>
          </NavLink>
        ))}
      </nav>
    </div>
  )
}

const SIDEBAR_ITEM =
  'flex h-9 items-center gap-3 rounded-control px-3 text-sm text-quiet transition-colors duration-80 hover:bg-wash hover:text-ink aria-[current]:bg-wash aria-[current]:font-semibold aria-[current]:text-ink'

const TAB =
  'flex h-14 short:h-11 flex-col items-center justify-center gap-0.5 text-center text-xs text-quiet max-[22rem]:text-[0.6875rem]/4 aria-[current]:font-semibold aria-[current]:text-accent'
