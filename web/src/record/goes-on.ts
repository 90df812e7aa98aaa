/** A stop that was taken back: its entry is deleted, and the timer goes on as another session. */
import type { TimerOrigin } from '@stint/core/timer/presses.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { endTimer, stoppedBetween } from '@stint/core/timer/timer.ts'
import type { ActiveTimer, StoppedTimer } from '@stint/core/timer/timer.ts'

import type { View } from './record.ts'

/** A timer that goes on, as far as it will: compared with what was worked elsewhere. */
export function goingOn(timer: ActiveTimer): StoppedTimer {
  return endTimer(timer, Infinity)
}

/** Whether a session goes on with what was saved as this entry: it times the same task from the same moment. */
export function isTakenUpAs(
  { id, taskId, startedAt }: TimeEntry,
  as: TimerOrigin & { readonly sessionId: string },
): boolean {
  return as.sessionId !== id && as.taskId === taskId && as.startedAt === startedAt
}

type Known = Pick<View, 'value' | 'entries'>

/** What goes on with an entry, as far as it is known here; null: nothing does. */
export function goesOnHere(record: Known, entry: TimeEntry): StoppedTimer | null {
  return allGoingOn(record, entry).at(0) ?? null
}

/** The timer that is shown, one on a recovery card, entries: each device that took the stop back made one. */
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

/** Whether all that was worked counts in what goes on as well. */
export function isCountedIn(goesOn: StoppedTimer, worked: StoppedTimer): boolean {
  const { sessionId, taskId, durationSeconds } = worked
  const start = Math.max(worked.startedAt, goesOn.startedAt)
  const end = Math.max(start, Math.min(worked.endedAt, goesOn.endedAt))
  const counted = stoppedBetween(sessionId, taskId, start, end, goesOn.pauses)
  return counted.durationSeconds >= durationSeconds
}

/** Whether all that was worked on a session counts in the one that goes on with it, as far as that is known here. */
export function isInWhatGoesOn(record: Known, worked: StoppedTimer): boolean {
  const entry = record.entries.get(worked.sessionId)
  if (!entry || entry.deletedAt === null) return false
  return allGoingOn(record, entry).some((goesOn) => isCountedIn(goesOn, worked))
}
