import { useSyncExternalStore } from 'react'

import { t } from '@stint/core/text.ts'
import { useNotesPresence, useSaysEvents } from '#hooks/has-traces.ts'
import { useSettings } from '#hooks/use-settings.ts'
import { useTimer } from '#hooks/use-timer.ts'
import { later } from '#ui/later.tsx'

import { floatingWindow, onFloating } from '#ui/floating-window.ts'

/** Renders the nudges (breaks and reminders), of which one is shown at a time, and the floating timer. */
export function Focus() {
  const { pomodoroMode, longRunningHours, eveningHour, goalReached } = useSettings()
  const { status } = useTimer().timer
  const [isRunning, isActive] = [status === 'running', status !== 'idle']
  const saysEvents = useSaysEvents()
  const notesPresence = useNotesPresence()
  const floating = useSyncExternalStore(onFloating, floatingWindow)
  const reminds = longRunningHours > 0 || eveningHour !== null || goalReached
  return (
    <>
      {floating && <FloatingTimer floating={floating} />}
      {notesPresence && <PresenceWatch />}
      <output
        aria-label={t('Reminders')}
        className="pointer-events-none fixed inset-x-3 top-[calc(env(safe-area-inset-top)+0.75rem)] z-40 flex flex-col items-end *:not-first:hidden md:top-6 md:end-6 md:start-auto"
      >
        {pomodoroMode && <BreakWatch />}
        {isRunning && <StillWorkingWatch />}
        {reminds && <ReminderWatch />}
        {isActive && saysEvents && <EventWatch />}
      </output>
    </>
  )
}

const BreakWatch = later(async () => (await import('./break-watch.tsx')).BreakWatch)
const StillWorkingWatch = later(
  async () => (await import('./still-working-watch.tsx')).StillWorkingWatch,
)
const EventWatch = later(async () => (await import('./event-watch.tsx')).EventWatch)
const PresenceWatch = later(async () => (await import('./presence-watch.tsx')).PresenceWatch)
const ReminderWatch = later(async () => (await import('./reminder-watch.tsx')).ReminderWatch)
const FloatingTimer = later(async () => (await import('./floating-timer.tsx')).FloatingTimer)
