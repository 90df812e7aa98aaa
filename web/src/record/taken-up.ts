/**
 * Carries late presses over to the session that continues after an undone stop. Other devices
 * pressed them on the old session, and the backend received them only after the undo.
 */
import { pressesBetween } from '@stint/core/timer/late-presses.ts'
import { fold } from '@stint/core/timer/presses.ts'
import type { Press } from '@stint/core/timer/presses.ts'
import { stoppedFromEntry } from '@stint/core/record/time-entry.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'

import type { Draft } from './draft.ts'
import { goesOnHere } from './goes-on.ts'
import type { Edit } from './stored.ts'

/**
 * Adds presses on a session to the session that continues it: to the shown timer at once, and to
 * the queue.
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
 * Follows an entry that is deleted here and was saved again with presses of other devices. Those
 * presses count in the session that continues it.
 */
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
