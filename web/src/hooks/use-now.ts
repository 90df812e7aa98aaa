/** The current time and the elapsed seconds, as the screens show them. */
import { nextMidnight } from '@stint/core/time/calendar.ts'
import type { DayRule } from '@stint/core/time/day-rule.ts'
import { elapsedSeconds } from '@stint/core/timer/timer.ts'
import { useEffect, useState } from 'react'

import { useDayRule } from './use-settings.ts'
import { useRecord, useValue } from '#session/signed-in.ts'

/** Returns the elapsed whole seconds. Re-renders every second while the timer runs. */
export function useElapsed(): number {
  const active = useValue('timer')
  const now = useNow()
  return active ? elapsedSeconds(active.timer, now) : 0
}

/**
 * Returns the current server time in epoch milliseconds. Re-renders every second while the timer runs;
 * otherwise at the start of a new day and when the tab becomes visible.
 */
export function useNow(): number {
  const { clock } = useRecord()
  const timer = useValue('timer')?.timer
  const dayRule = useDayRule()
  const [, setTick] = useState(0)
  const startedAt = timer?.status === 'running' ? timer.startedAt : null

  useEffect(() => {
    const fire = () => {
      setTick((count) => count + 1)
      cancel()
      cancel = schedule()
    }
    const schedule = () => fireAfter(untilNextTick(clock.now(), startedAt, dayRule), fire)
    const onVisible = () => {
      if (document.visibilityState === 'visible') fire()
    }
    let cancel = schedule()
    document.addEventListener('visibilitychange', onVisible)
    return () => {
      cancel()
      document.removeEventListener('visibilitychange', onVisible)
    }
  }, [clock, startedAt, dayRule])

  return clock.now()
}

/**
 * Returns the milliseconds until the next tick. A day has at most 25 hours, which is within the range
 * of setTimeout.
 */
function untilNextTick(now: number, startedAt: number | null, dayRule: DayRule): number {
  if (startedAt === null) return nextMidnight(now, dayRule) - now + 1
  // Just after the elapsed second changes, so that no second is shown twice or skipped.
  const sinceTurn = (((now - startedAt) % 1000) + 1000) % 1000
  return 1000 - sinceTurn + 5
}

interface Alarm {
  /** By `performance.now()`. */
  readonly due: number
  readonly fire: () => void
}

/**
 * In milliseconds. Shorter than the delay after the second's change, so that no alarm fires before it.
 */
const TOLERANCE = 4

const alarms = new Set<Alarm>()
let timeout: ReturnType<typeof setTimeout> | undefined

/**
 * Calls `fire` once after the given milliseconds; returns a function that cancels it. Alarms that are
 * due at almost the same time share one task, so that React renders them together.
 */
function fireAfter(milliseconds: number, fire: () => void): () => void {
  const alarm = { due: performance.now() + milliseconds, fire }
  alarms.add(alarm)
  waitForNext()
  return () => {
    alarms.delete(alarm)
    waitForNext()
  }
}

function waitForNext(): void {
  clearTimeout(timeout)
  if (alarms.size === 0) return
  const next = Math.min(...[...alarms].map(({ due }) => due))
  timeout = setTimeout(fireDue, next - performance.now())
}

function fireDue(): void {
  const now = performance.now()
  for (const alarm of [...alarms].filter(({ due }) => due <= now + TOLERANCE)) {
    alarms.delete(alarm)
    alarm.fire()
  }
  waitForNext()
}
