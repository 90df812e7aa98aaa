/**
 * Takes in a thing that another device has sent again, after the backend was restored from a backup.
 * What that device did not know stays.
 */
import {
  continuationId,
  hadNothingToSave,
  isUnconfirmed,
  stoppedFromEntry,
} from '#record/time-entry.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import { turnsOf } from '#timer/presses.ts'
import { workedAfter } from '#timer/timer.ts'
import type { Press } from '#timer/presses.ts'
import type { StoppedTimer } from '#timer/timer.ts'

import { continuationOf, uncountedBy } from './continuation.ts'
import { carryOverLost } from './correct-continuation.ts'
import type { Draft } from './draft.ts'
import { isStopping, keepUnsent, RULES } from './edits.ts'
import { foldForgotten } from './forgotten.ts'
import { lateOffers, withPresses } from './late-presses.ts'
import { lostMoves } from './moved-starts.ts'
import { addOffer, offerEnds, offerWork } from './offers.ts'
import { compareAgain, isCreatedAgain } from './restored-backend.ts'
import { giveWayToSplit, isPart, isSplitOtherwise, partsAfter } from './steps.ts'
import type { Edit, Editable, Kind } from './stored.ts'
import { supersededParts } from './superseded.ts'

/** A thing that another device has sent again, as this device knew and changed it. */
interface SentAgain<K extends Kind> {
  readonly here: Editable[K]
  readonly remote: Editable[K]
  readonly edit: Edit<K> | undefined
}

/**
 * Keeps what a device did not know that has sent a thing again, after the backend was restored from a
 * backup: a deletion, a note, a pause, a split, and the work of a session that had nothing to save
 * there. Work after the end of either, and work after a lost resume, is offered.
 */
export function keepKnown<K extends Kind>(
  draft: Draft,
  kind: K,
  id: string,
  { here, remote, edit }: SentAgain<K>,
): void {
  const { parts, deletion } = RULES[kind]
  const news = parts.stamps(remote)
  if (!news || !isCreatedAgain(parts, here, remote) || isStopping(draft, id)) return
  compareAgain(draft, kind)
  const part = deletion(here)
  // A part that is as the backend had it, or as this device has sent it, was not changed elsewhere.
  const known = [...(edit?.base ? [edit.base] : []), ...(edit?.sent ?? [])]
  const isKept = (each: string) =>
    edit?.changedAt[each] !== undefined &&
    (edit.changedAt[each] > news.updatedAt ||
      known.some((state) => !parts.differing(state, remote).includes(each)))
  const stays = parts.differing(here, remote).filter(isKept)
  if (part !== null && deletion(remote) === null) stays.push(part)
  // The other device had not heard of the last change of these parts.
  const outdated = supersededParts(draft, kind, id, { here, remote, base: edit?.base ?? null })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the things have this kind
  const [entry, again] = kind === 'entry' ? ([here, remote] as TimeEntry[]) : []
  if (entry && again) keepKnownEntry(draft, entry, again, { stays, outdated })
  else keepParts(draft, kind, id, { here, remote, stays: [...stays, ...outdated] })
}

/**
 * Keeps what another device did not know of an entry, beside the parts that stay anyway. What continues
 * the session counts also what is outdated in the entry.
 */
function keepKnownEntry(
  draft: Draft,
  entry: TimeEntry,
  again: TimeEntry,
  { stays, outdated }: { readonly stays: readonly string[]; readonly outdated: readonly string[] },
): void {
  const isOver = continuationId(again) !== null || isSplitOtherwise(draft, again)
  const isHere = entry.deletedAt === null && !isOver
  const halves = isHere ? partsAfter(draft, entry, again.endedAt) : []
  const lost = lostWork(entry, again)
  const isMovedBack = lostMoves(draft, stoppedFromEntry(again), again.updatedAt).length > 0
  const kept = [
    ...stays,
    ...(continuationId(again) === null ? outdated : []),
    ...(lost ? ['deletion'] : []),
    ...(entry.note !== null && again.note === null ? ['note'] : []),
    ...(lost || isMovedBack || halves.length > 0 ? ['times'] : []),
  ]
  keepParts(draft, 'entry', entry.id, { here: lost ?? entry, remote: again, stays: kept })
  if (isPart(entry) && !kept.includes('times')) giveWayToSplit(draft, entry, again)
  carryOverLost(draft, entry, again)
  offerAfterContinuation(draft, entry, again)
  if (!outdated.includes('times')) offerKnown(draft, entry, again, kept.includes('times'))
  // The device that had nothing to save does not learn that the work was lost. So this one asks.
  if (lost) offerEnds(draft, stoppedFromEntry(again), lost)
}

/**
 * Returns the entry of a session that another device has ended with nothing to save, or null if
 * nothing was lost. The pauses of the other device count.
 */
export function lostWork(entry: TimeEntry, again: TimeEntry): TimeEntry | null {
  if (entry.deletedAt !== null || !hadNothingToSave(again)) return null
  const work = withPresses(entry, pressesOf(stoppedFromEntry(again)))
  return work.durationSeconds > 0 ? work : null
}

/** Keeps these parts of a thing, as changes of the state that the backend has now. */
function keepParts<K extends Kind>(
  draft: Draft,
  kind: K,
  id: string,
  {
    here,
    remote,
    stays,
  }: Pick<SentAgain<K>, 'here' | 'remote'> & { readonly stays: readonly string[] },
): void {
  const { parts, put } = RULES[kind]
  const at = parts.stamps(remote)?.updatedAt ?? 0
  if (stays.length === 0) return
  put(draft, id, parts.take(remote, here, stays))
  const changedAt = Object.fromEntries(stays.map((each) => [each, at]))
  const unsent = { base: remote, changedAt, sent: [] }
  keepUnsent(draft, { kind, id, refused: null, isHidden: false }, unsent)
}

/**
 * Offers work with which a device has saved a session again that was continued under another id. It
 * had not heard of that, and worked longer than what continues the session, or in a pause of that.
 */
export function offerAfterContinuation(draft: Draft, entry: TimeEntry, again: TimeEntry): void {
  if (!isLostUndone(entry, again)) return
  const continuation = continuationOf(draft, entry)
  if (!continuation) return
  const worked = uncountedBy(continuation, stoppedFromEntry(again))
  if (worked.durationSeconds > 0) addOffer(draft, { why: 'ran-on', worked })
}

/** Returns whether the stop of a saved session was undone here, and it was saved again without that. */
export function isLostUndone(here: TimeEntry, again: TimeEntry): boolean {
  return !isUnconfirmed(here) && continuationId(here) !== null && again.deletedAt === null
}

/**
 * Counts the known pauses of a session that a device has saved again, and offers the work after the
 * end of either. `isDecidedHere` means that the times from here stay.
 */
export function offerKnown(
  draft: Draft,
  known: TimeEntry,
  again: TimeEntry,
  isDecidedHere: boolean,
): void {
  if (known.deletedAt !== null && !hadNothingToSave(known)) return
  if (!isDecidedHere) foldForgotten(draft, pressesOf(stoppedFromEntry(known)), again)
  const halves = known.deletedAt === null ? partsAfter(draft, known, again.endedAt) : []
  const stopped = { ...stoppedFromEntry(known), endedAt: latestEnd([known, ...halves]) }
  // A session that was shifted here ends later, but it is not to be shortened.
  const endsBefore = Number(draft.entries.get(known.id)?.endedAt) < again.endedAt
  if (!isDecidedHere || endsBefore) offerEnds(draft, stopped, again)
  if (isDecidedHere) return offerLaterTurns(draft, again)
  // The other device may have split the session. Its parts count.
  const countedUntil = latestEnd([again, ...partsAfter(draft, again, known.endedAt)])
  const after = workedAfter(stoppedFromEntry(known), countedUntil)
  // What continues the session leaves this work out, unless it counts there.
  const isKept = again.deletedAt === null || continuationId(again) !== null
  if (after.durationSeconds > 0 && isKept) offerWork(draft, 'went-on', after)
}

/** Offers the work after a resume elsewhere that the times from here, which stay, leave in a pause. */
function offerLaterTurns(draft: Draft, again: TimeEntry): void {
  const entry = draft.entries.get(again.id)
  if (!entry || entry.deletedAt !== null) return
  for (const offer of lateOffers(draft, entry, pressesOf(stoppedFromEntry(again))))
    if (offer.worked.durationSeconds > Number(offer.instead?.durationSeconds))
      addOffer(draft, offer)
}

/**
 * Returns the entry as the backend had it, or as it is here if it ends later here, such as after a
 * split that was undone.
 */
export function longer(base: TimeEntry, here: TimeEntry): TimeEntry {
  return here.deletedAt === null && here.endedAt > base.endedAt ? here : base
}

/** Returns when the last of these entries ends. */
export function latestEnd(entries: readonly TimeEntry[]): number {
  return Math.max(...entries.map(({ endedAt }) => endedAt))
}

/** Returns the presses of a stopped session. A pause that lasts until the stop was not resumed. */
export function pressesOf(stopped: StoppedTimer): readonly Press[] {
  const turns = turnsOf({ ...stopped, status: 'running' })
  const { endedAt } = stopped
  return [...turns.filter(({ at }) => at < endedAt), { kind: 'stop', at: endedAt }]
}
