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
    const ring = () => {
      setTick((count) => count + 1)
      cancel()
      cancel = schedule()
    }
    const schedule = () => ringAfter(untilNextTick(clock.now(), startedAt, dayRule), ring)
    const onVisible = () => {
      if (document.visibilityState === 'visible') ring()
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

/** A day has at most 25 hours; setTimeout takes no more than 24.8 days. */
function untilNextTick(now: number, startedAt: number | null, dayRule: DayRule): number {
  if (startedAt === null) return nextMidnight(now, dayRule) - now + 1
  // Just after the elapsed second turns, so that no second is shown twice or skipped.
  const sinceTurn = (((now - startedAt) % 1000) + 1000) % 1000
  return 1000 - sinceTurn + 5
}

interface Bell {
  /** By `performance.now()`. */
  readonly due: number
  readonly ring: () => void
}

/** Milliseconds; less than what is waited after the turn of a second, so that nobody is called before it. */
const TOGETHER = 4

const bells = new Set<Bell>()
let timeout: ReturnType<typeof setTimeout> | undefined

/** Calls `ring` once, after as many milliseconds. What is due together shares a task, so React renders it once. */
function ringAfter(milliseconds: number, ring: () => void): () => void {
  const bell = { due: performance.now() + milliseconds, ring }
  bells.add(bell)
  waitForNext()
  return () => {
    bells.delete(bell)
    waitForNext()
  }
}

function waitForNext(): void {
  clearTimeout(timeout)
  if (bells.size === 0) return
  const next = Math.min(...[...bells].map(({ due }) => due))
  timeout = setTimeout(ringDue, next - performance.now())
}

function ringDue(): void {
  const now = performance.now()
  for (const bell of [...bells].filter(({ due }) => due <= now + TOGETHER)) {
    bells.delete(bell)
    bell.ring()
  }
  waitForNext()
}
