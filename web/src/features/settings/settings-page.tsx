import { Check, ChevronLeft, ChevronRight, CloudOff } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { t } from '@stint/core/text.ts'
import { useAuth, useIsGuest } from '#hooks/use-auth.ts'
import { useConnection } from '#hooks/use-connection.ts'
import { ChangedContext } from '#hooks/use-settings.ts'
import { Account } from './account.tsx'
import { Appearance } from './appearance.tsx'
import { Days } from './days.tsx'
import { Devices } from './devices.tsx'
import { Diagnostics } from './diagnostics.tsx'
import { Focus } from './focus.tsx'
import { OfflineAndKeyboard } from './offline-and-keyboard.tsx'
import { Reminders } from './reminders.tsx'
import { OpenSection, Section } from './section.tsx'
import { useIsOwnServer } from '#hooks/use-is-own-server.ts'
import { classNames } from '#ui/class-names.ts'
import { Icon } from '#ui/icon.tsx'
import { later } from '#ui/later.tsx'
import { Link, useLocation } from '#ui/navigation.tsx'

const Keys = later(async () => (await import('./keys.tsx')).Keys)

/** The sections, those that belong together in one group. */
const GROUPS = [
  [
    { id: 'appearance', title: t('Appearance') },
    { id: 'days', title: t('Days and weeks') },
    { id: 'focus', title: t('Focus') },
    { id: 'reminders', title: t('Reminders') },
    { id: 'offline', title: t('Offline and keyboard') },
  ],
  [
    { id: 'account', title: t('Account') },
    { id: 'devices', title: t('Devices') },
    { id: 'keys', title: t('Keys') },
  ],
  [{ id: 'diagnostics', title: t('Diagnostics') }],
] as const

/** The sections that only who has an account needs. */
const OF_ACCOUNTS = ['account', 'devices', 'keys']

/**
 * All settings, each saved as it changes. Wide screens show them on one page beside the list of the sections, others
 * the list, or the section that the address names.
 */
export function SettingsPage({ signOutHere }: { signOutHere: ReactNode }) {
  const [isChanged, setIsChanged] = useState(false)
  const auth = useAuth()
  const email = auth.status === 'signed-in' ? auth.user.email : ''
  const isGuest = useIsGuest()
  const isOwnServer = useIsOwnServer()
  const without = [...(isOwnServer === false ? ['keys'] : []), ...(isGuest ? OF_ACCOUNTS : [])]
  const named = useLocation().hash.slice(1)
  const open = GROUPS.flat().some(({ id }) => id === named && !without.includes(id)) ? named : null
  const last = useRef(open)

  useEffect(() => {
    const link = `a[href="#${last.current}"]`
    last.current = open
    const target = open === null ? document.querySelector(link) : document.getElementById(open)
    if (!(target instanceof HTMLElement)) return
    // The browser looked for the section of the address before it was shown.
    target.scrollIntoView()
    target.focus({ preventScroll: true })
  }, [open])

  return (
    <div className="flex flex-col gap-4 lg:max-w-216">
      <header
        data-sticky-head=""
        className="sticky short:static top-0 z-20 -mx-4 flex min-h-14 items-center justify-between gap-4 bg-paper px-4 py-2 after:pointer-events-none after:absolute after:inset-x-0 after:top-full after:h-4 after:bg-linear-to-b after:from-paper after:to-transparent short:after:hidden md:-mx-8 md:px-8"
      >
        <h1 className="text-xl font-semibold tracking-tight">
          {open !== null && (
            <Link
              to="/settings"
              className="-ms-2 flex h-11 items-center gap-1 rounded-control pe-2 text-base text-quiet hover:text-ink lg:hidden"
            >
              <Icon of={ChevronLeft} className="size-5" />
              {t('Settings')}
            </Link>
          )}
          <span className={open === null ? '' : 'max-lg:hidden'}>{t('Settings')}</span>
        </h1>
        <SaveState isChanged={isChanged} />
      </header>
      <div className="flex items-start gap-12">
        <SectionList without={without} isHidden={open !== null} />
        <div className={classNames('min-w-0 flex-1', open === null && 'max-lg:hidden')}>
          <OpenSection value={open}>
            <ChangedContext value={() => setIsChanged(true)}>
              <div className="flex flex-col lg:gap-10">
                <Appearance id="appearance" />
                <Days id="days" />
                <Focus id="focus" />
                <Reminders id="reminders" />
                <OfflineAndKeyboard id="offline" />
                {!isGuest && <Account id="account" />}
                {!isGuest && <Devices id="devices" signOutHere={signOutHere} />}
                {isOwnServer !== false && (
                  <Section id="keys" title={t('Keys')}>
                    {/* A new address ends the keys that are listed. */}
                    {isOwnServer === true && <Keys key={email} />}
                  </Section>
                )}
                <Diagnostics id="diagnostics" />
              </div>
            </ChangedContext>
          </OpenSection>
        </div>
      </div>
    </div>
  )
}

/**
 * Links to the sections, and to the page of the data. Beside the sections it marks the current one; alone it is a list of
 * rows.
 */
function SectionList({ without, isHidden }: { without: readonly string[]; isHidden: boolean }) {
  const [current, setCurrent] = useState<string | null>(null)

  useEffect(() => {
    const headings = GROUPS.flat().flatMap(({ id }) => document.getElementById(id) ?? [])
    // The current section is the last one whose heading is above a third of the window's height.
    const look = () => {
      const third = innerHeight / 3
      // A list that stands alone has no current section.
      const shown = headings.filter(({ offsetParent }) => offsetParent !== null)
      const read = shown.findLast((heading) => heading.getBoundingClientRect().top < third)
      setCurrent((read ?? shown[0])?.id ?? null)
    }
    const observer = new IntersectionObserver(look, { rootMargin: '0px 0px -66% 0px' })
    for (const heading of headings) observer.observe(heading)
    return () => observer.disconnect()
  }, [])

  return (
    <nav
      aria-label={t('Settings')}
      className={classNames(
        'flex flex-col gap-6 max-lg:grow lg:sticky lg:top-18 lg:w-40 lg:shrink-0 lg:gap-4',
        isHidden && 'max-lg:hidden',
      )}
    >
      {GROUPS.map((group) => {
        const shown = group.filter(({ id }) => !without.includes(id))
        if (shown.length === 0) return null
        return (
          <div key={group[0].id} className={GROUP}>
            {group === GROUPS.at(-1) && (
              <Link to="/data" className={ITEM}>
                <Words>{t('Your data')}</Words>
              </Link>
            )}
            {shown.map(({ id, title }) => (
              <a
                key={id}
                href={`#${id}`}
                aria-current={id === current ? 'location' : undefined}
                className={ITEM}
              >
                <Words>{title}</Words>
              </a>
            ))}
          </div>
        )
      })}
    </nav>
  )
}

const GROUP =
  'flex flex-col max-lg:divide-y max-lg:divide-line max-lg:overflow-hidden max-lg:rounded-panel max-lg:border max-lg:border-line max-lg:bg-surface lg:gap-0.5'

const ITEM =
  'flex h-12 items-center justify-between px-4 transition-colors duration-80 -outline-offset-2 hover:bg-wash lg:h-8 lg:rounded-control lg:px-3 lg:text-sm lg:text-quiet lg:hover:text-ink aria-[current=location]:font-semibold aria-[current=location]:text-ink'

function Words({ children }: { children: string }) {
  return (
    <>
      {children}
      <Icon of={ChevronRight} className="size-4 text-quiet lg:hidden" />
    </>
  )
}

/** Shows whether the changed settings are saved, and where. */
function SaveState({ isChanged }: { isChanged: boolean }) {
  const { online, unsaved } = useConnection()
  const isSaving = isChanged && unsaved > 0
  return (
    <output aria-label={t('Saving')} className="flex items-center gap-1.5 text-sm text-quiet">
      {isSaving && !online && (
        <>
          <Icon of={CloudOff} />
          {t('Saved on this device')}
        </>
      )}
      {isSaving && online && t('Saving…')}
      {isChanged && !isSaving && (
        <>
          <Icon of={Check} className="size-4 text-accent" />
          {t('Saved')}
        </>
      )}
    </output>
  )
}
