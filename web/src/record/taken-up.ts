/**
 * What others had pressed on a session whose stop was taken back, and the backend hears of only then, counts in the one
 * that goes on.
 */
import { pressesBetween } from '@stint/core/timer/late-presses.ts'
import { fold } from '@stint/core/timer/presses.ts'
import type { Press } from '@stint/core/timer/presses.ts'
import { stoppedFromEntry } from '@stint/core/record/time-entry.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'

import type { Draft } from './draft.ts'
import { goesOnHere } from './goes-on.ts'
import type { Edit } from './stored.ts'

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
  const goesOn = goesOnHere(draft, base)
  if (!goesOn) return
  const [before, after] = [stoppedFromEntry(base), stoppedFromEntry(remote)]
  carryOver(draft, goesOn.sessionId, pressesBetween(before, after, remote.updatedAt))
}
