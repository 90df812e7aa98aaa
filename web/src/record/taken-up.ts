/**
 * A stop that was taken back: its entry is deleted, and the timer goes on as another session. What others had pressed on
 * the first one, and the backend hears of only then, counts in the one that goes on.
 */
import { pressesBetween } from '@stint/core/timer/late-presses.ts'
import { fold } from '@stint/core/timer/presses.ts'
import type { Press, TimerOrigin } from '@stint/core/timer/presses.ts'
import { stoppedFromEntry } from '@stint/core/record/time-entry.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'

import type { Draft } from './draft.ts'
import type { View } from './record.ts'
import type { Edit } from './stored.ts'

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

/** What was pressed on a session counts in the one that goes on with it: here at once, and it is queued. */
export function carryOver(draft: Draft, sessionId: string, presses: readonly Press[]): void {
  for (const press of presses) {
    draft.addOperation({ kind: 'press', sessionId, press, keepTrying: true })
  }
  const shown = draft.value('timer')
  if (shown?.timer.sessionId !== sessionId) return
  const folded = fold(shown.timer, presses, -Infinity)
  if (folded.kind === 'active') draft.putValue({ ...shown, timer: folded.timer })
}

/** An entry that is deleted here was saved again with what others had pressed: that counts in what goes on with it. */
export function followTakenUp(
  draft: Draft,
  { base, changedAt }: Edit<'entry'>,
  remote: TimeEntry,
): void {
  const isDeletedHere = 'deletion' in changedAt && !('times' in changedAt)
  if (base === null || !isDeletedHere || remote.deletedAt !== null) return
  if (base.createdAt !== remote.createdAt || base.updatedAt >= remote.updatedAt) return
  const sessionId = takenUpHere(draft, base)
  if (sessionId === null) return
  const [before, after] = [stoppedFromEntry(base), stoppedFromEntry(remote)]
  // Split or trimmed: what goes on begins after it.
  if (before.endedAt !== after.endedAt) return
  carryOver(draft, sessionId, pressesBetween(before, after, remote.updatedAt))
  for (const queued of draft.operations.all()) {
    const { operation } = queued
    if (operation.kind !== 'start' || operation.timer.sessionId !== sessionId) continue
    draft.operations.put({ ...queued, operation: { ...operation, takesUp: after } })
  }
}
