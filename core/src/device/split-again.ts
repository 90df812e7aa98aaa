/** Splits that met a whole session again after the backend was restored from a backup. */
import { editEntry } from '#record/entry-edit.ts'
import { continuationId, stoppedFromEntry } from '#record/time-entry.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import { foldLateNote } from '#timer/late-presses.ts'
import { workedAfter } from '#timer/timer.ts'

import { continuationOf, uncountedBy } from './continuation.ts'
import type { Draft } from './draft.ts'
import { change, changeEntry } from './edits.ts'
import { offerWork } from './offers.ts'
import { latestEnd } from './sent-again.ts'
import { endWithoutGap, isPart, isPartOfOther, partsAfter } from './steps.ts'
import type { Edit } from './stored.ts'
import { supersededStates } from './superseded.ts'

/**
 * Splits sessions again of which these second halves are sent again. Another device that had not
 * heard of the split may have saved or changed the whole session since. Its work after the last half is
 * offered. `wholes` are the entries that may be such sessions. Only timed sessions are split again: entries that were typed or
 * imported may overlap as their owner wants.
 */
export function splitAgain(
  draft: Draft,
  halfIds: readonly string[],
  wholes: readonly TimeEntry[],
  now: number,
): void {
  const halves = halfIds
    .flatMap((id) => draft.entries.get(id) ?? [])
    .filter((each) => each.sessionId === null && each.deletedAt === null && isTimed(each))
    // The last half comes first, because the one before it ends where it begins.
    .toSorted((a, b) => b.startedAt - a.startedAt)
  for (const half of halves) {
    offerCutBefore(draft, half, wholes)
    // It gives way, when it is sent, to another split that lies within it.
    const edit = draft.edit('entry', half.id)
    const other = edit && isLost(edit) ? partInstead(draft, half) : undefined
    if (other && other.startedAt < half.endedAt) continue
    const { taskId, startedAt, endedAt } = half
    const all = draft.entries.all().filter((each) => each.deletedAt === null)
    const whole = wholes
      .flatMap(({ id }) => draft.entries.get(id) ?? [])
      .find(
        (each) =>
          (each.endedAt === endedAt || endedAtOnce(draft, each, startedAt)) &&
          each.startedAt < startedAt &&
          each.endedAt > startedAt &&
          each.taskId === taskId &&
          each.sessionId !== null &&
          each.deletedAt === null &&
          isTimed(each) &&
          // Two sessions of one task may end at one moment.
          !isPartOfOther(all, each, half),
      )
    if (!whole) continue
    changeEntry(draft, editEntry(whole, { endedAt: startedAt }, now).after, now)
    // The other device had worked longer. The owner may have trimmed the half since.
    const ends = supersededStates(draft, 'entry', whole.id).map((each) => each.endedAt)
    const worked = workedAfter(stoppedFromEntry(whole), Math.max(endedAt, ...ends))
    if (worked.durationSeconds > 0) offerWork(draft, 'went-on', worked)
  }
}

/**
 * Offers the work up to a half that is sent again, which another device has cut off the session: it had
 * not heard of the split, and the session was shorter there.
 */
function offerCutBefore(draft: Draft, half: TimeEntry, wholes: readonly TimeEntry[]): void {
  const { taskId, startedAt } = half
  for (const { id } of wholes) {
    const whole = draft.entries.get(id)
    if (!whole || !isWhole(whole) || whole.taskId !== taskId || whole.endedAt >= startedAt) continue
    const lost = supersededStates(draft, 'entry', id).find((each) => each.endedAt === startedAt)
    if (!lost) continue
    const counted = latestEnd([whole, ...partsAfter(draft, whole, startedAt)])
    const worked = workedAfter(stoppedFromEntry(lost), counted)
    if (worked.durationSeconds > 0) offerWork(draft, 'went-on', worked)
  }
}

/**
 * Returns whether an entry ended at this instant before another device has sent an earlier state of it
 * again. The half that begins there may have been trimmed.
 */
function endedAtOnce(draft: Draft, { id }: TimeEntry, instant: number): boolean {
  return supersededStates(draft, 'entry', id).some(({ endedAt }) => endedAt === instant)
}

/**
 * Deletes a lost part if its time counts elsewhere: in another split of its session, whose part gets
 * the note, or in what continues the whole session after an undone stop. The deletion is sent, so
 * that other devices do not send the part again.
 */
export function giveWay(draft: Draft, edit: Edit): void {
  const { id } = edit
  const part = draft.entries.get(id)
  if (!part || !isPart(part) || !isLost(edit)) return
  const other = partInstead(draft, part)
  if (!other && !isInContinuation(draft, part)) return
  const { note, updatedAt: at } = part
  const noted = note === null ? [] : [{ kind: 'note' as const, at, from: '', to: note }]
  if (other)
    change(draft, 'entry', other.id, { ...other, note: foldLateNote(other.note, noted) }, at)
  change(draft, 'entry', id, { ...part, deletedAt: at }, at)
}

/** Returns whether the edit is of a part that the backend has lost, and whose times were not changed since. */
function isLost({ base, changedAt }: Edit): boolean {
  return base === null && changedAt['times'] === undefined
}

/** Returns the part of another split of its session that counts the time of a lost part, or undefined. */
function partInstead(draft: Draft, part: TimeEntry): TimeEntry | undefined {
  const wholes = wholesOf(draft, part)
  const parts = othersOfTask(draft, part).filter(isPart)
  return parts.find((each) => {
    // It may have been split as well.
    const end = endWithoutGap(each, parts)
    const isOf = (whole: TimeEntry) => isWhole(whole) && whole.endedAt === each.startedAt
    return wholes.some((whole) => isOf(whole) && isIn(part, whole.startedAt, end))
  })
}

/** Returns whether what continues the session after an undone stop counts the time of a lost part. */
function isInContinuation(draft: Draft, part: TimeEntry): boolean {
  // Another device may have stopped the session before the end of the part.
  return wholesOf(draft, part).some((whole) => {
    if (continuationId(whole) === null) return false
    const continuation = continuationOf(draft, whole)
    return continuation
      ? whole.endedAt > part.startedAt &&
          uncountedBy(continuation, stoppedFromEntry(part)).durationSeconds === 0
      : isIn(part, whole.startedAt, whole.endedAt)
  })
}

/** Returns the entries that the lost part may be of. */
function wholesOf(draft: Draft, part: TimeEntry): readonly TimeEntry[] {
  const others = othersOfTask(draft, part)
  // Another session of the task may have run at the same time. Only its own one counts, if it is known.
  const own = others.find((each) => isWhole(each) && each.endedAt === part.startedAt)
  return own ? [own] : others
}

function othersOfTask(draft: Draft, { id, taskId }: TimeEntry): readonly TimeEntry[] {
  return draft.entries.all().filter((each) => each.id !== id && each.taskId === taskId)
}

/** Returns whether a part lies between two instants. */
function isIn(part: TimeEntry, start: number, end: number): boolean {
  // Less than a second is no work. Two devices may have stopped the session in the same moment.
  return start <= part.startedAt && end > part.endedAt - 1000
}

/** Returns whether an entry is a session, and not a part that was split off one, and is not deleted. */
function isWhole({ sessionId, deletedAt }: TimeEntry): boolean {
  return sessionId !== null && deletedAt === null
}

function isTimed({ entryType }: TimeEntry): boolean {
  return entryType === 'timer'
}
