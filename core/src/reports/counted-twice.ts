/** Time that several sessions count at once, as of two timers, so that a day may have more than 24 hours. */
import { workedIntervals } from '#record/entry-edit.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import { intervalOfDates } from '#time/calendar.ts'
import type { DateRange } from '#time/calendar.ts'
import type { DayRule } from '#time/day-rule.ts'

/**
 * Returns the whole seconds by which the worked time of the saved entries on these days is longer than
 * the time that passed during it. The entries are in any order; deleted ones are ignored.
 */
export function secondsCountedTwice(
  entries: readonly TimeEntry[],
  dates: DateRange,
  dayRule: DayRule,
): number {
  const days = intervalOfDates(dates, dayRule)
  const worked = entries
    .filter(
      ({ startedAt, endedAt, deletedAt }) =>
        deletedAt === null && startedAt < days.end && endedAt > days.start,
    )
    .flatMap(workedIntervals)
    .map(({ start, end }) => ({
      start: Math.max(start, days.start),
      end: Math.min(end, days.end),
    }))
    .filter(({ start, end }) => start < end)
    .toSorted((a, b) => a.start - b.start)
  let shared = 0
  let covered = days.start
  for (const { start, end } of worked) {
    shared += Math.max(0, Math.min(end, covered) - start)
    covered = Math.max(covered, end)
  }
  return Math.floor(shared / 1000)
}
