/** The moment that screens show, and the seconds on the clock. */
import { nextMidnight } from '@stint/core/time/calendar.ts'
import type { DayRule } from '@stint/core/time/day-rule.ts'
import { elapsedSeconds } from '@stint/core/timer/timer.ts'
import { useEffect, useState } from 'react'

import { useDayRule } from '#features/settings/api.ts'
import { useRecord, useValue } from '#session/signed-in.ts'

/** Whole seconds on the clock. Renders again every second, only while it runs. */
export function useElapsed(): number {
  const active = useValue('timer')
  const now = useNow()
  return active ? elapsedSeconds(active.timer, now) : 0
}

/**
 * Now, epoch milliseconds of server time. Renders again every second while the timer runs, else
 * when the local day changes and when the tab is looked at again.
 */
export function useNow(): number {
  const { clock } = useRecord()
  const timer = useValue('timer')?.timer
  const dayRule = useDayRule()
  const [, setTick] = useState(0)
  const startedAt = timer?.status === 'running' ? timer.startedAt : null

  useEffect(() => {
    let timeout: ReturnType<typeof setTimeout>
    const tick = () => {
      setTick((count) => count + 1)
      schedule()
    }
    const schedule = () => {
      clearTimeout(timeout)
      timeout = setTimeout(tick, untilNextTick(clock.now(), startedAt, dayRule))
    }
    const onVisible = () => {
      if (document.visibilityState === 'visible') tick()
    }
    schedule()
    document.addEventListener('visibilitychange', onVisible)
    return () => {
      clearTimeout(timeout)
      document.removeEventListener('visibilitychange', onVisible)
    }
  }, [clock, startedAt, dayRule])

  return clock.now()
}

/** A day has at most 25 hours; setTimeout takes no more than 24.8 days. */
function untilNextTick(now: number, startedAt: number | null, dayRule: DayRule): number {
  if (startedAt === null) return nextMidnight(now, dayRule) - now + 1
  // Just after the elapsed second turns, so that no second is shown twice or skipped.
  const sinceTurn = (((now - startedAt) % 1000) + 1000) % 1000
  return 1000 - sinceTurn + 5
}
