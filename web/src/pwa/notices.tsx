import { Download, RefreshCw, X } from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import type { ReactNode } from 'react'
import { LANGUAGE, LANGUAGE_NAMES, t } from '@stint/core/text.ts'
import { Icon } from '#ui/icon.tsx'
import { Button } from '#ui/button.tsx'
import { IconButton } from '#ui/icon-button.tsx'
import { useAuth } from '#hooks/use-auth.ts'
import { useEntries } from '#hooks/use-entries.ts'
import { useStoredSettings } from '#hooks/use-settings.ts'
import { useTimer } from '#hooks/use-timer.ts'
import { canInstall, install, onInstallOffer } from './install-offer.ts'
import { KeepStorage } from './keep-storage.tsx'
import { isSwitching, languageOf, openIn, ownLanguage, remember } from './language.ts'
import type { Updates } from './service-worker.ts'

/**
 * Shows a notice about another language, an update or the installation, and a badge on the app's icon
 * while a timer runs.
 */
export function Notices({ updates, isOpening }: { updates: Updates | null; isOpening: boolean }) {
  const { status } = useAuth()
  const [later, setLater] = useState(false)
  const waiting = useSyncExternalStore(updates?.onChange ?? never, updates?.waiting ?? no)

  return (
    <>
      {status === 'signed-in' && (
        <>
          <AppBadge />
          <KeepStorage />
        </>
      )}
      <output
        aria-label={t('About the app')}
        // On phones they would be where a nudge is, which is answered first.
        className="pointer-events-none fixed inset-x-3 top-[calc(env(safe-area-inset-top)+0.75rem)] z-50 flex flex-col items-end gap-2 max-md:[:root:has([data-nudge])_&]:hidden md:top-auto md:end-6 md:bottom-6 md:start-auto"
      >
        {status === 'signed-in' && <OtherLanguage isOpening={isOpening} />}
        {waiting && !later ? (
          <Notice icon={RefreshCw} text={t('New version')} onDismiss={() => setLater(true)}>
            <Button variant="primary" size="small" onClick={() => updates?.reload()}>
              {t('Reload')}
            </Button>
          </Notice>
        ) : (
          status === 'signed-in' && <InstallHint />
        )}
      </output>
    </>
  )
}

function Notice({
  icon,
  text,
  onDismiss,
  children,
}: {
  icon: LucideIcon
  text: string
  onDismiss: () => void
  children?: ReactNode
}) {
  return (
    <div className="pointer-events-auto flex animate-appear items-center gap-3 rounded-control border border-line bg-raised py-1.5 pe-1.5 ps-4 text-sm text-ink shadow-float">
      <Icon of={icon} className="size-4 shrink-0 text-accent" />
      <span className="max-w-64">{text}</span>
      {children}
      <IconButton icon={X} label={t('Dismiss')} onClick={onDismiss} />
    </div>
  )
}

/**
 * Offers the language of the account if this page is in another one. When the app opens, and nobody
 * has pressed anything yet, it changes by itself, once.
 */
function OtherLanguage({ isOpening }: { isOpening: boolean }) {
  const { settings, known } = useStoredSettings()
  const setting = settings.language
  const [last, setLast] = useState(setting)
  // The account was set to a language, and this browser followed it; now it follows itself again.
  const [isFree, setIsFree] = useState(false)
  const wanted = !known ? LANGUAGE : isFree ? ownLanguage() : languageOf(setting)
  const [tried, setTried] = useState(() =>
    isOpening && wanted !== LANGUAGE && !isInUse() && sessionStorage.getItem(TRIED) !== wanted
      ? 'now'
      : 'never',
  )
  const [dismissed, setDismissed] = useState(false)
  if (known && setting !== last) {
    setLast(setting)
    setIsFree(setting === 'auto')
    setDismissed(false)
  }

  const open = useEffectEvent(() => {
    openIn(setting).catch(() => setTried('failed'))
  })
  useEffect(() => {
    if (tried === 'now') open()
  }, [tried])
  useEffect(() => {
    if (isFree && !isSwitching()) remember('auto')
  }, [isFree])
  useEffect(() => {
    // A language that does not come would otherwise be tried again by each page.
    if (tried === 'now') sessionStorage.setItem(TRIED, wanted)
    else if (wanted === LANGUAGE) sessionStorage.removeItem(TRIED)
  }, [tried, wanted])

  if (wanted === LANGUAGE || dismissed || tried === 'now' || isSwitching()) return null
  return (
    <Notice
      icon={RefreshCw}
      text={
        tried === 'failed'
          ? t('Stint couldn’t be loaded in {language}. Check your connection and try again.', {
              language: LANGUAGE_NAMES[wanted],
            })
          : t('Your language is set to {language}', { language: LANGUAGE_NAMES[wanted] })
      }
      onDismiss={() => setDismissed(true)}
    >
      <Button variant="primary" size="small" onClick={() => setTried('now')}>
        {t('Reload')}
      </Button>
    </Notice>
  )
}

const TRIED = 'stint-language-tried'

/** Returns whether the user has pressed anything on this page. */
function isInUse(): boolean {
  // Older versions of Safari lack the counts.
  if (!('eventCounts' in performance)) return navigator.userActivation.hasBeenActive
  const counts = performance.eventCounts
  return PRESSES.some((type) => (counts.get(type) ?? 0) > 0)
}

const PRESSES = ['pointerdown', 'keydown']

/** Shown once per browser, to a user who has tracked time and has no active timer. */
function InstallHint() {
  const offered = useSyncExternalStore(onInstallOffer, canInstall)
  const { timer } = useTimer()
  const { entries } = useEntries()
  const [fresh] = useState(() => localStorage.getItem(HINT_SHOWN) === null)
  const [dismissed, setDismissed] = useState(false)
  const way = offered ? 'button' : isSafariOfPhone() ? 'share' : null
  const shown = fresh && !dismissed && way !== null && timer.status === 'idle' && entries.length > 0

  useEffect(() => {
    if (shown) localStorage.setItem(HINT_SHOWN, 'yes')
  }, [shown])

  if (!shown) return null
  const dismiss = () => setDismissed(true)
  return way === 'button' ? (
    <Notice icon={Download} text={t('Install Stint as an app')} onDismiss={dismiss}>
      <Button
        variant="primary"
        size="small"
        onClick={() => {
          dismiss()
          install()
        }}
      >
        {t('Install')}
      </Button>
    </Notice>
  ) : (
    <Notice
      icon={Download}
      text={t('Add Stint to your home screen: tap Share, then Add to Home Screen')}
      onDismiss={dismiss}
    />
  )
}

const HINT_SHOWN = 'stint-install-hint'

/**
 * Returns whether this is Safari on iOS in a tab. Only iOS has `standalone`, which is false in a tab.
 */
function isSafariOfPhone(): boolean {
  return 'standalone' in navigator && navigator.standalone === false
}

/** Shows a dot on the app's icon while a timer runs, where the system supports it. */
function AppBadge() {
  const { timer } = useTimer()
  const running = timer.status === 'running'
  useEffect(() => {
    if (!('setAppBadge' in navigator)) return undefined
    const show = running ? navigator.setAppBadge() : navigator.clearAppBadge()
    // Rejected when the app is not installed. Then there is no icon to mark.
    show.catch(() => undefined)
    return () => {
      navigator.clearAppBadge().catch(() => undefined)
    }
  }, [running])
  return null
}

function never(): () => void {
  return () => undefined
}

function no(): boolean {
  return false
}
