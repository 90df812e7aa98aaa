/** Presses that the backend had confirmed and has lost, because it was restored from a backup. */
import { stoppedFromEntry } from '#record/time-entry.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import { foldLate } from '#timer/late-presses.ts'
import type { Press } from '#timer/presses.ts'

import type { Draft } from './draft.ts'
import { addOffer } from './offers.ts'

/**
 * Offers the work that confirmed presses add to a saved session. Another device ended the session
 * without a resume that the backend had lost.
 */
export function offerForgotten(draft: Draft, confirmed: readonly Press[], entry: TimeEntry): void {
  if (entry.updatedAt !== entry.createdAt || entry.deletedAt !== null) return
  const instead = stoppedFromEntry(entry)
  const worked = foldLate(instead, confirmed, entry.updatedAt)
  if (worked.durationSeconds > instead.durationSeconds)
    addOffer(draft, { why: 'not-counted', worked, instead })
}
