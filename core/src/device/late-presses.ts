/**
 * Sessions that ended elsewhere: the entry that a session has become, and what presses that came too
 * late mean for it.
 */
import {
  continuationId,
  ENTRY,
  entryFromStopped,
  hadNothingToSave,
  stoppedFromEntry,
} from '#record/time-entry.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import type { TimerSession } from '#record/timer-session.ts'
import { foldLate, pressesBetween } from '#timer/late-presses.ts'
import { mergeIntervals } from '#timer/pauses.ts'
import { fold, turnsOf } from '#timer/presses.ts'
import type { Press } from '#timer/presses.ts'
import { endTimer, reopenPause, stoppedBetween } from '#timer/timer.ts'
import type { ActiveTimer, RunningTimer, StoppedTimer } from '#timer/timer.ts'

import type { Draft, View } from './draft.ts'
import { addOffer, offersOf } from './offers.ts'
import { partsThrough } from './steps.ts'
import type { Offer } from './stored.ts'
import { MIN_CORRECTION_MILLISECONDS } from './unsure-clock.ts'

/** How a session has ended, and what presses on it since are offered in the parts that were split off. */
export interface KnownEnd {
  readonly entry: TimeEntry
  readonly offers: readonly Offer[]
}

/**
 * Returns how a session ended that still exists on the backend, or that exists again after a
 * restore from a backup. Returns null when the end is not known here. A deleted entry without any
 * time may say that a start was discarded, and a later press on the session undoes that.
 */
export function knownEnd(view: View, session: TimerSession): KnownEnd | null {
  const entry = view.entries.get(session.id)
  if (!entry) return null
  const isUntouched = session.updatedAt === session.createdAt
  if (hadNothingToSave(entry)) {
    // A start that was moved to after the end of its timer was not discarded.
    const isDiscardedStart =
      entry.endedAt === entry.startedAt &&
      entry.startedAt < session.createdAt + MIN_CORRECTION_MILLISECONDS
    const endedAt = entry.deletedAt ?? entry.endedAt
    const isUndone = isDiscardedStart && !isUntouched && session.updatedAt > endedAt
    return isUndone ? null : { entry, offers: [] }
  }
  // Another device may have paused the restored session since.
  const isPressed = session.updatedAt > entry.createdAt && session.state.kind === 'active'
  if (!isPressed || entry.deletedAt !== null) return { entry, offers: [] }
  const presses = turnsOf(session.state.timer)
  return { entry: withPresses(entry, presses), offers: offersInParts(view, entry, presses) }
}

/** Returns the end of a session that another device has stopped and not saved. */
export function endOfStopped(stopped: StoppedTimer, now: number): KnownEnd {
  const deletedAt = stopped.durationSeconds > 0 ? null : now
  return { entry: { ...entryFromStopped(stopped), deletedAt }, offers: [] }
}

/** What presses that came too late mean for the entry of their session. */
export interface LateChange {
  /** What is offered to the owner. */
  readonly offers: readonly Offer[]
  /** The entry with the presses, as it is from here on. */
  readonly next: TimeEntry
  /** Whether the change is written. Otherwise it is only offered, or the presses count elsewhere. */
  readonly isWritten: boolean
}

/**
 * Folds presses into an entry that a stop on another device has saved without them. If someone has
 * changed the entry since it was saved, the entry stays and the change is only offered. An entry
 * that is deleted or was changed here stays as it is.
 */
export function lateChange(
  view: View,
  entry: TimeEntry,
  presses: readonly Press[],
  now: number,
): LateChange {
  const stays: LateChange = { offers: [], next: entry, isWritten: false }
  const decided = view.edit('entry', entry.id)?.changedAt ?? {}
  // A local change of the times does not decide about a session with nothing to save, nor about an
  // entry that was saved later.
  const isEmpty = hadNothingToSave(entry)
  const isDeleted = entry.deletedAt !== null && !isEmpty
  const isDecided = !isEmpty && (decided['times'] ?? -Infinity) > entry.updatedAt
  const isChanged = entry.updatedAt !== entry.createdAt
  const isContinued = continuationId(view.entries.get(entry.id)) !== null
  if (isDeleted || isDecided || ('deletion' in decided && !isContinued)) return stays
  // An entry that someone has changed is kept.
  if (isChanged) return { ...stays, offers: lateOffers(view, entry, presses) }
  const next = withPresses(entry, presses)
  // If it is continued, the entry will be deleted, and what continues it has the presses.
  if (isContinued || ENTRY.differing(entry, next).length === 0) return { ...stays, next }
  const [before, after] = [stoppedFromEntry(entry), stoppedFromEntry(next)]
  const deletedAt = after.durationSeconds > 0 ? null : now
  const offer: Offer = { why: 'counted', worked: before, instead: after }
  return { offers: [offer], next: { ...next, deletedAt }, isWritten: true }
}

/** Returns offers of what late presses change in a session that someone has changed, and in its parts. */
export function lateOffers(
  view: Pick<View, 'entries' | 'edit'>,
  entry: TimeEntry,
  presses: readonly Press[],
): readonly Offer[] {
  const next = withPresses(entry, presses)
  const [before, after] = [stoppedFromEntry(entry), stoppedFromEntry(next)]
  const own: Offer = { why: 'not-counted', worked: after, instead: before, presses }
  const isSame = ENTRY.differing(entry, next).length === 0
  return [...(isSame ? [] : [own]), ...offersInParts(view, entry, presses)]
}

/**
 * Offers late presses again for a session that another device has changed since they were offered, such as by
 * a split.
 */
export function offerAgain(draft: Draft, { id }: TimeEntry): void {
  const entry = draft.entries.get(id)
  const offer = offersOf(draft).find(
    ({ why, worked }) => why === 'not-counted' && worked.sessionId === id,
  )
  if (!offer?.instead || !offer.presses || entry?.deletedAt !== null) return
  const { endedAt, startedAt } = offer.instead
  if (entry.endedAt === endedAt && entry.startedAt === startedAt) return
  for (const each of lateOffers(draft, entry, offer.presses)) addOffer(draft, each)
}

/** Returns offers of what late presses change in the parts that were split off a session. */
export function offersInParts(
  view: Pick<View, 'entries' | 'edit'>,
  entry: TimeEntry,
  presses: readonly Press[],
): readonly Offer[] {
  const parts = partsThrough(view, entry, entry.endedAt + 1)
  const all = [entry, ...parts]
  const endedAt = Math.max(...all.map((each) => each.endedAt))
  // A pause that was cut by a split is one pause.
  const intervals = parts.reduce(
    (merged, { startedAt }) => mergeIntervals(merged, startedAt),
    mergeIntervals(all.flatMap(({ pauses }) => pauses.intervals)),
  )
  const whole = { ...stoppedFromEntry(entry), endedAt, pauses: { ...entry.pauses, intervals } }
  const { pauses } = foldLate(whole, presses, entry.updatedAt)
  return parts.flatMap((part): Offer[] => {
    const instead = stoppedFromEntry(part)
    const within = { ...instead.pauses, intervals: pauses.intervals }
    const { sessionId, taskId, startedAt, endedAt } = instead
    const worked = stoppedBetween(sessionId, taskId, startedAt, endedAt, within)
    const isSame = worked.durationSeconds === instead.durationSeconds
    return isSame ? [] : [{ why: 'not-counted', worked, instead }]
  })
}

/** Returns the presses on a deleted entry that what continues it still needs. */
export function carriedPresses(entry: TimeEntry, presses: readonly Press[]): readonly Press[] {
  const before = stoppedFromEntry(entry)
  const after = foldLate(before, presses, entry.updatedAt)
  const at = Math.max(...presses.map((press) => press.at))
  const notes = presses.filter(({ kind }) => kind === 'note')
  return [...pressesBetween(before, after, at), ...notes]
}

/** The session that continues an undone stop, and the instant of the undo. */
export interface UnsentContinuation {
  readonly timer: ActiveTimer
  readonly pressedAt: number
}

/**
 * Returns the timer with which another device continues an undone stop, as of the undo. The deleted
 * entry names it, but that device may not have sent it yet. Returns null when this id continues no
 * session, or when the timer is shown here.
 */
export function unsentContinuation(
  record: Pick<View, 'value' | 'entries'>,
  id: string,
): UnsentContinuation | null {
  const ended = record.entries.all().find((each) => continuationId(each) === id)
  if (!ended || record.value('timer')?.timer.sessionId === id) return null
  const { endedAt, durationSeconds: _, ...fields } = stoppedFromEntry(ended)
  const running: RunningTimer = { ...fields, sessionId: id, status: 'running' }
  // A timer that was stopped in a pause is in that pause again.
  const isPaused = fields.pauses.intervals.at(-1)?.end === endedAt
  return {
    timer: isPaused ? reopenPause(running) : running,
    pressedAt: ended.deletedAt ?? endedAt,
  }
}

/** Returns a timer with presses on it, as a timer that was started since has ended it. */
export function endedBy(
  timer: ActiveTimer,
  presses: readonly Press[],
  { state }: TimerSession,
): StoppedTimer {
  const { startedAt } = state.kind === 'stopped' ? state.stopped : state.timer
  const folded = fold(timer, presses, -Infinity)
  return folded.kind === 'stopped' ? folded.stopped : endTimer(folded.timer, startedAt)
}

/** Returns an entry with presses that came too late. Its note stays. */
export function withPresses(entry: TimeEntry, presses: readonly Press[]): TimeEntry {
  const {
    sessionId: _,
    note: _note,
    ...times
  } = foldLate(stoppedFromEntry(entry), presses, entry.updatedAt)
  return { ...entry, ...times }
}
