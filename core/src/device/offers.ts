/**
 * Offers: work of this device that another device's stop has cut off, or whose start failed. An
 * offer stays here until its owner keeps or discards it. The program never decides about an offer.
 */
import { stoppedFromEntry } from '#record/time-entry.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import { intervalsBetween } from '#time/instant.ts'
import type { Interval } from '#time/instant.ts'
import { mergeIntervals } from '#timer/pauses.ts'
import { stoppedBetween, stopTimer, workedAfter } from '#timer/timer.ts'
import type { StoppedTimer } from '#timer/timer.ts'

import type { Draft, View } from './draft.ts'
import type { Offer } from './stored.ts'

/**
 * How long a timer without a press may continue after its end on another device, in milliseconds.
 * The news of that end takes this long.
 */
export const MAX_NEWS_MILLISECONDS = 5000

export function offersOf(record: Pick<View, 'value'>): readonly Offer[] {
  return record.value('offers')?.offers ?? []
}

/** Returns the saved entry of a session, or undefined when there is none or it is deleted. */
export function savedOf(record: Pick<View, 'entries'>, sessionId: string): TimeEntry | undefined {
  const entry = record.entries.get(sessionId)
  return entry?.deletedAt === null ? entry : undefined
}

/**
 * Adds an offer of work or of a change. It replaces an earlier offer of the same kind for the same
 * session, unless that one is of a failed start that went on for longer and of which nothing is saved.
 */
export function addOffer(draft: Draft, offer: Offer): void {
  const offers = offersOf(draft)
  const others = offers.filter((each) => !isOfSame(each, offer))
  const { endedAt, sessionId } = offer.worked
  const longer = offers.find(
    (each) => isOfSame(each, offer) && each.why === 'not-started' && each.worked.endedAt > endedAt,
  )
  const isKept = longer && offer.why !== 'not-started' && !savedOf(draft, sessionId)
  const next = isKept ? { ...longer, presses: offer.presses } : offer
  draft.putValue({ key: 'offers', offers: [...others, next] })
}

/** Offers work of a session, together with work of it that is offered already. */
export function offerWork(draft: Draft, why: 'went-on' | 'ran-on', worked: StoppedTimer): void {
  const offer = offersOf(draft).find(
    (each) => each.worked.sessionId === worked.sessionId && !each.instead,
  )
  const all = offer ? withWorkOf(worked, offer.worked) : worked
  addOffer(draft, { ...offer, why, worked: all })
}

/** Returns the work of both, which may overlap. The time between them is a pause. */
function withWorkOf(one: StoppedTimer, other: StoppedTimer): StoppedTimer {
  const { sessionId, taskId, pauses } = one
  const startedAt = Math.min(one.startedAt, other.startedAt)
  const endedAt = Math.max(one.endedAt, other.endedAt)
  const spans = mergeIntervals([...workedIn(one), ...workedIn(other)])
  const intervals = intervalsBetween(spans, { start: startedAt, end: endedAt })
  return stoppedBetween(sessionId, taskId, startedAt, endedAt, { ...pauses, intervals })
}

function workedIn({ pauses, startedAt, endedAt }: StoppedTimer): Interval[] {
  return intervalsBetween(pauses.intervals, { start: startedAt, end: endedAt })
}

/**
 * Returns whether two offers belong to the same session and are both about work or both about the
 * same presses.
 */
export function isOfSame(one: Offer, other: Offer): boolean {
  const about = [one, other].map(({ why, instead }) => (instead ? why : 'work'))
  return one.worked.sessionId === other.worked.sessionId && new Set(about).size === 1
}

/**
 * Turns a failed start, which the banner offers to continue, into an offer of work up to `until`. An
 * offer of no time is not shown, but it has time after the correction of a clock that was set back.
 */
export function offerFailedStart(draft: Draft, until: number): void {
  const action = draft.value('banner')?.action
  if (action?.kind !== 'track-offline') return
  addOffer(draft, { why: 'not-started', worked: stopTimer(action.timer, until) })
}

/**
 * Makes offers for a session that ended later on another device than here. The session can be
 * shortened to the stop from here. If the local change of its times stays, the later work from the
 * other device is offered.
 */
export function offerEnds(draft: Draft, stopped: StoppedTimer, entry: TimeEntry): void {
  const here = draft.entries.get(entry.id)
  if (!here || here.deletedAt !== null || stopped.endedAt >= entry.endedAt) return
  if (here.endedAt < entry.endedAt) {
    const worked = workedAfter(stoppedFromEntry(entry), stopped.endedAt)
    if (worked.durationSeconds > 0) offerWork(draft, 'ran-on', worked)
  } else if (entry.endedAt - stopped.endedAt > MAX_NEWS_MILLISECONDS) {
    const instead = stoppedFromEntry(here)
    const { sessionId, taskId, startedAt, pauses } = instead
    // An earlier stop may be offered already, for an earlier state of the session.
    const earlier = offersOf(draft).find(
      ({ why, worked }) => why === 'not-stopped' && worked.sessionId === sessionId,
    )
    const stoppedAt = Math.min(stopped.endedAt, earlier?.worked.endedAt ?? Infinity)
    const endedAt = Math.max(startedAt, stoppedAt)
    const worked = stoppedBetween(sessionId, taskId, startedAt, endedAt, pauses)
    addOffer(draft, { why: 'not-stopped', worked, instead })
  }
}
