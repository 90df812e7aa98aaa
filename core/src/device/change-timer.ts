/** Changes to the active timer after the fact. */

import type { Draft } from './draft.ts'
import { pressOn } from './timer.ts'
import type { Append } from './session-log.ts'

/** A change to the active timer after the fact, or the undo of one by the ids of its events. */
export interface TimerChange {
  readonly startedAt?: number | undefined
  readonly taskId?: string | undefined
  readonly undo?: readonly string[]
}

/**
 * Changes the start or the task of the active timer and returns the inverse change. A start that moves
 * later cuts off what was counted before it. Does nothing and returns null when that timer is not
 * active.
 */
export function changeTimer(
  draft: Draft,
  sessionId: string,
  { startedAt, taskId, undo }: TimerChange,
  now: number,
): TimerChange | null {
  const before = draft.value('timer')?.timer
  if (before?.sessionId !== sessionId) return null
  const events: Append[] = []
  const latest = before.status === 'paused' ? before.pausedAt : now
  const to = Math.min(startedAt ?? before.startedAt, latest)
  if (to !== before.startedAt) events.push({ action: { kind: 'move', to } })
  if (taskId !== undefined && taskId !== before.taskId)
    events.push({ action: { kind: 'set', field: 'task', value: taskId, boundary: 'start' } })
  if (undo) events.push({ action: { kind: 'undo', of: undo } })
  if (events.length === 0) return null
  return { undo: pressOn(draft, sessionId, events, now) }
}
