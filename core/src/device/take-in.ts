/**
 * Takes in remote data and rebases local changes onto it
 * (docs/decisions/0111-edits-are-differences-to-a-base.md).
 */
import { answered, isOlder, rebase } from '#record/rebase.ts'
import {
  continuationId,
  ENTRY,
  hadNothingToSave,
  isUnconfirmed,
  stoppedFromEntry,
  withTimes,
} from '#record/time-entry.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import type { Parts } from '#record/unsent.ts'
import { mergeIntervals } from '#timer/pauses.ts'
import { workedAfter } from '#timer/timer.ts'

import { continuationOf, joinElsewhere } from './continuation.ts'
import { carryOverFrom, carryOverLost } from './correct-continuation.ts'
import { editKey } from './draft.ts'
import type { Draft } from './draft.ts'
import { isEditOf, isStopping, keepUnsent, RULES, unsentOf } from './edits.ts'
import { addOffer, offerEnds, offerWork } from './offers.ts'
import { isNews, noteOverlaps } from './overlaps.ts'
import { compareAgain, isCreatedAgain } from './restored-backend.ts'
import {
  isLostUndone,
  keepKnown,
  latestEnd,
  longer,
  lostWork,
  offerAfterContinuation,
  offerKnown,
} from './sent-again.ts'
import {
  giveWayToPart,
  isHalfElsewhere,
  isPart,
  isSplitElsewhere,
  keepPauses,
  partsAfter,
  takeBackDeletion,
  takeBackStep,
} from './steps.ts'
import type { Edit, Editable, Kind } from './stored.ts'
import { supersede, supersededParts, supersededStates } from './superseded.ts'

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
  if (known && isSentAgain(parts, known, here, remote)) {
    draft.edits.remove(editKey(known))
    if (known.base) supersede(draft, kind, id, known.base)
  }
  const entries = asEntries(kind, here, remote)
  if (entries) keepUndoneStop(draft, entries)
  const edit = draft.edit(kind, id)
  if (edit && here !== undefined) return takeInChanged(draft, edit, here, remote)
  if (here !== undefined && (!isOther(parts, here, remote) || isStopping(draft, id, true))) return
  put(draft, id, remote)
  if (here === undefined) return
  if (isOlder(parts, here, remote)) supersede(draft, kind, id, here)
  if (entries) followEntry(draft, entries)
  keepKnown(draft, kind, id, { here, remote, edit: known })
}

/** Takes in a thing of which something was changed here. */
function takeInChanged<K extends Kind>(
  draft: Draft,
  edit: Edit<K>,
  here: Editable[K],
  remote: Editable[K],
): void {
  const { kind, id } = edit
  const { parts, get, put } = RULES[kind]
  const isAgain = edit.base !== null && isCreatedAgain(parts, edit.base, remote)
  if (isAgain) compareAgain(draft, kind)
  if (edit.base && (isAgain || isOlder(parts, edit.base, remote)))
    supersede(draft, kind, id, edit.base)
  // An event of an earlier state decides nothing, even if its times are those of here.
  const isOutdated = edit.base !== null && isOlder(parts, remote, edit.base)
  const news = isOutdated ? null : entryNews(edit, here, remote)
  const continued = news && carryOverFrom(draft, news.edit, news.remote)
  if (continued === 'kept') return
  if (news && takeBackDeletion(draft, news.edit, news.remote))
    return takeIn(draft, kind, id, remote)
  // With the other pauses in it, the change of the times is made of what the backend has.
  const isMerged = edit.base !== null && news !== null && keepLatePauses(draft, news)
  const hasBoth = edit.base !== null && news !== null && mergeTimes(draft, news)
  const base = isMerged ? parts.take(edit.base, remote, ['times']) : edit.base
  const staying = stayingHere(draft, edit, news, { here, remote, isAgain })
  // What continues the session has the presses with which the entry was saved again.
  const at = Number(parts.stamps(remote)?.updatedAt) + 1
  const changedAt = {
    ...staying,
    ...(continued ? { deletion: at } : {}),
    ...(hasBoth ? { times: at } : {}),
  }
  const local = get(draft, id) ?? here
  const { value, unsent } = rebase(parts, { ...unsentOf(edit), base, changedAt }, local, remote)
  put(draft, id, value)
  keepUnsent(draft, edit, unsent)
  if (news) followNews(draft, news, parts.differing(local, value), isAgain)
}

/**
 * Returns when each part was changed here, for the comparison with the time of the remote change. What
 * stays in any case has a later time.
 */
function stayingHere<K extends Kind>(
  draft: Draft,
  { kind, id, base, changedAt }: Edit<K>,
  news: EntryNews | null,
  {
    isAgain,
    ...states
  }: { readonly here: Editable[K]; readonly remote: Editable[K]; readonly isAgain: boolean },
): Edit['changedAt'] {
  const isJoined = news !== null && joinContinuation(draft, news)
  const decided = news ? decidedHere(draft, news) : changedAt
  const stays = isJoined ? {} : decided
  // The backend has lost a later state than the one that another device has sent again.
  const outdated = supersededParts(draft, kind, id, { ...states, base }).filter(
    (part) => part in stays,
  )
  // Or another device, which had not heard of the work, has ended or changed the session with nothing to save.
  // The edit has no base if this device has noticed that the backend had lost the session.
  const isUnheard = isAgain || news?.edit.base === null || 'times' in changedAt
  const isLost = isUnheard && news !== null && lostWork(news.here, news.remote) !== null
  const lost = isLost ? ['times', 'deletion'] : []
  const at = Number(RULES[kind].parts.stamps(states.remote)?.updatedAt) + 1
  return { ...stays, ...Object.fromEntries([...outdated, ...lost].map((part) => [part, at])) }
}

/**
 * Undoes or offers what an entry no longer counts after a remote change. `changed` are the parts in which
 * the change changed it here.
 */
function followNews(
  draft: Draft,
  news: EntryNews,
  changed: readonly string[],
  isAgain: boolean,
): void {
  const { edit, here, remote } = news
  const isDecided = changed.includes('times') || changed.includes('deletion')
  // A continued session counts the whole time, also the second half of a split.
  const isOver = isDecided || isSameElsewhere(draft, news) || continuationId(remote) !== null
  // What continues a session that was split first does so without the second half. A step that has
  // arrived stays, whatever became of a part since.
  const hasArrived =
    edit.base === null && isFromHere(edit, remote) && !isChangedSinceTry(edit, here)
  if (isOver && continuationId(here) === null && !hasArrived) {
    offerCutOff(draft, news)
    takeBackStep(draft, edit, isAgain)
  }
  if (!edit.base) return
  // Work that a restored backend had lost was kept here, and gives way to a change elsewhere.
  if (isDecided && Number(edit.changedAt['times']) <= edit.base.updatedAt)
    offerKnown(draft, here, remote, false)
  if (isAgain) {
    offerKnown(draft, longer(edit.base, here), remote, !changed.includes('times'))
    offerAfterContinuation(draft, here, remote)
  } else if (!isDecided) offerLeftOut(draft, edit.base, remote)
}

/**
 * Offers the work that another device has added at the end of a session, and that a later change from here
 * leaves out.
 */
function offerLeftOut(draft: Draft, base: TimeEntry, remote: TimeEntry): void {
  const here = draft.entries.get(base.id)
  const isLeftOut = here && base.endedAt < remote.endedAt && here.endedAt < remote.endedAt
  if (isLeftOut && remote.sessionId !== null) offerEnds(draft, stoppedFromEntry(base), remote)
}

/**
 * Offers the work at the end of a split from here that gives way, and that no other part counts: this device
 * had stopped the session later than the backend knew.
 */
function offerCutOff(draft: Draft, { edit: { base, changedAt }, here, remote }: EntryNews): void {
  const at = changedAt['times']
  if (base === null || at === undefined || remote.sessionId === null) return
  const halves = draft.edits.all().flatMap((each) => {
    const half = each.base === null && each.changedAt['times'] === at && draft.entries.get(each.id)
    return half && isPart(half) ? half : []
  })
  if (halves.length === 0) return
  // Each one is extended by the offer of the later ones.
  const all = [here, ...halves].toSorted((a, b) => b.startedAt - a.startedAt)
  const counted = latestEnd([base, remote, ...partsAfter(draft, remote, latestEnd(all))])
  for (const part of all) {
    const worked = workedAfter(stoppedFromEntry(part), counted)
    if (worked.durationSeconds > 0) offerWork(draft, 'went-on', { ...worked, sessionId: remote.id })
  }
}

/**
 * Returns whether another device has sent a lost thing again of which nothing was changed here, or at
 * most the note or the task of an entry, or of which the stop was undone.
 */
function isSentAgain<K extends Kind>(
  parts: Parts<Editable[K]>,
  { kind, base, changedAt }: Edit<K>,
  here: Editable[K] | undefined,
  remote: Editable[K],
): boolean {
  const changed = Object.keys(changedAt)
  if (base === null && changed.length === 0) return true
  const entries = asEntries(kind, here, remote)
  if (here === undefined || !entries) return false
  const isUndone = base === null && isLostUndone(entries.here, entries.remote)
  const isDecided = changed.includes('times') || (changed.includes('deletion') && !isUndone)
  return !isDecided && isCreatedAgain(parts, base ?? here, remote)
}

/**
 * Deletes the entry of an undone stop again that a restored backend had as it was before the undo, and
 * that another device has changed since. What continues it counts its time.
 */
function keepUndoneStop(draft: Draft, { here, remote }: EntryStates): void {
  const { id } = here
  const isBefore = remote.deletedAt === null && remote.sessionId === id
  if (continuationId(here) === null || !isBefore || !isOlder(RULES.entry.parts, here, remote))
    return
  if (draft.edit('entry', id)) return
  // A split stays. A device that has the session that continues lets it begin after the split.
  if (remote.endedAt !== here.endedAt && !continuationOf(draft, here)) return
  compareAgain(draft, 'entry')
  const changedAt = { deletion: remote.updatedAt + 1 }
  keepUnsent(
    draft,
    { kind: 'entry', id, refused: null, isHidden: false },
    { base: here, changedAt, sent: [] },
  )
}

/** Follows news of an entry of which nothing was changed here. A restored backend may have lost a state of it. */
function followEntry(draft: Draft, { here, remote }: EntryStates): void {
  giveWayToPart(draft, here, remote)
  offerDiscarded(draft, { here, remote })
  const outdated = supersededStates(draft, 'entry', here.id)
  const isOutdated = (state: TimeEntry) => !ENTRY.differing(state, remote).includes('times')
  if (outdated.some(isOutdated)) carryOverLost(draft, remote, here)
}

/**
 * Offers a saved session that another device has discarded before its end, of which a restored backend did
 * not know.
 */
function offerDiscarded(draft: Draft, { here, remote }: EntryStates): void {
  if (remote.deletedAt === null || continuationId(remote) !== null) return
  if (hadNothingToSave(remote) || here.deletedAt !== null) return
  if (remote.deletedAt < here.endedAt)
    addOffer(draft, { why: 'discarded', worked: stoppedFromEntry(here) })
}

/** An entry as it is here, and as the backend has it. */
interface EntryStates {
  readonly here: TimeEntry
  readonly remote: TimeEntry
}

/** Returns two states of a thing as those of an entry, or null when it is none or is not known here. */
function asEntries<K extends Kind>(
  kind: K,
  here: Editable[K] | undefined,
  remote: Editable[K],
): EntryStates | null {
  if (kind !== 'entry' || here === undefined) return null
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- both things have the kind that was checked
  return { here: here as TimeEntry, remote: remote as TimeEntry }
}

/** News of an entry that is edited here. */
interface EntryNews extends EntryStates {
  readonly edit: Edit<'entry'>
}

/** Returns the news as those of an entry, or null when the edit is of something else. */
function entryNews<K extends Kind>(
  edit: Edit<K>,
  here: Editable[K],
  remote: Editable[K],
): EntryNews | null {
  const entries = asEntries(edit.kind, here, remote)
  return entries && isEditOf('entry', edit) ? { edit, ...entries } : null
}

/**
 * Takes in pauses that late presses on another device have changed in an entry, where the times were
 * changed here, for example by a split. Returns whether there were any.
 */
function keepLatePauses(draft: Draft, { edit, remote }: EntryNews): boolean {
  const { base, changedAt } = edit
  if (base === null || changedAt['times'] === undefined) return false
  const isSameSpan = base.startedAt === remote.startedAt && base.endedAt === remote.endedAt
  if (!isSameSpan || !isOlder(RULES.entry.parts, base, remote)) return false
  keepPauses(draft, stoppedFromEntry(base), remote)
  return true
}

/**
 * Merges the times if the start was changed on one side and the end on the other, as a split of a half does
 * that another device has made longer. Returns whether it did.
 */
function mergeTimes(draft: Draft, { edit: { base, changedAt }, here, remote }: EntryNews): boolean {
  if (base === null || changedAt['times'] === undefined || remote.deletedAt !== null) return false
  const isStartHere = here.startedAt !== base.startedAt
  const isEndHere = here.endedAt !== base.endedAt
  const isStartThere = remote.startedAt !== base.startedAt
  const isEndThere = remote.endedAt !== base.endedAt
  if (isStartHere === isEndHere || isStartThere === isEndThere || isStartHere === isStartThere)
    return false
  const [start, end] = isStartHere ? [here, remote] : [remote, here]
  if (start.startedAt >= end.endedAt) return false
  const intervals = mergeIntervals([here, remote].flatMap(({ pauses }) => pauses.intervals))
  const pauses = { ...here.pauses, intervals }
  draft.entries.put(withTimes(here, start.startedAt, end.endedAt, pauses))
  return true
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
  return lacksNote(draft, news) ? { ...decided, note: remote.updatedAt + 1 } : decided
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

/** Returns whether the times of a new thing were changed here since the last try to send it. */
function isChangedSinceTry({ sent }: Edit<'entry'>, here: TimeEntry): boolean {
  const last = sent.at(-1)
  return last !== undefined && RULES.entry.parts.differing(last, here).includes('times')
}

/**
 * Returns whether another device has saved an entry without the note from here, of which it had not heard:
 * because the backend had lost the session, or because both devices have made the same half of a split, with
 * the note of the whole session.
 */
function lacksNote(draft: Draft, { edit, here, remote }: EntryNews): boolean {
  const { base, changedAt } = edit
  if (here.note === null) return false
  if (base !== null) {
    const isLost =
      isCreatedAgain(RULES.entry.parts, base, remote) || isWrittenHere(edit, base, remote)
    return remote.note === null && isLost
  }
  if (here.sessionId !== null) return remote.note === null
  // A note that the half has from the whole session may have been erased on the other device, or changed here.
  const isNoted = changedAt['note'] !== changedAt['times']
  const isOfWhole = ({ id, endedAt, note }: TimeEntry) =>
    id !== here.id &&
    [note, draft.edit('entry', id)?.base?.note].includes(remote.note) &&
    [here, remote].some((each) => each.startedAt === endedAt)
  return isNoted && (remote.note === null || draft.entries.all().some(isOfWhole))
}

/**
 * Returns whether the backend has the result of a write from here that did not change the note. Nobody had
 * changed the entry since its base then, so a backend that was restored has lost the note. A note that was
 * erased elsewhere just after that write looks the same, and stays.
 */
function isWrittenHere({ sent }: Edit<'entry'>, base: TimeEntry, remote: TimeEntry): boolean {
  const { parts } = RULES.entry
  return sent.some((each) => {
    const written = parts.differing(base, each)
    const isThere = !parts.differing(each, remote).some((part) => written.includes(part))
    return written.length > 0 && !written.includes('note') && isThere
  })
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
  const { base } = edit
  const isAgain = base !== null && !isOfStop(edit) && isCreatedAgain(parts, base, answer)
  if (isAgain) compareAgain(draft, kind)
  if (base && (isAgain || isOlder(parts, base, answer))) supersede(draft, kind, id, base)
  // Another device may have sent a lost entry again first.
  const entries = base === null ? asEntries(kind, here, answer) : null
  if (entries) carryOverLost(draft, entries.here, entries.remote)
  const { value, unsent } = answered(parts, unsentOf(edit), here, answer)
  put(draft, id, value)
  keepUnsent(draft, edit, unsent)
}

/** Returns whether an edit was made of the entry of a stop that the backend had not confirmed. */
function isOfStop(edit: Edit): boolean {
  return isEditOf('entry', edit) && edit.base !== null && isUnconfirmed(edit.base)
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
