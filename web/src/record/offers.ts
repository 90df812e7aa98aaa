/**
 * Offers: work of this device that another device's stop has cut off, or whose start failed. It is kept here
 * until its owner keeps it or throws it away; nothing is decided for them.
 */
import { entryFromStopped, extendEntry } from '@stint/core/record/time-entry.ts'
import { stopTimer } from '@stint/core/timer/timer.ts'

import type { Draft } from './draft.ts'
import { changeEntry } from './edits.ts'
import type { Offer } from './stored.ts'

export function offersOf(draft: Draft): readonly Offer[] {
  return draft.value('offers')?.offers ?? []
}

/** Offers a stretch of work; one of the same session takes the place of the other. */
export function addOffer(draft: Draft, offer: Offer): void {
  const { sessionId } = offer.worked
  const others = offersOf(draft).filter(({ worked }) => worked.sessionId !== sessionId)
  draft.putValue({ key: 'offers', offers: [...others, offer] })
}

/** A failed start that the banner offers to go on with is offered until `until` instead. */
export function offerFailedStart(draft: Draft, until: number): void {
  const action = draft.value('banner')?.action
  if (action?.kind !== 'track-offline') return
  const worked = stopTimer(action.timer, until)
  if (worked.durationSeconds > 0) addOffer(draft, { why: 'not-started', worked })
}

/**
 * Saves what is offered: the entry of its session is extended to it, or restored if it was deleted; without one, a new
 * one is made under `newId`.
 */
export function keepOffer(draft: Draft, offer: Offer, newId: string, now: number): void {
  dropOffer(draft, offer)
  const { worked } = offer
  const entry = offer.why === 'not-started' ? undefined : draft.entries.get(worked.sessionId)
  const { sessionId: _, ...times } = worked
  const kept =
    entry?.deletedAt === null
      ? extendEntry(entry, worked)
      : { ...(entry ?? { ...entryFromStopped(worked), id: newId }), ...times, deletedAt: null }
  changeEntry(draft, { ...kept, updatedAt: now }, now)
}

/** Throws away what is offered. */
export function dropOffer(draft: Draft, offer: Offer): void {
  const { sessionId } = offer.worked
  const offers = offersOf(draft).filter(({ worked }) => worked.sessionId !== sessionId)
  if (offers.length > 0) draft.putValue({ key: 'offers', offers })
  else draft.values.remove('offers')
}
