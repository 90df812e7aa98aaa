/**
 * A change of several entries in one step, such as a split or a merge, applies as a whole or not at
 * all. Half of it would count time twice or lose it.
 */
import { splitId } from '#record/split-id.ts'
import { continuationId, ENTRY, stoppedFromEntry, withTimes } from '#record/time-entry.ts'
import type { EntryPart, TimeEntry } from '#record/time-entry.ts'
import { withUnsent } from '#record/unsent.ts'
import { clipIntervals } from '#time/instant.ts'
import { foldLate, pressesBetween } from '#timer/late-presses.ts'
import { mergeIntervals } from '#timer/pauses.ts'
import type { StoppedTimer } from '#timer/timer.ts'

import { editKey } from './draft.ts'
import type { Draft, View } from './draft.ts'
import { changeEntry, deleteEntry, isEditOf, keepUnsent, unsentOf } from './edits.ts'
import type { Edit } from './stored.ts'

/**
 * Returns whether another device has split the entry of an edit. `remote` is the entry as the
 * backend has it now. The earlier split decides the times. A later change of the times would make
 * both halves overlap.
 */
export function isSplitElsewhere(
  draft: Draft,
  { id: wholeId, base, changedAt }: Edit<'entry'>,
  remote: TimeEntry,
): boolean {
  if (base === null || !ENTRY.differing(base, remote).includes('times')) return false
  // It was shifted away: no part of a split ends before the whole began.
  if (remote.endedAt <= base.startedAt) return false
  const id = splitId(base, base)
  const edit = draft.edit('entry', id)
  // The half has another id if the session was changed or split before it was saved, or if the other
  // device did not know of a trim, which may be undone here.
  const until = Math.max(base.endedAt, draft.entries.get(wholeId)?.endedAt ?? -Infinity)
  const parts = partsThrough(draft, remote, Math.max(until, remote.endedAt + 1))
  if (parts.some((part) => part.id !== id)) return true
  // Of two splits, the later one stays whole, unless the half of the other one was split or trimmed
  // since.
  const isHalfChanged = edit?.base && edit.base.endedAt !== base.endedAt
  if (edit && edit.changedAt['times'] === changedAt['times'] && !isHalfChanged) return false
  const half = edit ? edit.base : draft.entries.get(id)
  return half ? half.startedAt >= remote.endedAt : false
}

/**
 * Returns whether another device has made the second half of a split from here under another id, as
 * it does when it splits a later version of the session. The half from here has not arrived.
 */
export function isHalfElsewhere(
  draft: Draft,
  { base, changedAt }: Edit<'entry'>,
  remote: TimeEntry,
): boolean {
  const at = changedAt['times']
  if (base === null || at === undefined) return false
  const starts = new Set(partsAfter(draft, remote, base.endedAt).map((each) => each.startedAt))
  return draft.edits.all().some((edit) => {
    const isUnsentPart =
      edit.kind === 'entry' && edit.base === null && edit.changedAt['times'] === at
    return isUnsentPart && starts.has(draft.entries.get(edit.id)?.startedAt ?? NaN)
  })
}

/**
 * Returns the parts that were split off an entry and begin before an instant. They have no session.
 * A part that was made here and not sent yet belongs to another entry, which may be taken back.
 */
export function partsAfter(
  draft: Pick<View, 'entries' | 'edit'>,
  whole: TimeEntry,
  until: number,
): readonly TimeEntry[] {
  const { id, taskId, endedAt } = whole
  const all = draft.entries.all()
  return all.filter((each) => {
    const isAfter = each.startedAt >= endedAt && each.startedAt < until
    const isOther = each.id !== id && each.taskId === taskId
    if (each.sessionId !== null || each.deletedAt !== null || !isOther || !isAfter) return false
    const edit = draft.edit('entry', each.id)
    const isSent = edit?.base !== null || edit.changedAt['times'] === undefined
    return isSent && !isPartOfOther(all, whole, each)
  })
}

/** Returns when an entry ends, with the parts that were split off it and follow without a gap. */
export function endOfParts(draft: Pick<View, 'entries' | 'edit'>, whole: TimeEntry): number {
  return endWithoutGap(whole, partsThrough(draft, whole, whole.endedAt + 1))
}

/**
 * Returns when the last of an entry's parts ends that follow without a gap. A part after a gap may belong to
 * a session that is not known yet.
 */
export function endWithoutGap(whole: TimeEntry, parts: readonly TimeEntry[]): number {
  return parts
    .toSorted((a, b) => a.startedAt - b.startedAt)
    .reduce(
      (end, part) => (part.startedAt <= end ? Math.max(end, part.endedAt) : end),
      whole.endedAt,
    )
}

/**
 * Returns the parts that were split off an entry, up to the last one: those that begin before an
 * instant, and those that follow without a gap.
 */
export function partsThrough(
  draft: Pick<View, 'entries' | 'edit'>,
  whole: TimeEntry,
  instant: number,
): readonly TimeEntry[] {
  const parts = partsAfter(draft, whole, instant)
  const end = Math.max(...[whole, ...parts].map(({ endedAt }) => endedAt))
  return end < instant ? parts : partsThrough(draft, whole, end + 1)
}

/**
 * Returns whether a part belongs to another session. It begins where that session or another part of
 * it ends. A part that begins nowhere so belongs to the nearest session before its end, which may have been
 * trimmed or moved, or saved again without its split.
 */
export function isPartOfOther(
  entries: readonly TimeEntry[],
  whole: TimeEntry,
  { taskId, startedAt, endedAt }: TimeEntry,
): boolean {
  const ofTask = entries.filter((each) => each.taskId === taskId)
  const before = ofTask.filter((each) => each.endedAt === startedAt && each.startedAt < startedAt)
  if (before.some(({ id }) => id === whole.id)) return false
  const isNearer = (each: TimeEntry) => each.startedAt < endedAt && each.endedAt > whole.endedAt
  // A deleted session may still have a part.
  const isOwner = (each: TimeEntry) => each.deletedAt === null || each.endedAt >= startedAt
  return (
    ofTask.some(
      (each) => each.id !== whole.id && each.sessionId !== null && isOwner(each) && isNearer(each),
    ) || before.some((each) => each.sessionId !== null || isPartOfOther(entries, whole, each))
  )
}

/**
 * Returns whether a session has a part from elsewhere: one begins where the session ends, and no
 * entry that is known here ends there.
 */
export function isSplitOtherwise(draft: Draft, { id, taskId, endedAt }: TimeEntry): boolean {
  const others = draft.entries.all().filter((each) => each.taskId === taskId && each.id !== id)
  const isKnownEnd = others.some((each) => each.endedAt === endedAt)
  return !isKnownEnd && others.some((each) => isPart(each) && each.startedAt === endedAt)
}

/** Returns whether an entry is a part that was split off a session, and is not deleted. */
export function isPart({ sessionId, deletedAt, entryType }: TimeEntry): boolean {
  return sessionId === null && deletedAt === null && entryType === 'timer'
}

/**
 * Merges pauses from other devices into an entry that was changed here after its stop and was saved
 * with other pauses. The pauses count in the changed entry and in all parts of a split. If pauses were
 * changed here as well, such as by lost presses, those of an entry with the same span are merged.
 */
export function keepPauses(draft: Draft, stopped: StoppedTimer, saved: TimeEntry): void {
  for (const { id, kind, base, changedAt } of draft.edits.all()) {
    const here = draft.entries.get(id)
    const at = changedAt['times']
    if (kind !== 'entry' || !here || at === undefined) continue
    const { startedAt, endedAt, entryType } = here
    const isPart =
      base === null &&
      entryType === saved.entryType &&
      startedAt >= stopped.startedAt &&
      endedAt <= stopped.endedAt
    if (id !== saved.id && !isPart) continue
    const known = clipIntervals(stopped.pauses.intervals, startedAt, endedAt)
    if (JSON.stringify(here.pauses.intervals) !== JSON.stringify(known)) {
      const merged = withTurnsFrom(here, stopped, saved)
      if (merged) changeEntry(draft, merged, at)
      continue
    }
    // After the saved end, the pauses stay as this device knew them. One that lasts until the stop is left
    // out, because another device may have worked in it.
    const intervals = mergeIntervals(
      [
        ...clipIntervals(saved.pauses.intervals, startedAt, Math.min(endedAt, saved.endedAt)),
        ...clipIntervals(known, saved.endedAt, endedAt),
      ],
      saved.endedAt,
    )
    const last = intervals.at(-1)
    const workedUntil = last?.end === endedAt ? Math.max(last.start, saved.endedAt) : endedAt
    const end = Math.min(endedAt, workedUntil)
    if (end > startedAt || !isPart)
      changeEntry(draft, withTimes(here, startedAt, end, { ...here.pauses, intervals }), at)
    else {
      draft.entries.remove(id)
      draft.edits.remove(editKey({ kind, id }))
    }
  }
}

/**
 * Returns the entry with the pauses of `saved` and with the pauses and resumes that were added here to
 * those of `known`. Returns null if more was changed here.
 */
function withTurnsFrom(here: TimeEntry, known: StoppedTimer, saved: TimeEntry): TimeEntry | null {
  const own = stoppedFromEntry(here)
  const turns = pressesBetween(known, own, here.updatedAt)
  const added = foldLate(known, turns, -Infinity)
  const isSameSpan = own.startedAt === known.startedAt && own.endedAt === known.endedAt
  const isAll = JSON.stringify(added.pauses) === JSON.stringify(own.pauses)
  if (here.id !== saved.id || !isSameSpan || !isAll) return null
  const { pauses, durationSeconds } = foldLate(stoppedFromEntry(saved), turns, -Infinity)
  return { ...here, pauses, durationSeconds }
}

/**
 * Undoes the rest of a step after the times of its entry were decided on another device. The rest
 * is every unsent change of the same step to other entries. An entry stays deleted if the one that
 * was decided counts all its time. `isAgain` means that this one is a lost session that was saved
 * again, and work after its end is offered. So it has to count the begin of that time only. `at` is the
 * instant of the step.
 */
export function takeBackStep(
  draft: Draft,
  { id, base, changedAt }: Edit<'entry'>,
  isAgain = false,
  at = changedAt['times'],
): void {
  if (at === undefined) return
  const halfId = base && splitId(base, base)
  const decided = draft.entries.get(id)
  for (const edit of draft.edits.all()) {
    const here = draft.entries.get(edit.id)
    if (!isEditOf('entry', edit) || edit.id === id || !here) continue
    const isHalf = edit.id === halfId
    const isCounted =
      decided?.deletedAt === null &&
      decided.startedAt <= here.startedAt &&
      decided.endedAt >= (isAgain ? here.startedAt + 1000 : here.endedAt)
    const stays = here.deletedAt !== null && isCounted ? 'deletion' : null
    const isOfStep = ENTRY.all(here).filter((part) => edit.changedAt[part] === at && part !== stays)
    const parts = isHalf ? [...new Set<EntryPart>([...isOfStep, 'times'])] : isOfStep
    if (takeBack(draft, edit, parts, isHalf) && edit.changedAt['times'] !== at)
      takeBackStep(draft, edit)
  }
}

/**
 * Undoes a step that deletes an entry of which another device has changed the times, such as the undo of
 * a split of which that device has split a half. Returns whether there was such a step.
 */
export function takeBackDeletion(draft: Draft, edit: Edit<'entry'>, remote: TimeEntry): boolean {
  const { id, base, changedAt } = edit
  const at = changedAt['deletion']
  if (base === null || at === undefined || !ENTRY.differing(base, remote).includes('times'))
    return false
  const here = draft.entries.get(id)
  const isStep = draft.edits.all().some((each) => each.id !== id && each.changedAt['times'] === at)
  // What continues an undone stop has a rule of its own. A deletion that was undone before may still have
  // to be sent as such, because an earlier try may have arrived.
  if (!isStep || !here || here.deletedAt === null || continuationId(here) !== null) return false
  takeBackStep(draft, edit, false, at)
  takeBack(draft, edit, ['deletion'], false)
  return true
}

/**
 * Undoes a split that was to be sent again to a restored backend, because another device has split the
 * session elsewhere. Its second half (`again`) has the id of the one from here.
 */
export function giveWayToSplit(draft: Draft, half: TimeEntry, again: TimeEntry): void {
  for (const edit of draft.edits.all()) {
    const whole = draft.entries.get(edit.id)
    if (!isEditOf('entry', edit) || whole?.endedAt !== half.startedAt) continue
    if (whole.sessionId !== null && edit.base?.endedAt === again.startedAt)
      takeBack(draft, edit, ['times'], false)
  }
}

/**
 * Undoes the times of a part that were kept for a restored backend, because another device has split the session
 * elsewhere. `whole` is the first part as it was, and `remote` as the backend has it.
 */
export function giveWayToPart(draft: Draft, whole: TimeEntry, remote: TimeEntry): void {
  if (whole.endedAt === remote.endedAt) return
  for (const edit of draft.edits.all()) {
    const part = draft.entries.get(edit.id)
    if (!isEditOf('entry', edit) || !part || !isPart(part)) continue
    if (part.startedAt === whole.endedAt && edit.base?.startedAt === remote.endedAt)
      takeBack(draft, edit, ['times'], false)
  }
}

/**
 * Removes halves of a split from here that have not arrived, if these entries of the same session count their
 * time: another device has split it otherwise.
 */
export function dropCountedHalves(draft: Draft, counted: readonly TimeEntry[]): void {
  for (const edit of draft.edits.all()) {
    const half = draft.entries.get(edit.id)
    if (!isEditOf('entry', edit) || edit.base !== null || !half) continue
    const other = counting(counted, half)
    if (other) deleteEntry(draft, half, other.updatedAt)
  }
}

/** Returns the entry that counts all time of a part of a split, or undefined when there is none. */
export function counting(entries: readonly TimeEntry[], part: TimeEntry): TimeEntry | undefined {
  const { id, taskId, startedAt, endedAt } = part
  if (!isPart(part)) return undefined
  return entries.find(
    (each) =>
      each.id !== id &&
      each.taskId === taskId &&
      each.deletedAt === null &&
      each.startedAt <= startedAt &&
      each.endedAt >= endedAt,
  )
}

/** Undoes these parts of an edit. Returns whether that changed the times of the entry. */
function takeBack(
  draft: Draft,
  edit: Edit<'entry'>,
  parts: readonly EntryPart[],
  isHalf: boolean,
): boolean {
  const here = draft.entries.get(edit.id)
  if (!here || parts.length === 0) return false
  if (edit.base === null) {
    // A manual entry beside the undone step stays.
    if (here.entryType === 'manual' && !isHalf) return false
    draft.entries.remove(edit.id)
    draft.edits.remove(editKey(edit))
    return true
  }
  const { value, unsent } = withUnsent(ENTRY, unsentOf(edit), ENTRY.take(here, edit.base, parts))
  draft.entries.put(value)
  keepUnsent(draft, edit, unsent)
  return ENTRY.differing(here, value).includes('times')
}
