import { lazy, Suspense, useSyncExternalStore } from 'react'
import type { ComponentType } from 'react'

import { useSettings } from '#features/settings/api.ts'

import { floatingWindow, onFloating } from './floating.ts'

/** What Stint says by itself, at the edge of the window, and the timer in a window of its own. */
export function Focus() {
  const { pomodoroMode, longRunningHours, eveningHour, goalReached } = useSettings()
  const floating = useSyncExternalStore(onFloating, floatingWindow)
  const reminds = longRunningHours > 0 || eveningHour !== null || goalReached
  return (
    <>
      {floating && (
        <Suspense>
          <FloatingTimer floating={floating} />
        </Suspense>
      )}
      <output
        aria-label="Reminders"
        className="pointer-events-none fixed inset-x-3 top-[calc(env(safe-area-inset-top)+0.75rem)] z-40 flex flex-col items-end gap-2 md:top-6 md:right-6 md:left-auto"
      >
        {pomodoroMode && (
          <Suspense>
            <BreakWatch />
          </Suspense>
        )}
        {reminds && (
          <Suspense>
            <ReminderWatch />
          </Suspense>
        )}
      </output>
    </>
  )
}

const BreakWatch = lazy<ComponentType>(() =>
  import('./break-watch.tsx').then(
    ({ BreakWatch: component }) => ({ default: component }),
    nothing,
  ),
)

const ReminderWatch = lazy<ComponentType>(() =>
  import('./reminder-watch.tsx').then(
    ({ ReminderWatch: component }) => ({ default: component }),
    nothing,
  ),
)

const FloatingTimer = lazy<ComponentType<{ floating: Window }>>(() =>
  import('./floating-timer.tsx').then(
    ({ FloatingTimer: component }) => ({ default: component }),
    nothing,
  ),
)

/** Without a network and not kept yet: the next load has it. */
function nothing() {
  return { default: () => null }
}
