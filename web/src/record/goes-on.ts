/**
 * Finds the session that continues an undone stop. The entry of the stop is deleted, and the timer
 * continues under another session id.
 */
import type { TimerOrigin } from '@stint/core/timer/presses.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { endTimer, stoppedBetween } from '@stint/core/timer/timer.ts'
import type { ActiveTimer, StoppedTimer } from '@stint/core/timer/timer.ts'

import type { View } from './record.ts'

/**
 * Returns a continuing timer as a stopped one with the latest possible end, for comparison with
 * work on other devices.
 */
export function goingOn(timer: ActiveTimer): StoppedTimer {
  return endTimer(timer, Infinity)
}

/**
 * Returns whether a session continues the work that was saved as this entry. Such a session has the
 * same task and the same start.
 */
export function isTakenUpAs(
  { id, taskId, startedAt }: TimeEntry,
  as: TimerOrigin & { readonly sessionId: string },
): boolean {
  return as.sessionId !== id && as.taskId === taskId && as.startedAt === startedAt
}

type Known = Pick<View, 'value' | 'entries'>

/** Returns what continues an entry, as far as this device knows, or null. */
export function goesOnHere(record: Known, entry: TimeEntry): StoppedTimer | null {
  return allGoingOn(record, entry).at(0) ?? null
}

/**
 * Returns every continuation: the shown timer, a session on a recovery card, or entries. Each
 * device that undid the stop made its own.
 */
function allGoingOn(record: Known, entry: TimeEntry): readonly StoppedTimer[] {
  const offered = record.value('unfinished')?.sessions ?? []
  const timers = offered.flatMap(({ state }) => (state.kind === 'active' ? state.timer : []))
  const shown = record.value('timer')?.timer ?? []
  const saved = record.entries.all().filter((each) => isTimed(each))
  return [
    ...[shown, timers].flat().map(goingOn),
    ...saved.map((each) => ({ ...each, sessionId: each.id })),
  ].filter((each) => isTakenUpAs(entry, each))
}

function isTimed({ deletedAt, entryType }: TimeEntry): boolean {
  return deletedAt === null && entryType === 'timer'
}

/** Returns whether the continuation counts all of `worked` as well. */
export function isCountedIn(goesOn: StoppedTimer, worked: StoppedTimer): boolean {
  const { sessionId, taskId, durationSeconds } = worked
  const start = Math.max(worked.startedAt, goesOn.startedAt)
  const end = Math.max(start, Math.min(worked.endedAt, goesOn.endedAt))
  const counted = stoppedBetween(sessionId, taskId, start, end, goesOn.pauses)
  return counted.durationSeconds >= durationSeconds
}

/** Returns whether a continuation that this device knows counts all the work of a session. */
export function isInWhatGoesOn(record: Known, worked: StoppedTimer): boolean {
  const entry = record.entries.get(worked.sessionId)
  if (!entry || entry.deletedAt === null) return false
  return allGoingOn(record, entry).some((goesOn) => isCountedIn(goesOn, worked))
}
