/**
 * Offers: work of this device that another device's stop has cut off, or whose start failed. It is kept here
 * until its owner keeps it or throws it away; nothing is decided for them.
 */
import { stopTimer } from '@stint/core/timer/timer.ts'

import type { Draft } from './draft.ts'
import type { Offer } from './stored.ts'

export function offersOf(draft: Draft): readonly Offer[] {
  return draft.value('offers')?.offers ?? []
}

/** Offers a stretch of work, or a change; one of the same session takes the place of the other. */
export function addOffer(draft: Draft, offer: Offer): void {
  const others = offersOf(draft).filter((each) => !isOfSame(each, offer))
  draft.putValue({ key: 'offers', offers: [...others, offer] })
}

/** Whether they are about the same session, and both about work or both about the same presses. */
export function isOfSame(one: Offer, other: Offer): boolean {
  const about = [one, other].map(({ why, instead }) => (instead ? why : 'work'))
  return one.worked.sessionId === other.worked.sessionId && new Set(about).size === 1
}

/** A failed start that the banner offers to go on with is offered until `until` instead. */
export function offerFailedStart(draft: Draft, until: number): void {
  const action = draft.value('banner')?.action
  if (action?.kind !== 'track-offline') return
  const worked = stopTimer(action.timer, until)
  if (worked.durationSeconds > 0) addOffer(draft, { why: 'not-started', worked })
}
