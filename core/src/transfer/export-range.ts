/** The part of the record that is exported or printed. It is part of the page's address. */
import { t } from '#text.ts'
import type { DayRule } from '#time/day-rule.ts'
import { dayNumber, isCalendarDate, lastDay } from '#time/calendar.ts'
import type { DateRange } from '#time/calendar.ts'
import { daysFromTo } from '#time/day-text.ts'
import type { DatesProblem, DatesRead } from '#time/day-text.ts'
import type { Interval } from '#time/instant.ts'
import { periodDates, periodOf, weekAndDates } from '#time/period.ts'
import type { SessionCount } from '#reports/session-count.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import { prepareEntries, secondsOfDays, sessionsWithin } from '#reports/worked-days.ts'

export const EXPORT_RANGES = ['all', 'week', 'month', 'year', 'custom'] as const
export type ExportRange = (typeof EXPORT_RANGES)[number]

const VIEWS = { week: 'weekly', month: 'monthly', year: 'yearly' } as const

/** Returns the range with that name. A name that cannot be read is all time. */
export function readExportRange(text: string | null): ExportRange {
  return EXPORT_RANGES.find((range) => range === text) ?? 'all'
}

/** Returns the days of a range at `now`; null is all time. Those of 'custom' are `chosen`. */
export function exportDates(
  range: ExportRange,
  { now, dayRule, weekStart }: { now: number; dayRule: DayRule; weekStart?: number },
  chosen: DateRange | null = null,
): DateRange | null {
  if (range === 'all') return null
  if (range === 'custom') return chosen
  return periodDates(periodOf(VIEWS[range], now, dayRule, weekStart))
}

/** Reads the first and the last day, 'YYYY-MM-DD'. Without either, the problem says so. */
export function chosenDates(first: string | null, last: string | null): DatesRead | DatesProblem {
  const [from, to] = [first ?? '', last ?? '']
  if (isCalendarDate(from) && isCalendarDate(to)) return daysFromTo(from, to)
  return { kind: 'problem', message: t('Enter a start and an end date.') }
}

/**
 * Returns 'stint-2026-01-01-to-2026-12-31.csv', or 'stint-all-time-by-day.csv' with the kind
 * 'by-day'.
 */
export function exportFileName(dates: DateRange | null, extension: string, kind?: string): string {
  const range = dates === null ? 'all-time' : `${dates.from}-to-${lastDay(dates)}`
  return `stint-${kind === undefined ? range : `${range}-${kind}`}.${extension}`
}

/** Returns '1 Jan – 31 Dec 2026', 'Week 47 · 16–22 Nov 2026' or 'All time'. */
export function exportRangeLabel(dates: DateRange | null, weekStart: number | undefined): string {
  return dates === null ? t('All time') : weekAndDates(dates, weekStart)
}

export interface ExportedTotals {
  readonly count: SessionCount
  readonly seconds: number
}

/**
 * Returns the totals of the sessions that began within the range, each whole, as an export contains
 * them.
 */
export function exportedTotals(
  entries: readonly TimeEntry[],
  range: Interval | null,
): ExportedTotals {
  let begun = 0
  let seconds = 0
  for (const { startedAt, durationSeconds, deletedAt } of entries) {
    if (deletedAt !== null) continue
    if (range && (startedAt < range.start || startedAt >= range.end)) continue
    begun++
    seconds += durationSeconds
  }
  return { count: { begun, earlier: 0, hasLive: false }, seconds }
}

/**
 * Returns the totals of the work within the days of the range, as the export by day contains them.
 */
export function exportedDayTotals(
  entries: readonly TimeEntry[],
  dayRule: DayRule,
  dates: DateRange | null,
): ExportedTotals {
  const worked = prepareEntries(entries, dayRule)
  if (dates === null) {
    const count = { begun: worked.entries.length, earlier: 0, hasLive: false }
    return { count, seconds: worked.totalSeconds }
  }
  return {
    count: { ...sessionsWithin(worked, dates), hasLive: false },
    seconds: secondsOfDays(worked.days, dayNumber(dates.from), dayNumber(dates.to)),
  }
}
