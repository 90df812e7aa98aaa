/** A stop that was taken back: its entry is deleted, and the timer goes on as another session. */
import type { TimerOrigin } from '@stint/core/timer/presses.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import type { StoppedTimer } from '@stint/core/timer/timer.ts'

import type { View } from './record.ts'

/** Whether a session goes on with what was saved as this entry: it times the same task from the same moment. */
export function isTakenUpAs({ id, taskId, startedAt }: TimeEntry, as: Session): boolean {
  return as.id !== id && as.taskId === taskId && as.startedAt === startedAt
}

interface Session extends TimerOrigin {
  readonly id: string
}

/** The id of the session that goes on with an entry, as far as it is known here; null: none does. */
export function takenUpHere(
  record: Pick<View, 'value' | 'entries'>,
  entry: TimeEntry,
): string | null {
  const shown = record.value('timer')?.timer
  if (shown && isTakenUpAs(entry, { ...shown, id: shown.sessionId })) return shown.sessionId
  return record.entries.all().find((each) => isTimed(each) && isTakenUpAs(entry, each))?.id ?? null
}

function isTimed({ deletedAt, entryType }: TimeEntry): boolean {
  return deletedAt === null && entryType === 'timer'
}

/** Whether what was worked on a session is in the one that goes on with it. */
export function isInWhatGoesOn(
  record: Pick<View, 'value' | 'entries'>,
  { sessionId, endedAt }: StoppedTimer,
): boolean {
  const entry = record.entries.get(sessionId)
  const goesOn = entry && entry.deletedAt !== null ? takenUpHere(record, entry) : null
  if (goesOn === null) return false
  const saved = record.entries.get(goesOn)
  return saved === undefined || saved.deletedAt !== null || saved.endedAt >= endedAt
}
