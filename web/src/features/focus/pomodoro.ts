/** The phase of the timer, live. */
import { pomodoroPhase } from '@stint/core/timer/pomodoro.ts'
import type { PomodoroPhase } from '@stint/core/timer/pomodoro.ts'
import { useEffect, useState } from 'react'

import { useSettings } from '#features/settings/api.ts'
import { useTimer } from '#features/timer/api/use-timer.ts'
import { useRecord, useValue } from '#session/signed-in.ts'

const NONE: readonly number[] = []

/** Where the timer stands now; null while pomodoro is off or no timer is active. */
export function usePhase(): PomodoroPhase | null {
  const { pomodoroMode, pomodoro } = useSettings()
  const { timer } = useTimer()
  const skips = useValue('nudges')?.skips ?? NONE
  const { clock } = useRecord()
  if (!pomodoroMode || timer.status === 'idle') return null
  return pomodoroPhase(timer, pomodoro, clock.now(), skips)
}

/** Renders again every second that begins, and when the tab is looked at again. */
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

/**
 * Renders again at the instant, or as soon after it as the browser lets us: one timer for it, which
 * even a tab in the background gets, and a look whenever somebody comes back. Answers the last
 * instant that was waited for in this way.
 */
export function useWaitFor(instant: number | null): number | null {
  const { clock } = useRecord()
  const [reached, setReached] = useState<{ instant: number } | null>(null)

  useEffect(() => {
    if (instant === null) return undefined
    const look = () => {
      if (clock.now() >= instant) setReached({ instant })
      schedule()
    }
    let timeout: ReturnType<typeof setTimeout>
    const schedule = () => {
      clearTimeout(timeout)
      // A hair later, so that it has been reached. Once it has, this is over, or a clock was set back.
      const left = instant - clock.now()
      timeout = setTimeout(look, left > 0 ? Math.min(left + 5, LONGEST_TIMEOUT) : 1_000)
    }
    schedule()
    document.addEventListener('visibilitychange', look)
    return () => {
      clearTimeout(timeout)
      document.removeEventListener('visibilitychange', look)
    }
  }, [instant, clock])

  return reached?.instant ?? null
}

const LONGEST_TIMEOUT = 2 ** 31 - 1
