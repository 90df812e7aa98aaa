/** Finds untracked time: the gaps of a day, and those between two entries. */
import type { DayRule } from '#time/day-rule.ts'
import type { CalendarDate } from '#time/calendar.ts'
import { addDays, intervalOfDates } from '#time/calendar.ts'
import type { Interval } from '#time/instant.ts'
import { clipIntervals, intervalsBetween } from '#time/instant.ts'
import { mergeIntervals } from '#timer/pauses.ts'
import { MIN_GAP } from '#record/decided-gaps.ts'
import type { TimeEntry } from '#record/time-entry.ts'

/** Shorter untracked time between two entries that are merged is not mentioned. */
const MIN_BETWEEN = 5 * 60_000

/**
 * Returns the stretches between the day's first and last activity that no entry covers and that
 * last at least `MIN_GAP`. Pauses within an entry are breaks, not gaps. `live` is the
 * entry that the running timer would be now. Nothing after `now` counts.
 */
export function untrackedGaps(
  entries: readonly TimeEntry[],
  live: TimeEntry | null,
  date: CalendarDate,
  dayRule: DayRule,
  now: number,
): readonly Interval[] {
  const day = intervalOfDates({ from: date, to: addDays(date, 1) }, dayRule)
  const spans = [...entries, ...(live ? [live] : [])]
    .filter(
      ({ startedAt, endedAt, deletedAt }) =>
        deletedAt === null && startedAt < day.end && endedAt > day.start,
    )
    .map(({ startedAt, endedAt }) => ({ start: startedAt, end: endedAt }))
  const tracked = mergeIntervals(clipIntervals(spans, day.start, Math.min(day.end, now)))
  const [first, last] = [tracked[0], tracked.at(-1)]
  if (!first || !last) return []
  return intervalsBetween(tracked, { start: first.start, end: last.end }).filter(
    ({ start, end }) => end - start >= MIN_GAP,
  )
}

/** What lies between two entries that do not overlap. */
export interface Between {
  readonly milliseconds: number
  /** The other entries that were worked on in between. */
  readonly entries: readonly TimeEntry[]
}

/**
 * Returns what lies between the end of one entry and the start of the other, or null when they
 * overlap or follow each other: no other entry is between them, and what is untracked is too short
 * for a gap.
 */
export function timeBetween(
  one: TimeEntry,
  other: TimeEntry,
  entries: readonly TimeEntry[],
): Between | null {
  const start = Math.min(one.endedAt, other.endedAt)
  const end = Math.max(one.startedAt, other.startedAt)
  const between = entries.filter(
    ({ id, startedAt, endedAt, deletedAt }) =>
      startedAt < end && endedAt > start && deletedAt === null && id !== one.id && id !== other.id,
  )
  if (end <= start || (between.length === 0 && end - start < MIN_BETWEEN)) return null
  return { milliseconds: end - start, entries: between }
}
