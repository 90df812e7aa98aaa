/**
 * Edits of the record: add, edit, split, merge, duplicate and delete entries. The functions are
 * pure: every change is a value that can be shown, saved and undone. Ids and `now` (epoch
 * milliseconds) are parameters.
 *
 * `durationSeconds = floor((end − start − Σ pauses) / 1000)` holds for every returned entry, so
 * that totals always agree with the stored times.
 */
import { t } from '#text.ts'
import { COLLECTIONS } from '#collections.ts'
import { deleteEntry } from './entry-change.ts'
import type { EntryChange } from './entry-change.ts'
import { EARLIEST, intervalsBetween, totalMilliseconds } from '#time/instant.ts'
import type { Interval } from '#time/instant.ts'
import { storedText } from '#stored-text.ts'
import { clipPauses, mergeIntervals, NO_PAUSES } from '#timer/pauses.ts'
import type { Pauses } from '#timer/pauses.ts'
import { NEW_ENTRY, pausesLeaving, withTimes } from './time-entry.ts'
import type { SetFields, TimeEntry } from './time-entry.ts'
import { workedSeconds } from '#timer/timer.ts'

/** Omitted fields have their defaults. The type is 'manual'. */
export type NewEntry = Pick<TimeEntry, 'id' | 'taskId' | 'startedAt' | 'endedAt'> &
  Partial<TimeEntry>

/** The editable fields of an entry. Omitted fields do not change. */
export interface EntryEdit extends Partial<SetFields> {
  readonly startedAt?: number
  readonly endedAt?: number
  /** All pauses of the entry, in any order. */
  readonly pauses?: readonly Interval[]
}

export interface EntryProblem {
  readonly field: 'start' | 'end' | 'pauses'
  /** A sentence for the form. */
  readonly message: string
}

/** The fields of an entry that a form can get wrong. A `TimeEntry` has them all. */
export type EntryTimes = Pick<TimeEntry, 'startedAt' | 'endedAt' | 'pauses'>

export const NOTE_MAX_LENGTH = COLLECTIONS.time_entries.note.size

const MAX_ENTRY_DAYS = 31
/** What a part that is cut off does not share: it is on no sealed timesheet. */
const NEW_PART = { sessionId: null, log: null, invoiced: null } as const
const DAY_MILLISECONDS = 86_400_000

/** Returns a new entry that no timer made. */
export function newEntry(input: NewEntry, now: number): EntryChange {
  const { startedAt, endedAt } = input
  const pauses = fittingPauses(input.pauses ?? NO_PAUSES, startedAt, endedAt)
  return {
    before: null,
    after: {
      ...NEW_ENTRY,
      ...input,
      durationSeconds: workedSeconds(startedAt, endedAt, pauses),
      pauses,
      entryType: input.entryType ?? 'manual',
      note: storedNote(input.note ?? null),
      createdAt: now,
      updatedAt: now,
    },
  }
}

/**
 * Returns the entry with other times, pauses, task, note or other fields. Pauses are cut to the span, and
 * overlapping pauses are joined. Seconds paused at an unknown time stay while they fit into the new
 * span. Otherwise they are reduced to their share of the old span. Setting the pauses removes them.
 * An edit of other fields alone does not change the seconds, not even those of an entry
 * that another client saved wrongly.
 */
export function editEntry(entry: TimeEntry, edit: EntryEdit, now: number): EntryChange {
  const { startedAt = entry.startedAt, endedAt = entry.endedAt, pauses: _, ...fields } = edit
  const note = edit.note === undefined ? entry.note : storedNote(edit.note)
  const others = { ...fields, note, updatedAt: now }
  const setsPauses =
    edit.pauses !== undefined && !areSameIntervals(edit.pauses, entry.pauses.intervals)
  if (startedAt === entry.startedAt && endedAt === entry.endedAt && !setsPauses) {
    return { before: entry, after: { ...entry, ...others } }
  }
  const pauses =
    setsPauses && edit.pauses
      ? fittingPauses({ intervals: edit.pauses, unplacedSeconds: 0 }, startedAt, endedAt)
      : keptPauses(entry, startedAt, endedAt)
  return { before: entry, after: { ...withTimes(entry, startedAt, endedAt, pauses), ...others } }
}

/** Returns when the entry reached `seconds` of work, or null when it did not before its end. */
export function endAfterWork(entry: TimeEntry, seconds: number): number | null {
  const milliseconds = (seconds + entry.pauses.unplacedSeconds) * 1000
  const end = whenWorked(workedIntervals(entry), milliseconds)
  return end === null || end >= entry.endedAt ? null : end
}

/** Returns the entry on another task. */
export function moveEntry(entry: TimeEntry, taskId: string, now: number): EntryChange {
  return editEntry(entry, { taskId }, now)
}

/** Returns the entry so many milliseconds later, or earlier if negative, with its pauses. */
export function shiftEntry(entry: TimeEntry, milliseconds: number, now: number): EntryChange {
  const intervals = entry.pauses.intervals.map(({ start, end }) => ({
    start: start + milliseconds,
    end: end + milliseconds,
  }))
  return {
    before: entry,
    after: {
      ...entry,
      startedAt: entry.startedAt + milliseconds,
      endedAt: entry.endedAt + milliseconds,
      pauses: { ...entry.pauses, intervals },
      updatedAt: now,
    },
  }
}

/** Returns a second, manual entry of the same task, times, pauses and note. */
export function duplicateEntry(entry: TimeEntry, newId: string, now: number): EntryChange {
  const { entryType: _, ...copied } = entry
  const fresh = { ...NEW_PART, id: newId, deletedAt: null }
  return newEntry({ ...copied, ...fresh }, now)
}

/**
 * Returns the first problem of the times, or null. Takes a draft or an entry. `editEntry` cuts the
 * pauses, so problems of pauses show only in a draft before that call.
 */
export function entryProblem(entry: EntryTimes, now: number): EntryProblem | null {
  const { startedAt, endedAt, pauses } = entry
  if (!(startedAt >= EARLIEST)) {
    return { field: 'start', message: t('The start is not a time that can be saved.') }
  }
  if (!(endedAt > startedAt))
    return { field: 'end', message: t('The end must be after the start.') }
  if (endedAt > now) {
    return startedAt > now
      ? { field: 'start', message: t('The start is in the future.') }
      : { field: 'end', message: t('The end is in the future.') }
  }
  if (endedAt - startedAt > MAX_ENTRY_DAYS * DAY_MILLISECONDS) {
    return {
      field: 'end',
      message: t('A session can last at most {days} days.', { days: MAX_ENTRY_DAYS }),
    }
  }
  return pauseProblem(entry) ?? workProblem(startedAt, endedAt, pauses)
}

/**
 * Splits the entry in two at an instant. The first part keeps the id, and the second part gets the
 * new one. Pauses are divided exactly, those of unknown time in proportion, and no second is lost.
 * The cut is the first instant from `at` on that leaves the first part whole seconds of work, so
 * that the parts sum to the whole and count on the same days as before. The cut is less than a
 * second later than `at`, or after the pause when `at` lies in one. `mergeEntries` reverses the
 * split.
 *
 * @throws RangeError unless start < at < end, or when a single second of work cannot be divided.
 */
export function splitEntry(
  entry: TimeEntry,
  at: number,
  newId: string,
  now: number,
): readonly EntryChange[] {
  if (!(entry.startedAt < at && at < entry.endedAt)) {
    throw new RangeError('An entry can only be split between its start and its end.')
  }
  const cut = wholeSecondCut(entry, at)
  const [firstSeconds, secondSeconds] = dividedSeconds(entry, cut)
  const second = partLasting(entry, cut, entry.endedAt, secondSeconds)
  return [
    {
      before: entry,
      after: { ...partLasting(entry, entry.startedAt, cut, firstSeconds), updatedAt: now },
    },
    {
      before: null,
      after: { ...second, ...NEW_PART, id: newId, createdAt: now, updatedAt: now },
      cutFrom: entry.id,
    },
  ]
}

/**
 * Merges the entries into one. The earliest entry stays, with its id and its fields, and lasts to the
 * latest end. Time between the entries becomes pauses. Time in several entries counts once.
 * Different notes are joined by a line break. The other entries are marked as deleted. Deleted
 * entries are ignored. With fewer than two entries the list is empty.
 */
export function mergeEntries(entries: readonly TimeEntry[], now: number): readonly EntryChange[] {
  const sorted = entries
    .filter((entry) => entry.deletedAt === null)
    .toSorted((a, b) => a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1))
  const [first, ...others] = sorted
  if (!first || others.length === 0) return []
  const endedAt = sorted.reduce((latest, entry) => Math.max(latest, entry.endedAt), first.endedAt)
  const span = { start: first.startedAt, end: endedAt }
  const worked = mergeIntervals(sorted.flatMap(workedIntervals))
  const intervals = intervalsBetween(worked, span)

  // Unknown pauses of overlapping entries may be the other entry's work, and are then no pauses.
  const overlap =
    sorted.reduce((sum, entry) => sum + totalMilliseconds(workedIntervals(entry)), 0) -
    totalMilliseconds(worked)
  const unplaced = sorted.reduce((sum, entry) => sum + entry.pauses.unplacedSeconds, 0)
  const pauses = {
    intervals,
    unplacedSeconds: Math.max(0, unplaced - Math.floor(overlap / 1000)),
  }
  const merged = withTimes(first, span.start, span.end, pauses)
  return [
    { before: first, after: { ...merged, note: joinedNotes(sorted), updatedAt: now } },
    ...others.map((entry) => deleteEntry(entry, now)),
  ]
}

/**
 * Returns the part of the entry within `[start, end)`. Pauses are cut, those of unknown time in
 * proportion. Less than a second of work may be lost to rounding.
 */
export function partOfEntry(entry: TimeEntry, start: number, end: number): TimeEntry {
  return withTimes(entry, start, end, proportionalPauses(entry, start, end))
}

/** Returns the pauses sorted, joined and cut to the span. They are never longer than the span. */
function fittingPauses(pauses: Pauses, startedAt: number, endedAt: number): Pauses {
  const intervals = mergeIntervals(pauses.intervals)
  const placed = clipPauses({ intervals, unplacedSeconds: 0 }, startedAt, endedAt)
  const unpausedSeconds = workedSeconds(startedAt, endedAt, placed)
  return { ...placed, unplacedSeconds: Math.min(pauses.unplacedSeconds, unpausedSeconds) }
}

/**
 * Returns the entry's pauses in a new span. Unplaced pauses stay whole while they leave work.
 * Otherwise a share of them stays.
 */
function keptPauses(entry: TimeEntry, startedAt: number, endedAt: number): Pauses {
  const pauses = fittingPauses(entry.pauses, startedAt, endedAt)
  return workedSeconds(startedAt, endedAt, pauses) > 0
    ? pauses
    : proportionalPauses(entry, startedAt, endedAt)
}

function proportionalPauses(entry: TimeEntry, startedAt: number, endedAt: number): Pauses {
  const intervals = clipPauses(entry.pauses, startedAt, endedAt).intervals
  const inAll = totalMilliseconds(workedIntervals(entry))
  const within = Math.max(0, endedAt - startedAt - totalMilliseconds(intervals))
  const share = inAll > 0 ? Math.min(1, within / inAll) : 0
  return { intervals, unplacedSeconds: Math.floor(entry.pauses.unplacedSeconds * share) }
}

/** Returns when the entry was worked on: its span without the known pauses. */
export function workedIntervals({ startedAt, endedAt, pauses }: TimeEntry): Interval[] {
  return intervalsBetween(pauses.intervals, { start: startedAt, end: endedAt })
}

/**
 * Returns the first instant from `at` on with whole seconds of work before it. Within the last
 * second there may be none. The cut then stays if no second is lost, and otherwise moves back by
 * less than a second.
 */
function wholeSecondCut(entry: TimeEntry, at: number): number {
  const worked = workedIntervals(entry)
  const before = workedBefore(worked, at)
  const rest = before % 1000
  if (rest === 0) return at
  const inAll = totalMilliseconds(worked)
  const next = before - rest + 1000
  const later = whenWorked(worked, next)
  if (later !== null && later < entry.endedAt) return later
  if (inAll < next) return at
  const earlier = whenWorked(worked, before - rest)
  if (earlier !== null && earlier > entry.startedAt) return earlier
  throw new RangeError('An entry of one second cannot be split.')
}

function workedBefore(worked: readonly Interval[], at: number): number {
  return worked.reduce((sum, { start, end }) => sum + Math.max(0, Math.min(end, at) - start), 0)
}

/** Returns when `milliseconds` of work were reached, or null when never. */
function whenWorked(worked: readonly Interval[], milliseconds: number): number | null {
  let rest = milliseconds
  for (const { start, end } of worked) {
    if (rest <= end - start) return start + rest
    rest -= end - start
  }
  return null
}

/** Returns the entry's seconds before and after the cut. Their sum is all of the seconds. */
function dividedSeconds(entry: TimeEntry, cut: number): readonly [number, number] {
  const worked = workedIntervals(entry)
  const inAll = totalMilliseconds(worked)
  const before = workedBefore(worked, cut)
  const { durationSeconds } = entry
  const share = inAll > 0 ? Math.floor((durationSeconds * before) / inAll) : 0
  const isExact = Math.floor(inAll / 1000) === durationSeconds
  // Rounding must not give the second part more seconds than it has.
  const least = durationSeconds - Math.floor((inAll - before) / 1000)
  const first = isExact
    ? Math.floor(before / 1000)
    : Math.max(share, Math.min(least, durationSeconds))
  return [first, durationSeconds - first]
}

/**
 * Returns a part of the entry with `durationSeconds` of work. The rest of its span is paused at an
 * unknown time.
 */
function partLasting(
  entry: TimeEntry,
  startedAt: number,
  endedAt: number,
  durationSeconds: number,
): TimeEntry {
  const pauses = pausesLeaving(entry.pauses, startedAt, endedAt, durationSeconds)
  return { ...entry, startedAt, endedAt, pauses, durationSeconds }
}

function joinedNotes(entries: readonly TimeEntry[]): string | null {
  const notes = new Set(entries.flatMap((entry) => entry.note ?? []))
  return notes.size === 0 ? null : storedNote([...notes].join('\n'))
}

function storedNote(note: string | null): string | null {
  return note === null ? null : storedText(note, NOTE_MAX_LENGTH)
}

function areSameIntervals(some: readonly Interval[], others: readonly Interval[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ start, end }, index) => {
      return start === others[index]?.start && end === others[index]?.end
    })
  )
}

function pauseProblem({ startedAt, endedAt, pauses }: EntryTimes): EntryProblem | null {
  let previousEnd = startedAt
  for (const { start, end } of pauses.intervals.toSorted((a, b) => a.start - b.start)) {
    if (!(end > start)) {
      return { field: 'pauses', message: t('A pause must end after it starts.') }
    }
    if (start < startedAt || end > endedAt) {
      return { field: 'pauses', message: t('A pause lies outside the session.') }
    }
    if (start < previousEnd) return { field: 'pauses', message: t('Two pauses overlap.') }
    previousEnd = end
  }
  return null
}

function workProblem(startedAt: number, endedAt: number, pauses: Pauses): EntryProblem | null {
  if (workedSeconds(startedAt, endedAt, pauses) > 0) return null
  return pauses.intervals.length > 0 || pauses.unplacedSeconds > 0
    ? { field: 'pauses', message: t('The pauses leave no work.') }
    : { field: 'end', message: t('A session must last at least a second.') }
}
