/** Presses that the backend had confirmed and has lost, because it was restored from a backup. */
import { continuationId, hadNothingToSave, stoppedFromEntry } from '#record/time-entry.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import { foldLate, pressesBetween } from '#timer/late-presses.ts'
import type { Press } from '#timer/presses.ts'

import { carryOver, workedUntil } from './continuation.ts'
import type { Draft } from './draft.ts'
import { change } from './edits.ts'
import { offersInParts } from './late-presses.ts'
import { addOffer } from './offers.ts'
import type { Offer } from './stored.ts'

/**
 * Folds confirmed presses into a session that another device has saved without them. Lost pauses
 * count, and the owner can undo that, or are offered if someone has changed the session since. Work after a
 * lost resume is offered, also in the parts that were split off. A session that had nothing to save may have
 * lost all its work. What continues an undone stop gets the presses.
 */
export function foldForgotten(draft: Draft, confirmed: readonly Press[], entry: TimeEntry): void {
  const { id, updatedAt } = entry
  const saved = stoppedFromEntry(entry)
  const folded = foldLate(saved, confirmed, updatedAt)
  const { startedAt, pauses, durationSeconds } = folded
  const continuedBy = continuationId(entry)
  if (continuedBy !== null) {
    // The known session may have gone on after the end with which it was saved again.
    const later = confirmed.filter(({ kind, at }) => kind === 'resume' && at > saved.endedAt)
    const stop = confirmed.find(({ kind }) => kind === 'stop')
    const worked = stop ? workedUntil(later.slice(-1), stop.at) : []
    return carryOver(draft, continuedBy, [...pressesBetween(saved, folded, updatedAt), ...worked])
  }
  if (entry.deletedAt !== null && !hadNothingToSave(entry)) return
  for (const offer of offersInParts(draft, entry, confirmed)) addOffer(draft, offer)
  const asked: Offer = { why: 'not-counted', worked: folded, instead: saved, presses: confirmed }
  if (durationSeconds > saved.durationSeconds) return addOffer(draft, asked)
  // The owner may have changed the times or deleted the session here.
  const decided = draft.edit('entry', id)?.changedAt ?? {}
  const isDecided = 'times' in decided || 'deletion' in decided
  const isChanged = updatedAt !== entry.createdAt
  if (durationSeconds === saved.durationSeconds || isDecided) return
  if (isChanged) return addOffer(draft, asked)
  const here = draft.entries.get(id) ?? entry
  // News may have overtaken the answer: another device knew the pause alone, and had nothing to save.
  const keptAt = hadNothingToSave(here) ? null : here.deletedAt
  const deletedAt = durationSeconds > 0 ? keptAt : updatedAt
  change(draft, 'entry', id, { ...here, startedAt, pauses, durationSeconds, deletedAt }, updatedAt)
  addOffer(draft, { why: 'counted', worked: saved, instead: folded })
}
