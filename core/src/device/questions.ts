/**
 * The owner's answers to the timer's questions: about unfinished sessions, unsaved work and time
 * away.
 */
import { ENTRY, entryFromStopped, extendEntry, stoppedFromEntry } from '#record/time-entry.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import type { TimerSession } from '#record/timer-session.ts'
import { foldLate } from '#timer/late-presses.ts'
import { takenOut } from '#timer/presses.ts'
import { endTimer, stoppedBetween, workedAfter } from '#timer/timer.ts'
import type { StoppedTimer } from '#timer/timer.ts'

import type { Draft, View } from './draft.ts'
import { changeEntry, deleteEntry } from './edits.ts'
import { gapsOf } from './gaps.ts'
import { uncountedWork } from './continuation.ts'
import { isOfSame, offersOf, savedOf } from './offers.ts'
import { press } from './press.ts'
import { endWithoutGap, partsAfter } from './steps.ts'
import type { Gap, Offer } from './stored.ts'
import { save, stopActive } from './timer.ts'

/** Saves a session from the backend as if it had been stopped at `endedAt`. */
export function finishSession(draft: Draft, session: TimerSession, endedAt: number): void {
  save(draft, stoppedAt(session, endedAt), session)
  forgetUnfinished(draft, session.id)
}

/**
 * Discards a session. Its entry is kept as deleted, so that another device that still shows the
 * timer learns that the session was discarded.
 */
export function discardSession(draft: Draft, session: TimerSession, now: number): void {
  const isSaved = draft.entries.get(session.id) !== undefined
  save(draft, stoppedAt(session, now), session, !isSaved)
  const entry = draft.entries.get(session.id)
  if (entry && isSaved) deleteEntry(draft, entry, now)
  // The stop is sent as a deleted entry, so this deletion needs no edit.
  else if (entry) draft.entries.put({ ...entry, deletedAt: now, updatedAt: now })
  forgetUnfinished(draft, session.id)
}

/**
 * Continues an unfinished session in its current state. An active timer is stopped first, even if
 * it was started on another device.
 */
export function resumeSession(draft: Draft, session: TimerSession, now: number): void {
  if (session.state.kind === 'stopped') return
  const { timer } = session.state
  stopActive(draft, now)
  draft.putValue({ key: 'timer', timer, phase: 'offline', device: session.device, base: null })
  draft.addOperation({ kind: 'start', timer, pressedAt: now, keepTrying: true })
  forgetUnfinished(draft, session.id)
}

/**
 * Returns the offers that still apply. The work of a start that failed is offered without what
 * another device has saved of it: the session had been created, and only the answer was lost. Work that
 * continued after an undone stop is offered without what counts there. Work after an end elsewhere is
 * offered without a part after a gap, which may be one of another session, until that is known.
 */
export function openOffers(record: Pick<View, 'value' | 'entries' | 'edit'>): readonly Offer[] {
  const offers = offersOf(record).map((offer) => {
    const { sessionId } = offer.worked
    const saved = savedOf(record, sessionId)
    if (offer.why === 'not-stopped' && saved) return shortenedAsSaved(offer, saved)
    if (offer.why === 'not-counted') return countedAsSaved(offer, record.entries.get(sessionId))
    if (offer.why === 'went-on' && saved) return withoutStrangeParts(record, offer, saved)
    if (offer.why !== 'not-started' || !saved)
      return offer.instead ? offer : { ...offer, worked: uncountedWork(record, offer.worked) }
    return { ...offer, worked: workedAfter(offer.worked, saved.endedAt) }
  })
  return offers.filter((offer) => isOfferOpen(record, offer))
}

function withoutStrangeParts(
  record: Pick<View, 'value' | 'entries' | 'edit'>,
  offer: Offer,
  saved: TimeEntry,
): Offer {
  const parts = partsAfter(record, saved, offer.worked.endedAt)
  const end = endWithoutGap(saved, parts)
  // Another session of the task may have ended where a part begins, before it was trimmed or deleted.
  const states = record.value('superseded')?.states ?? []
  const isOfOther = ({ taskId, startedAt }: TimeEntry) =>
    states.some(
      ({ kind, id, thing }) =>
        kind === 'entry' &&
        id !== saved.id &&
        thing.taskId === taskId &&
        thing.endedAt === startedAt,
    )
  const strange = parts.filter((part) => part.endedAt > end && !isOfOther(part))
  const countedUntil = Math.max(...strange.map(({ endedAt }) => endedAt))
  return { ...offer, worked: workedAfter(offer.worked, countedUntil) }
}

/**
 * Returns an offer to shorten a session with the pauses that the session has now. A pause that another
 * device adds does not answer the question.
 */
function shortenedAsSaved(offer: Offer, saved: TimeEntry): Offer {
  const { worked, instead } = offer
  const isSame = saved.endedAt === instead?.endedAt && saved.startedAt === instead.startedAt
  if (!isSame) return offer
  const { sessionId, startedAt, endedAt } = worked
  const shortened = stoppedBetween(sessionId, saved.taskId, startedAt, endedAt, saved.pauses)
  return { ...offer, worked: shortened, instead: stoppedFromEntry(saved) }
}

/**
 * Returns an offer of late presses with these presses on the session as it is now. A press that another
 * device adds does not answer the question.
 */
function countedAsSaved(offer: Offer, entry: TimeEntry | undefined): Offer {
  const { presses, instead } = offer
  const isSame = entry?.startedAt === instead?.startedAt && entry?.endedAt === instead?.endedAt
  if (!entry || !presses || !isSame) return offer
  const saved = stoppedFromEntry(entry)
  return { ...offer, worked: foldLate(saved, presses, entry.updatedAt), instead: saved }
}

/**
 * Saves an offer. The entry of its session is extended by the work, or restored if it was deleted.
 * Without an entry, a new one is made under `newId`. An offer about presses that came too late
 * turns the session into the state that its button names.
 */
export function keepOffer(draft: Draft, offer: Offer, newId: string, now: number): void {
  const isOpen = isOfferOpen(draft, offer)
  dropOffer(draft, offer)
  // The session has changed since the offer, and that change is kept.
  if (!isOpen) return
  const { worked } = offer
  const { sessionId } = worked
  const entry =
    offer.why === 'not-started' ? savedOf(draft, sessionId) : draft.entries.get(sessionId)
  const { sessionId: _, note, ...times } = worked
  const deletedAt = worked.durationSeconds > 0 ? null : now
  const kept =
    entry?.deletedAt === null && !offer.instead
      ? extendEntry(entry, worked)
      : {
          ...(entry ?? { ...entryFromStopped(worked), id: newId }),
          ...times,
          note: entry?.note ?? note ?? null,
          deletedAt,
        }
  changeEntry(draft, { ...kept, updatedAt: now }, now)
}

/** Removes an offer. */
export function dropOffer(draft: Draft, offer: Offer): void {
  const offers = offersOf(draft).filter((each) => !isOfSame(each, offer))
  if (offers.length > 0) draft.putValue({ key: 'offers', offers })
  else draft.values.remove('offers')
}

/**
 * Returns whether an offer still applies. An offer to change a session applies while the session is
 * as the offer found it. An offer of work applies unless a session that continues after an undone
 * stop counts that work.
 */
function isOfferOpen(
  record: Pick<View, 'value' | 'entries'>,
  { why, worked, instead }: Offer,
): boolean {
  const { entries } = record
  if (!instead) return uncountedWork(record, worked).durationSeconds > 0
  const entry = entries.get(worked.sessionId)
  if (!entry || (entry.deletedAt !== null && instead.durationSeconds > 0)) return false
  // A session that ended later in a pause loses no time when it is shortened.
  const isIdle = why === 'not-stopped' && worked.durationSeconds === instead.durationSeconds
  return isAs(entry, instead) && !isAs(entry, worked) && !isIdle
}

/** Returns whether an entry has the times of a stopped timer. */
function isAs(entry: TimeEntry, stopped: StoppedTimer): boolean {
  const { startedAt, endedAt, taskId, pauses, durationSeconds } = stopped
  const times = { startedAt, endedAt, taskId, pauses, durationSeconds }
  return ENTRY.differing(entry, { ...entry, ...times }).length === 0
}

/** Counts the gap as work and removes it, so that it is not asked about again. */
export function keepGap(draft: Draft, gap: Gap): void {
  const gaps = gapsOf(draft).filter(
    (each) => each.sessionId !== gap.sessionId || each.start !== gap.start,
  )
  draft.putValue({ key: 'gaps', gaps })
}

/**
 * Removes the gap from `from` on. That stretch becomes a pause of the timer, here and on the
 * backend.
 */
export function takeOutGap(draft: Draft, gap: Gap, from: number): void {
  keepGap(draft, gap)
  const { sessionId, start, end } = gap
  press(draft, takenOut(Math.max(from, start), end), sessionId)
}

/**
 * Returns the session as if it had been stopped at `endedAt`, which may lie before its current
 * pause.
 */
export function stoppedAt(session: TimerSession, endedAt: number): StoppedTimer {
  const { state } = session
  return state.kind === 'stopped' ? state.stopped : endTimer(state.timer, endedAt)
}

/** Removes the recovery card of a session that is over or continues. */
export function forgetUnfinished(draft: Draft, sessionId: string): void {
  const record = draft.value('unfinished')
  const left = record?.sessions.filter((session) => session.id !== sessionId) ?? []
  if (left.length > 0) draft.putValue({ key: 'unfinished', sessions: left })
  else draft.values.remove('unfinished')
}
