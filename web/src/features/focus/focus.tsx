import { useSettings } from '#features/settings/api.ts'

import { BreakWatch } from './break-watch.tsx'
import { FloatingTimer } from './floating-timer.tsx'
import { ReminderWatch } from './reminder-watch.tsx'

/** What Stint says by itself, at the edge of the window. */
export function Focus() {
  const { pomodoroMode, longRunningHours, eveningHour, goalReached } = useSettings()
  const reminds = longRunningHours > 0 || eveningHour !== null || goalReached
  return (
    <>
      <FloatingTimer />
      <output
        aria-label="Reminders"
        className="pointer-events-none fixed inset-x-3 top-[calc(env(safe-area-inset-top)+0.75rem)] z-40 flex flex-col items-end gap-2 md:top-6 md:right-6 md:left-auto"
      >
        {pomodoroMode && <BreakWatch />}
        {reminds && <ReminderWatch />}
      </output>
    </>
  )
}
