/** Hooks for the pomodoro phase of the timer. */
import { pomodoroPhase } from '@stint/core/focus/pomodoro.ts'
import type { PomodoroPhase } from '@stint/core/focus/pomodoro.ts'
import { useEffect, useState } from 'react'

import { useSettings } from '#hooks/use-settings.ts'
import { useTimer } from '#hooks/use-timer.ts'
import { useRecord, useValue } from '#session/signed-in.ts'

const NONE: readonly number[] = []

/** Returns the current phase; null while pomodoro is off or no timer is active. */
export function usePhase(): PomodoroPhase | null {
  const { pomodoroMode, pomodoro } = useSettings()
  const { timer } = useTimer()
  const skips = useValue('nudges')?.skips ?? NONE
  const { clock } = useRecord()
  if (!pomodoroMode || timer.status === 'idle') return null
  return pomodoroPhase(timer, pomodoro, clock.now(), skips)
}

/** Re-renders every second, and when the tab becomes visible. */
export function useSeconds(): void {
  const [, setTick] = useState(0)
  useEffect(() => {
    const tick = () => setTick((count) => count + 1)
    const interval = setInterval(tick, 1_000)
    document.addEventListener('visibilitychange', tick)
    return () => {
      clearInterval(interval)
      document.removeEventListener('visibilitychange', tick)
    }
  }, [])
}
