/**
 * Takes in remote data and rebases local changes onto it
 * (docs/decisions/0111-edits-are-differences-to-a-base.md).
 */
import { answered, rebase } from '#record/rebase.ts'
import {
  continuationId,
  entryFromStopped,
  extendEntry,
  hadNothingToSave,
  stoppedFromEntry,
} from '#record/time-entry.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import type { Parts } from '#record/unsent.ts'
import { turnsOf } from '#timer/presses.ts'
import { workedAfter } from '#timer/timer.ts'
import type { Press } from '#timer/presses.ts'
import type { StoppedTimer } from '#timer/timer.ts'

import { carryOverFrom, continuationOf, joinElsewhere } from './continuation.ts'
import { editKey } from './draft.ts'
import type { Draft } from './draft.ts'
import { isEditOf, isStopping, keepUnsent, RULES, unsentOf } from './edits.ts'
import { foldForgotten } from './forgotten.ts'
import { addOffer, offerEnds, offersOf } from './offers.ts'
import { withPresses } from './late-presses.ts'
import { isNews, noteOverlaps } from './overlaps.ts'
import { compareAgain } from './restored-backend.ts'
import { supersede, supersededParts } from './superseded.ts'
import {
  isHalfElsewhere,
  isSplitElsewhere,
  isSplitOtherwise,
  partsAfter,
  takeBackStep,
} from './steps.ts'
import type { Edit, Editable, Kind } from './stored.ts'

/**
 * Takes in a thing from the backend, from a pull or an event. A part that changed only here stays.
 * Of a part that changed on both sides, the later change stays. An event may arrive late, and an
 * older state changes nothing.
 */
export function takeIn<K extends Kind>(
  draft: Draft,
  kind: K,
  id: string,
  remote: Editable[K],
): void {
  const { parts, get, put } = RULES[kind]
  const known = draft.edit(kind, id)
  const here = get(draft, id)
  // The answer to the stop decides, by what the change was made of.
  if (known && isStopping(draft, id)) return
  // Another device has sent a lost thing again first.
  if (known && isSentAgain(parts, known, here, remote)) draft.edits.remove(editKey(known))
  const edit = draft.edit(kind, id)
  if (edit && here !== undefined) {
    const isAgain = edit.base !== null && isCreatedAgain(parts, edit.base, remote)
    if (isAgain) compareAgain(draft, kind)
    else if (edit.base && isLater(parts, edit.base, remote)) supersede(draft, kind, id, edit.base)
    // An event of an earlier state decides nothing, even if its times are those of here.
    const news = isOlder(parts, edit.base, remote) ? null : entryNews(edit, here, remote)
    if (news && carryOverFrom(draft, news.edit, news.remote)) return
    const unsentHere = unsentOf(edit)
    let { changedAt } = unsentHere
    if (news) changedAt = joinContinuation(draft, news) ? {} : decidedHere(draft, news)
    const { value, unsent } = rebase(parts, { ...unsentHere, changedAt }, here, remote)
    put(draft, id, value)
    keepUnsent(draft, edit, unsent)
    const changed: readonly string[] = parts.differing(here, value)
    const isDecided = changed.includes('times') || changed.includes('deletion')
    // A continued session counts the whole time, also the second half of a split.
    const isOver =
      isDecided || (news && (isSameElsewhere(draft, news) || continuationId(news.remote)))
    // What continues a session that was split first does so without the second half. A step that has
    // arrived stays, whatever became of a part since.
    const hasArrived = edit.base === null && isFromHere(edit, remote)
    if (news && isOver && continuationId(news.here) === null && !hasArrived)
      takeBackStep(draft, news.edit, isAgain)
    const before = isAgain && news?.edit.base
    if (before)
      offerKnown(draft, longer(before, news.here), news.remote, !changed.includes('times'))
  } else if (here === undefined || (isOther(parts, here, remote) && !isStopping(draft, id, true))) {
    put(draft, id, remote)
    if (here === undefined) return
    if (isLater(parts, here, remote)) supersede(draft, kind, id, here)
    keepKnown(draft, kind, id, { here, remote, edit: known })
  }
}

/**
 * Returns whether another device has sent a lost thing again of which nothing was changed here, or at
 * most the note or the task of an entry.
 */
function isSentAgain<K extends Kind>(
  parts: Parts<Editable[K]>,
  { kind, base, changedAt }: Edit<K>,
  here: Editable[K] | undefined,
  remote: Editable[K],
): boolean {
  const changed = Object.keys(changedAt)
  if (base === null && changed.length === 0) return true
  const isDecided = changed.includes('times') || changed.includes('deletion')
  if (here === undefined || kind !== 'entry' || isDecided) return false
  return isCreatedAgain(parts, base ?? here, remote)
}

/** News of an entry that is edited here. */
interface EntryNews {
  readonly edit: Edit<'entry'>
  readonly here: TimeEntry
  readonly remote: TimeEntry
}

/** Returns the news as those of an entry, or null when the edit is of something else. */
function entryNews(edit: Edit, here: Editable[Kind], remote: Editable[Kind]): EntryNews | null {
  if (!isEditOf('entry', edit)) return null
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the things have the kind of the edit
  return { edit, here: here as TimeEntry, remote: remote as TimeEntry }
}

/**
 * Returns whether another device has given an entry the same times as this one, for example by a
 * split at the same moment.
 */
function isSameElsewhere(draft: Draft, { edit, here, remote }: EntryNews): boolean {
  const { base, sent, changedAt } = edit
  if (base === null || changedAt['times'] === undefined) return false
  const isOther = (known: TimeEntry) => RULES.entry.parts.differing(known, remote).includes('times')
  if (isOther(here)) return false
  return [base, ...sent].every(isOther) || isHalfElsewhere(draft, edit, remote)
}

/**
 * Joins the session with which another device continues the same stop. Of two deletions that name
 * what continues the entry, the one that the backend had first counts. Returns whether it was joined.
 */
function joinContinuation(draft: Draft, { here, remote }: EntryNews): boolean {
  const [named, namedThere] = [continuationId(here), continuationId(remote)]
  const isOther = named !== null && namedThere !== null && named !== namedThere
  return isOther && joinElsewhere(draft, named, namedThere)
}

/**
 * Returns when each part was changed here, without the times that lost against a split on another
 * device. A deletion that names what continues the entry stays over one that does not. The note of a
 * lost session stays if another device has saved the session again without it.
 */
function decidedHere(draft: Draft, news: EntryNews): Edit['changedAt'] {
  const { edit, here, remote } = news
  const { changedAt } = edit
  if (continuationId(here) !== null && continuationId(remote) === null && remote.deletedAt !== null)
    return { ...changedAt, deletion: remote.updatedAt + 1 }
  const decided = timesDecidedHere(draft, news)
  return lacksNote(news) ? { ...decided, note: remote.updatedAt + 1 } : decided
}

function timesDecidedHere(draft: Draft, { edit, remote }: EntryNews): Edit['changedAt'] {
  const { base, changedAt } = edit
  const { times: madeAt, ...others } = changedAt
  if (base !== null) return isSplitElsewhere(draft, edit, remote) ? others : changedAt
  // Another device has made the same half of a split. Only the times of that half were decided here.
  const parts = Object.entries(changedAt)
  return Object.fromEntries(parts.filter(([part, at]) => part === 'times' || at !== madeAt))
}

/**
 * Returns whether a new thing that the backend has is an earlier try of this device, or may be a later
 * state of it. A thing that was never changed since it was created, and differs from every try, is another
 * device's.
 */
export function isFromHere<K extends Kind>({ kind, sent }: Edit<K>, remote: Editable[K]): boolean {
  const { parts } = RULES[kind]
  const stamps = parts.stamps(remote)
  const isChanged = stamps?.createdAt !== stamps?.updatedAt
  const isTry = (each: Editable[K]) => !parts.differing(each, remote).includes('times')
  return sent.length > 0 && (isChanged || sent.some(isTry))
}

/** A thing that another device has sent again, as this device knew and changed it. */
interface SentAgain<K extends Kind> {
  readonly here: Editable[K]
  readonly remote: Editable[K]
  readonly edit: Edit<K> | undefined
}

/**
 * Returns whether another device has saved a session again without its note, because the backend had
 * lost the session and that device had not heard of the note.
 */
function lacksNote({ edit: { base }, here, remote }: EntryNews): boolean {
  // Two devices may make the same half of a split, and its note may be erased on one of them.
  const isAgain =
    base === null ? here.sessionId !== null : isCreatedAgain(RULES.entry.parts, base, remote)
  return isAgain && here.note !== null && remote.note === null
}

/**
 * Keeps what a device did not know that has sent a thing again, after the backend was restored from a
 * backup: a deletion, a note, a pause, a split, and the work of a session that had nothing to save
 * there. Work after the end of either, and work after a lost resume, is offered.
 */
function keepKnown<K extends Kind>(
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
  const isKept = (each: string) =>
    edit?.changedAt[each] !== undefined &&
    (edit.changedAt[each] > news.updatedAt ||
      (edit.base !== null && !parts.differing(edit.base, remote).includes(each)))
  const stays = parts.differing(here, remote).filter(isKept)
  if (part !== null && deletion(remote) === null) stays.push(part)
  // The other device had not heard of the last change of these parts.
  const outdated = supersededParts(draft, kind, id, { here, remote })
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
  const kept = [
    ...stays,
    ...(continuationId(again) === null ? outdated : []),
    ...(lost ? ['deletion'] : []),
    ...(entry.note !== null && again.note === null ? ['note'] : []),
    ...(lost || halves.length > 0 ? ['times'] : []),
  ]
  keepParts(draft, 'entry', entry.id, { here: lost ?? entry, remote: again, stays: kept })
  offerAfterContinuation(draft, entry, again)
  if (!outdated.includes('times')) offerKnown(draft, entry, again, kept.includes('times'))
  // The device that had nothing to save does not learn that the work was lost. So this one asks.
  if (lost) offerEnds(draft, stoppedFromEntry(again), lost)
}

/**
 * Returns the entry of a session that another device has ended with nothing to save, or null if
 * nothing was lost. The pauses of the other device count.
 */
function lostWork(entry: TimeEntry, again: TimeEntry): TimeEntry | null {
  if (entry.deletedAt !== null || !hadNothingToSave(again)) return null
  const work = withPresses(entry, pressesOf(again))
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
 * had not heard of that, and worked longer than what continues the session.
 */
function offerAfterContinuation(draft: Draft, entry: TimeEntry, again: TimeEntry): void {
  if (again.deletedAt !== null || continuationId(entry) === null) return
  const continuation = continuationOf(draft, entry)
  if (!continuation) return
  const worked = workedAfter(stoppedFromEntry(again), continuation.endedAt)
  if (worked.durationSeconds > 0) addOffer(draft, { why: 'ran-on', worked })
}

/**
 * Counts the known pauses of a session that a device has saved again, and offers the work after the
 * end of either. `isDecidedHere` means that the times from here stay.
 */
function offerKnown(
  draft: Draft,
  known: TimeEntry,
  again: TimeEntry,
  isDecidedHere: boolean,
): void {
  if (known.deletedAt !== null && !hadNothingToSave(known)) return
  if (!isDecidedHere) foldForgotten(draft, pressesOf(known), again)
  const halves = known.deletedAt === null ? partsAfter(draft, known, again.endedAt) : []
  const stopped = { ...stoppedFromEntry(known), endedAt: latestEnd([known, ...halves]) }
  // A session that was shifted here ends later, but it is not to be shortened.
  const endsBefore = Number(draft.entries.get(known.id)?.endedAt) < again.endedAt
  if (!isDecidedHere || endsBefore) offerEnds(draft, stopped, again)
  if (isDecidedHere) return
  // The other device may have split the session. Its parts count.
  const countedUntil = latestEnd([again, ...partsAfter(draft, again, known.endedAt)])
  const after = workedAfter(stoppedFromEntry(known), countedUntil)
  if (after.durationSeconds > 0 && again.deletedAt === null) offerWorkAgain(draft, after)
}

/**
 * Returns the entry as the backend had it, or as it is here if it ends later here, such as after a
 * split that was undone.
 */
function longer(base: TimeEntry, here: TimeEntry): TimeEntry {
  return here.deletedAt === null && here.endedAt > base.endedAt ? here : base
}

/** Returns when the last of these entries ends. */
export function latestEnd(entries: readonly TimeEntry[]): number {
  return Math.max(...entries.map(({ endedAt }) => endedAt))
}

/** Offers work after the end of a session, together with later work that is offered already. */
function offerWorkAgain(draft: Draft, worked: StoppedTimer): void {
  const offer = offersOf(draft).find(
    (each) => each.worked.sessionId === worked.sessionId && !each.instead,
  )
  const all = offer ? extendEntry(entryFromStopped(worked), offer.worked) : null
  addOffer(draft, { ...offer, why: 'went-on', worked: all ? stoppedFromEntry(all) : worked })
}

/** Returns the presses of a saved session. A pause that lasts until the stop was not resumed. */
function pressesOf(entry: TimeEntry): readonly Press[] {
  const turns = turnsOf({ ...stoppedFromEntry(entry), status: 'running' })
  const { endedAt } = entry
  return [...turns.filter(({ at }) => at < endedAt), { kind: 'stop', at: endedAt }]
}

/** Takes in the backend's answer to a sent thing. Later local changes stay. */
export function takeAnswer<K extends Kind>(
  draft: Draft,
  kind: K,
  id: string,
  answer: Editable[K],
): void {
  const { parts, get, put } = RULES[kind]
  const edit = draft.edit(kind, id)
  const here = get(draft, id)
  // An event may already have shown that the thing arrived, and also later changes from other
  // devices.
  if (!edit || here === undefined) {
    const isFirst = kind === 'entry' && isNews(draft, id)
    takeIn(draft, kind, id, answer)
    const entry = isFirst && draft.entries.get(id)
    if (entry) noteOverlaps(draft, [entry], draft.entries.all())
    return
  }
  if (edit.base !== null && isCreatedAgain(parts, edit.base, answer)) compareAgain(draft, kind)
  if (edit.base && isLater(parts, edit.base, answer)) supersede(draft, kind, id, edit.base)
  const { value, unsent } = answered(parts, unsentOf(edit), here, answer)
  put(draft, id, value)
  keepUnsent(draft, edit, unsent)
}

/** Returns whether `remote` was created under the id of a known thing, which the backend had lost. */
function isCreatedAgain<T>(parts: Parts<T>, known: T, remote: T): boolean {
  const [stamps, news] = [parts.stamps(known), parts.stamps(remote)]
  return stamps !== null && news !== null && news.createdAt > stamps.createdAt
}

/** Returns whether `remote` is a later state of a thing that the backend still has. */
function isLater<T>(parts: Parts<T>, known: T, remote: T): boolean {
  const [stamps, news] = [parts.stamps(known), parts.stamps(remote)]
  return (
    stamps?.createdAt === news?.createdAt && Number(news?.updatedAt) > Number(stamps?.updatedAt)
  )
}

/** Returns whether `remote` is an earlier state of the same thing than the base. */
function isOlder<T>(parts: Parts<T>, base: T | null, remote: T): boolean {
  const known = base === null ? null : parts.stamps(base)
  const news = parts.stamps(remote)
  return known?.createdAt === news?.createdAt && Number(news?.updatedAt) < Number(known?.updatedAt)
}

/**
 * Returns whether `remote` replaces the local thing. It does not when it is equal to the local
 * thing or older.
 */
function isOther<T>(parts: Parts<T>, here: T, remote: T): boolean {
  const [known, news] = [parts.stamps(here), parts.stamps(remote)]
  // A thing that was saved from here has this device's timestamps until those of the backend
  // arrive.
  const isSameThing = known && news && known.createdAt === news.createdAt
  if (isSameThing && news.updatedAt !== known.updatedAt) return news.updatedAt > known.updatedAt
  return !isSameThing || parts.differing(here, remote).length > 0
}
