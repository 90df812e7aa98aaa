/** The notices of targets that the running timer has reached. Each has a name, by which it is shown only once. */
import type { TargetProgress } from './progress.ts'
import { identityOf, isGoal } from './targets.ts'
import type { Target } from './targets.ts'

export interface TargetNotice {
  readonly target: Target
  /** The same text for the same target and period, on every device and after every reload. */
  readonly event: string
}

/** Earlier it was reached on another device, or before its owner switched the notice on. */
const FRESH_SECONDS = 10 * 60

/**
 * Returns the notices that are due: of targets that the running timer has reached within ten minutes. The daily goal
 * of a task has a reminder of its own (`focus/reminders.ts`).
 */
export function dueNotices(all: readonly TargetProgress[]): TargetNotice[] {
  return all.flatMap(({ target, dates, isRunning, leftSeconds, overSeconds }) => {
    const isDue = isRunning && leftSeconds === 0 && overSeconds <= FRESH_SECONDS
    if (!isDue || isGoal(target)) return []
    return { target, event: `target ${identityOf(target)} ${dates.from}` }
  })
}

/** Returns when the running timer reaches the next target today, in epoch milliseconds, or null. */
export function nextNotice(all: readonly TargetProgress[]): number | null {
  const ahead = all.flatMap(({ reachedAt }) => reachedAt ?? [])
  return ahead.length === 0 ? null : Math.min(...ahead)
}
