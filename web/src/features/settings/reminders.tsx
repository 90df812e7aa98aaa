import { t } from '@stint/core/text.ts'
import { fullHour } from '@stint/core/time/calendar.ts'
import type { SettingsChange } from '@stint/core/settings.ts'
import { useState } from 'react'
import { useChangeSettings, useSettings } from '#hooks/use-settings.ts'
import { useIsOwnServer } from '#hooks/use-is-own-server.ts'
import { later } from '#ui/later.tsx'
import { SelectRow, SwitchRow } from './controls.tsx'
import { IdleRow, SEEN, useIdlePermission } from './idle-row.tsx'
import { Section } from './section.tsx'

const TimerNotification = later(
  async () => (await import('./timer-notification.tsx')).TimerNotification,
)

const LONG_RUNNING = [
  { value: 0, label: t('Never') },
  { value: 2, label: t('2 hours') },
  { value: 4, label: t('4 hours') },
  { value: 8, label: t('8 hours') },
] as const

const AWAY = [
  { value: 0, label: t('8 hours') },
  { value: 10, label: t('10 minutes') },
  { value: 15, label: t('15 minutes') },
  { value: 30, label: t('30 minutes') },
  { value: 60, label: t('1 hour') },
  { value: 120, label: t('2 hours') },
  { value: 240, label: t('4 hours') },
] as const

/** The settings of reminders. All but the question after eight hours without a sign are off by default. */
export function Reminders({ id }: { id: string }) {
  const {
    notifications,
    longRunningHours,
    eveningHour,
    goalReached,
    hourCycle,
    awayMinutes,
    usualEnd,
  } = useSettings()
  const change = useChangeSettings()
  const isOwnServer = useIsOwnServer()
  const [permission, setPermission] = useState(permissionNow)
  const idle = useIdlePermission()
  const evenings = [
    { value: null, label: t('Never') },
    ...Array.from({ length: 24 }, (_, hour) => ({
      value: hour,
      label: fullHour(hour, hourCycle),
    })),
  ]

  /** Changes a setting. Turning a reminder on also asks the browser for permission to notify. */
  async function changeReminder(next: SettingsChange, isOn: boolean) {
    change(next)
    const mayNotify = next.notifications ?? notifications
    if (!isOn || !mayNotify || permissionNow() !== 'default') return
    await Notification.requestPermission()
    setPermission(permissionNow())
  }

  return (
    <Section id={id} title={t('Reminders')}>
      <SwitchRow
        label={t('Notifications')}
        hint={notifications ? PERMISSION_TEXTS[permission] : t('Reminders appear only in Stint.')}
        checked={notifications}
        onChange={(on) => void changeReminder({ notifications: on }, on)}
      />
      <SelectRow
        label={t('Ask if I’m still working when I’m away for…')}
        hint={SEEN[idle.permission]}
        choices={AWAY}
        value={awayMinutes}
        onChange={(minutes) => void changeReminder({ awayMinutes: minutes }, minutes > 0)}
      />
      <IdleRow {...idle} />
      <SwitchRow
        label={t('Ask an hour after my day usually ends')}
        checked={usualEnd}
        onChange={(on) => void changeReminder({ usualEnd: on }, on)}
      />
      <SelectRow
        label={t('Remind me if a timer runs past…')}
        choices={evenings}
        value={eveningHour}
        onChange={(hour) => void changeReminder({ eveningHour: hour }, hour !== null)}
      />
      <SelectRow
        label={t('Remind me after…')}
        choices={LONG_RUNNING}
        value={longRunningHours}
        onChange={(hours) => void changeReminder({ longRunningHours: hours }, hours > 0)}
      />
      <SwitchRow
        label={t('Notify me when I reach a goal or target')}
        checked={goalReached}
        onChange={(on) => void changeReminder({ goalReached: on }, on)}
      />
      {isOwnServer === true && <TimerNotification />}
    </Section>
  )
}

type Permission = NotificationPermission | 'missing'

/** Returns the browser's permission. iPhones offer notifications only to installed apps. */
function permissionNow(): Permission {
  return 'Notification' in globalThis ? Notification.permission : 'missing'
}

const PERMISSION_TEXTS: Record<Permission, string> = {
  default: t('Turn on a reminder, and your browser will ask to allow notifications.'),
  granted: t('Reminders appear as notifications when Stint isn’t visible.'),
  denied: t('Your browser blocks notifications from this site. Allow them in its site settings.'),
  missing: t(
    'Notifications aren’t available in this browser. On an iPhone, add Stint to the home screen.',
  ),
}
