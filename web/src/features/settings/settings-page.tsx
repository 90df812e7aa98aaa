import { Check, CloudOff } from 'lucide-react'
import { useEffect, useState } from 'react'
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
import { Section } from './section.tsx'
import { useIsOwnServer } from '#hooks/use-is-own-server.ts'
import { YourData } from './your-data.tsx'
import { Icon } from '#ui/icon.tsx'
import { later } from '#ui/later.tsx'

const Keys = later(async () => (await import('./keys.tsx')).Keys)

const SECTIONS = [
  { id: 'appearance', title: t('Appearance') },
  { id: 'days', title: t('Days and weeks') },
  { id: 'focus', title: t('Focus') },
  { id: 'reminders', title: t('Reminders') },
  { id: 'offline', title: t('Offline and keyboard') },
  { id: 'account', title: t('Account') },
  { id: 'devices', title: t('Devices') },
  { id: 'keys', title: t('Keys') },
  { id: 'your-data', title: t('Your data') },
  { id: 'diagnostics', title: t('Diagnostics') },
] as const

/** The sections that only who has an account needs. */
const OF_ACCOUNTS = ['account', 'devices', 'keys']

/** All settings on one page, each saved as it changes. Wide screens show a list of the sections. */
export function SettingsPage({ signOutHere }: { signOutHere: ReactNode }) {
  const [isChanged, setIsChanged] = useState(false)
  const auth = useAuth()
  const email = auth.status === 'signed-in' ? auth.user.email : ''
  const isGuest = useIsGuest()
  const isOwnServer = useIsOwnServer()

  // The browser looked for the section of the address before the page was there.
  useEffect(() => document.getElementById(location.hash.slice(1))?.scrollIntoView(), [])

  return (
    <div className="flex flex-col gap-4 lg:max-w-216">
      <header
        data-sticky-head=""
        className="sticky short:static top-0 z-20 -mx-4 flex min-h-14 items-center justify-between gap-4 bg-paper px-4 py-2 after:pointer-events-none after:absolute after:inset-x-0 after:top-full after:h-4 after:bg-linear-to-b after:from-paper after:to-transparent short:after:hidden md:-mx-8 md:px-8"
      >
        <h1 className="text-xl font-semibold tracking-tight">{t('Settings')}</h1>
        <SaveState isChanged={isChanged} />
      </header>
      <div className="flex items-start gap-12">
        <SectionList
          without={[...(isOwnServer === false ? ['keys'] : []), ...(isGuest ? OF_ACCOUNTS : [])]}
        />
        <div className="flex min-w-0 flex-1 flex-col gap-10">
          <ChangedContext value={() => setIsChanged(true)}>
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
            <YourData id="your-data" />
            <Diagnostics id="diagnostics" />
          </ChangedContext>
        </div>
      </div>
    </div>
  )
}

/** Links to the sections. The current section is marked. */
function SectionList({ without }: { without: readonly string[] }) {
  const [current, setCurrent] = useState<string>(SECTIONS[0].id)
  const sections = SECTIONS.filter(({ id }) => !without.includes(id))

  useEffect(() => {
    const headings = SECTIONS.flatMap(({ id }) => document.getElementById(id) ?? [])
    // The current section is the last one whose heading is above a third of the window's height.
    const look = () => {
      const third = innerHeight / 3
      const read = headings.findLast((heading) => heading.getBoundingClientRect().top < third)
      setCurrent(read?.id ?? SECTIONS[0].id)
    }
    const observer = new IntersectionObserver(look, { rootMargin: '0px 0px -66% 0px' })
    for (const heading of headings) observer.observe(heading)
    return () => observer.disconnect()
  }, [])

  return (
    <nav
      aria-label={t('Settings')}
      className="sticky top-18 flex w-40 shrink-0 flex-col gap-0.5 max-lg:hidden"
    >
      {sections.map(({ id, title }) => (
        <a
          key={id}
          href={`#${id}`}
          aria-current={id === current ? 'location' : undefined}
          className="flex h-8 items-center rounded-control px-3 text-sm text-quiet transition-colors duration-80 hover:bg-wash hover:text-ink aria-[current=location]:font-semibold aria-[current=location]:text-ink"
        >
          {title}
        </a>
      ))}
    </nav>
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
