/**
 * News of an entry: what stays of a change from here, and what is undone, offered or carried over because of
 * them.
 */
import { isOlder } from '#record/rebase.ts'
import {
  continuationId,
  ENTRY,
  hadNothingToSave,
  stoppedFromEntry,
  withTimes,
} from '#record/time-entry.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import { mergeIntervals } from '#timer/pauses.ts'
import { workedAfter } from '#timer/timer.ts'

import { continuationOf, joinElsewhere } from './continuation.ts'
import { carryOverLost } from './correct-continuation.ts'
import type { Draft } from './draft.ts'
import { isEditOf, keepUnsent, RULES } from './edits.ts'
import { addOffer, offerEnds, offerWork } from './offers.ts'
import { compareAgain, isCreatedAgain } from './restored-backend.ts'
import { latestEnd, longer, offerAfterContinuation, offerKnown } from './sent-again.ts'
import {
  giveWayToPart,
  isHalfElsewhere,
  isPart,
  isSplitElsewhere,
  keepPauses,
  partsAfter,
  takeBackStep,
} from './steps.ts'
import type { Edit, Editable, Kind } from './stored.ts'
import { supersededStates } from './superseded.ts'

/** An entry as it is here, and as the backend has it. */
interface EntryStates {
  readonly here: TimeEntry
  readonly remote: TimeEntry
}

/** Returns two states of a thing as those of an entry, or null when it is none or is not known here. */
export function asEntries<K extends Kind>(
  kind: K,
  here: Editable[K] | undefined,
  remote: Editable[K],
): EntryStates | null {
  if (kind !== 'entry' || here === undefined) return null
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- both things have the kind that was checked
  return { here: here as TimeEntry, remote: remote as TimeEntry }
}

/** News of an entry that is edited here. */
export interface EntryNews extends EntryStates {
  readonly edit: Edit<'entry'>
}

/** Returns the news as those of an entry, or null when the edit is of something else. */
export function entryNews<K extends Kind>(
  edit: Edit<K>,
  here: Editable[K],
  remote: Editable[K],
): EntryNews | null {
  const entries = asEntries(edit.kind, here, remote)
  return entries && isEditOf('entry', edit) ? { edit, ...entries } : null
}

/**
 * Undoes or offers what an entry no longer counts after a remote change. `changed` are the parts in which
 * the change changed it here.
 */
export function followNews(
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
 * Deletes the entry of an undone stop again that a restored backend had as it was before the undo, and
 * that another device has changed since. What continues it counts its time.
 */
export function keepUndoneStop(draft: Draft, { here, remote }: EntryStates): void {
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
export function followEntry(draft: Draft, { here, remote }: EntryStates): void {
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

/**
 * Takes in pauses that late presses on another device have changed in an entry, where the times were
 * changed here, for example by a split. Returns whether there were any.
 */
export function keepLatePauses(draft: Draft, { edit, remote }: EntryNews): boolean {
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
export function mergeTimes(
  draft: Draft,
  { edit: { base, changedAt }, here, remote }: EntryNews,
): boolean {
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
export function joinContinuation(draft: Draft, { here, remote }: EntryNews): boolean {
  const [named, namedThere] = [continuationId(here), continuationId(remote)]
  const isOther = named !== null && namedThere !== null && named !== namedThere
  return isOther && joinElsewhere(draft, named, namedThere)
}

/**
 * Returns when each part was changed here, without the times that lost against a split on another
 * device. A deletion that names what continues the entry stays over one that does not. The note of a
 * lost session stays if another device has saved the session again without it.
 */
export function decidedHere(draft: Draft, news: EntryNews): Edit['changedAt'] {
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
