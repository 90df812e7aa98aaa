/** Which part of the record goes into a file or onto paper. It lives in the address of the page. */
import { addDays, formatFullDates, isCalendarDate } from './calendar.ts'
import type { DateRange } from './calendar.ts'
import type { Interval } from './instant.ts'
import { periodDates, periodOf } from './period.ts'
import type { TimeEntry } from './time-entry.ts'

export const EXPORT_RANGES = ['all', 'week', 'month', 'year', 'custom'] as const
export type ExportRange = (typeof EXPORT_RANGES)[number]

const VIEWS = { week: 'weekly', month: 'monthly', year: 'yearly' } as const

/** The range with that name; whatever cannot be read is all time. */
export function readExportRange(text: string | null): ExportRange {
  return EXPORT_RANGES.find((range) => range === text) ?? 'all'
}

/**
 * The days of a range for someone in `zone` at `now`; null is all time. Those of 'custom' are
 * `chosen`.
 */
export function exportDates(
  range: ExportRange,
  { now, zone, weekStart }: { now: number; zone: string; weekStart?: number },
  chosen: DateRange | null = null,
): DateRange | null {
  if (range === 'all') return null
  if (range === 'custom') return chosen
  return periodDates(periodOf(VIEWS[range], now, zone, weekStart))
}

/** Reads the first and the last day, 'YYYY-MM-DD'; null unless they are days in this order. */
export function readDates(first: string | null, last: string | null): DateRange | null {
  if (first === null || last === null || !isCalendarDate(first) || !isCalendarDate(last))
    return null
  return first <= last ? { from: first, to: addDays(last, 1) } : null
}

/** The last day of the range. */
export function lastDay({ to }: DateRange): string {
  return addDays(to, -1)
}

/** 'stint-2026-01-01-to-2026-12-31.csv', 'stint-all-time.csv'. */
export function exportFileName(dates: DateRange | null, extension: string): string {
  const range = dates === null ? 'all-time' : `${dates.from}-to-${lastDay(dates)}`
  return `stint-${range}.${extension}`
}

/** '1 Jan – 31 Dec 2026', 'All time'. */
export function exportRangeLabel(dates: DateRange | null): string {
  return dates === null ? 'All time' : formatFullDates(dates)
}

/** The sessions that began within the range, each whole: what a file of it holds. */
export function exportedTotals(
  entries: readonly TimeEntry[],
  range: Interval | null,
): { readonly sessions: number; readonly seconds: number } {
  let sessions = 0
  let seconds = 0
  for (const { startedAt, durationSeconds, deletedAt } of entries) {
    if (deletedAt !== null) continue
    if (range && (startedAt < range.start || startedAt >= range.end)) continue
    sessions++
    seconds += durationSeconds
  }
  return { sessions, seconds }
}
