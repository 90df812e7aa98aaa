/** Changes to the active timer after the fact. */
import { clipIntervals } from '#time/instant.ts'
import type { Interval } from '#time/instant.ts'

import type { Draft } from './draft.ts'
import { press } from './press.ts'

/** A change to the active timer after the fact. */
export interface TimerChange {
  readonly startedAt?: number | undefined
  readonly taskId?: string | undefined
  /** Pauses that the change restores. */
  readonly pauses?: readonly Interval[]
}

/**
 * Changes the start or the task of the active timer and returns the inverse change. Does nothing
 * and returns null when that timer is not active.
 */
export function changeTimer(
  draft: Draft,
  sessionId: string,
  change: TimerChange,
  now: number,
): TimerChange | null {
  const { startedAt, taskId, pauses = [] } = change
  const before = draft.value('timer')?.timer
  if (before?.sessionId !== sessionId) return null
  const from = { startedAt: before.startedAt, taskId: before.taskId }
  const to = {
    startedAt: Math.min(startedAt ?? from.startedAt, now),
    taskId: taskId ?? from.taskId,
  }
  const pressed = press(draft, { kind: 'move', at: now, from, to, pauses }, sessionId)
  if (!pressed) return null
  return {
    startedAt: startedAt && from.startedAt,
    taskId: taskId && from.taskId,
    // A start that moves later cuts off the pauses before it.
    pauses: clipIntervals(before.pauses.intervals, before.startedAt, pressed.after.startedAt),
  }
}
