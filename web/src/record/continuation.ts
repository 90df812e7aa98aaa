/**
 * The session that continues an undone stop. The entry of the stop is deleted, and the timer
 * continues under another session id.
 */
import { pressesBetween } from '@stint/core/timer/late-presses.ts'
import { fold } from '@stint/core/timer/presses.ts'
import type { Press, TimerOrigin } from '@stint/core/timer/presses.ts'
import { stoppedFromEntry } from '@stint/core/record/time-entry.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { endTimer, stoppedBetween } from '@stint/core/timer/timer.ts'
import type { ActiveTimer, StoppedTimer } from '@stint/core/timer/timer.ts'

import type { Draft } from './draft.ts'
import type { View } from './record.ts'
import type { Edit } from './stored.ts'

/**
 * Returns an active timer as a stopped one with the latest possible end, for comparison with work
 * on other devices.
 */
export function withOpenEnd(timer: ActiveTimer): StoppedTimer {
  return endTimer(timer, Infinity)
}

/**
 * Returns whether a session continues the work that was saved as this entry. Such a session has the
 * same task and the same start.
 */
export function isContinuation(
  entry: TimeEntry,
  sessionId: string,
  { taskId, startedAt }: TimerOrigin,
): boolean {
  return sessionId !== entry.id && taskId === entry.taskId && startedAt === entry.startedAt
}

type Known = Pick<View, 'value' | 'entries'>

/** Returns the session that continues an entry, as far as this device knows, or null. */
export function continuationOf(record: Known, entry: TimeEntry): StoppedTimer | null {
  return continuationsOf(record, entry).at(0) ?? null
}

/**
 * Returns every continuation: the shown timer, a session on a recovery card, or entries. Each
 * device that undid the stop made its own.
 */
function continuationsOf(record: Known, entry: TimeEntry): readonly StoppedTimer[] {
  const offered = record.value('unfinished')?.sessions ?? []
  const shown = record.value('timer')?.timer ?? []
  const timers = [
    shown,
    offered.flatMap(({ state }) => (state.kind === 'active' ? state.timer : [])),
  ]
    .flat()
    .filter((timer) => isContinuation(entry, timer.sessionId, timer))
  const saved = record.entries
    .all()
    .filter((each) => isTimed(each) && isContinuation(entry, each.id, each))
  return [...timers.map(withOpenEnd), ...saved.map(stoppedFromEntry)]
}

function isTimed({ deletedAt, entryType }: TimeEntry): boolean {
  return deletedAt === null && entryType === 'timer'
}

/** Returns whether the continuation counts all of `worked` as well. */
export function isCountedIn(continuation: StoppedTimer, worked: StoppedTimer): boolean {
  const { sessionId, taskId, durationSeconds } = worked
  const start = Math.max(worked.startedAt, continuation.startedAt)
  const end = Math.max(start, Math.min(worked.endedAt, continuation.endedAt))
  const counted = stoppedBetween(sessionId, taskId, start, end, continuation.pauses)
  return counted.durationSeconds >= durationSeconds
}

/** Returns whether a continuation that this device knows counts all the work of a session. */
export function isInContinuation(record: Known, worked: StoppedTimer): boolean {
  const entry = record.entries.get(worked.sessionId)
  if (!entry || entry.deletedAt === null) return false
  return continuationsOf(record, entry).some((each) => isCountedIn(each, worked))
}

/**
 * Adds presses on a session to the session that continues it: to the shown timer at once, and to
 * the queue. Other devices pressed them on the old session, and the backend received them only
 * after the undo.
 */
export function carryOver(draft: Draft, sessionId: string, presses: readonly Press[]): void {
  for (const press of presses) {
    draft.addOperation({ kind: 'press', sessionId, press, keepTrying: true })
  }
  const shown = draft.value('timer')
  if (shown?.timer.sessionId !== sessionId) return
  const folded = fold(shown.timer, presses, -Infinity)
  if (folded.kind === 'active') draft.putValue({ ...shown, timer: folded.timer })
}

/**
 * Carries over the presses with which other devices have saved an entry again that is deleted here.
 */
export function carryOverFrom(
  draft: Draft,
  { base, changedAt }: Edit<'entry'>,
  remote: TimeEntry,
): void {
  const isDeletedHere = 'deletion' in changedAt && !('times' in changedAt)
  if (base === null || !isDeletedHere || remote.deletedAt !== null) return
  if (base.createdAt !== remote.createdAt || base.updatedAt >= remote.updatedAt) return
  const continuation = continuationOf(draft, base)
  if (!continuation) return
  const [before, after] = [stoppedFromEntry(base), stoppedFromEntry(remote)]
  carryOver(draft, continuation.sessionId, pressesBetween(before, after, remote.updatedAt))
}
