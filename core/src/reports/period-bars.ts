/** The bars of a period. */
import type { CalendarDate, DateRange } from '#time/calendar.ts'
import { addDays, dayNumber, formatDates, localDate, monthName } from '#time/calendar.ts'
import { hoursLabel } from '#time/duration.ts'
import type { Bucket, Period } from '#time/period.ts'
import {
  breakdownTitle,
  bucketsBefore,
  leftoverDays,
  periodBuckets,
  periodDates,
} from '#time/period.ts'
import type { ReportInput, TrackedTime } from './report-input.ts'
import { secondsWithin, trackedTime } from './report-input.ts'
import type { SessionCount } from './session-count.ts'
import { sessionsWithin } from './worked-days.ts'

/** The width of the narrowest bar above 0, in percent of the widest. */
export const MIN_BAR_PERCENT = 8

export interface PeriodBars {
  /** 'Daily Breakdown', 'Weekly Breakdown', 'Monthly Breakdown' or 'Yearly Breakdown'. */
  readonly title: string
  /** The total of the calendar period. The five bars of a month may show less or more. */
  readonly totalSeconds: number
  /** The number of sessions that the total is made of. */
  readonly count: SessionCount
  readonly bars: readonly Bar[]
  /**
   * The days of the month after the fifth bar, '30–31 Aug', which are shown in next month's first
   * week.
   */
  readonly leftover: (DateRange & { readonly dates: string; readonly seconds: number }) | null
}
export interface Bar extends Bucket {
  readonly seconds: number
  /** In percent of the widest bar: 0, or 8 … 100. */
  readonly widthPercent: number
  /** What was planned, on the same scale; null where nothing is known. */
  readonly planned: { readonly seconds: number; readonly widthPercent: number } | null
  /** '1.5h'; null up to one hour. */
  readonly hoursLabel: string | null
  /** The seconds that belong to the shown period. */
  readonly inPeriodSeconds: number
  /** The part of a month's bar that belongs to the month before or after; null if no day does. */
  readonly neighbour: NeighbourPart | null
  /** True if today is in it. */
  readonly isCurrent: boolean
  /** True if it begins after today. */
  readonly isFuture: boolean
}
export interface NeighbourPart extends DateRange {
  /** 'March'. */
  readonly month: string
  /** '1–7 Mar'. */
  readonly dates: string
  readonly seconds: number
}

/**
 * Returns the bars of a period, of one task or of all, the running timer included.
 * @param planned the planned seconds by the first day of a bar, where they are known.
 */
export function periodBars(
  input: ReportInput,
  period: Period,
  taskId?: string,
  planned: ReadonlyMap<CalendarDate, number> = NOTHING_PLANNED,
): PeriodBars {
  const time = trackedTime(input)
  const seconds = secondsWithin(time, taskId)
  const shown = periodDates(period)
  const buckets = periodBuckets(period).map((bucket) => ({
    bucket,
    seconds: seconds(bucket),
    plan: planned.get(bucket.from) ?? null,
  }))
  const most = Math.max(...buckets.map((bucket) => Math.max(bucket.seconds, bucket.plan ?? 0)))
  const today = localDate(input.now, input.dayRule)
  const leftover = leftoverDays(period)
  return {
    title: breakdownTitle(period),
    totalSeconds: seconds(shown),
    count: sessionCount(time, shown, taskId),
    bars: buckets.map(({ bucket, seconds: all, plan }): Bar => {
      const neighbour = neighbourPart(bucket, shown, seconds)
      return {
        ...bucket,
        seconds: all,
        widthPercent: widthPercent(all, most),
        planned: plan === null ? null : { seconds: plan, widthPercent: widthPercent(plan, most) },
        hoursLabel: all > 3600 ? hoursLabel(all) : null,
        inPeriodSeconds: all - (neighbour?.seconds ?? 0),
        neighbour,
        isCurrent: bucket.from <= today && today < bucket.to,
        isFuture: bucket.from > today,
      }
    }),
    leftover: leftover && { ...leftover, seconds: seconds(leftover) },
  }
}

const NOTHING_PLANNED: ReadonlyMap<CalendarDate, number> = new Map()

/** What the same bar of the period before had, on the scale of the bars. */
export interface GhostBar {
  /** '8 Nov 2026'. */
  readonly dates: string
  readonly seconds: number
  /** In percent of the widest bar: 0, or 8 … 100. */
  readonly widthPercent: number
  /** True if it is longer than the widest bar, and ends before its end. */
  readonly isCut: boolean
}

/** Returns the bars of the period before, to be drawn behind those of a period. Bars come in the same number. */
export function ghostBars(
  input: ReportInput,
  period: Period,
  bars: readonly Bar[],
  taskId?: string,
): GhostBar[] {
  const secondsOn = secondsWithin(trackedTime(input), taskId)
  const before = bucketsBefore(period).map((bucket) => ({
    dates: bucket.dates,
    seconds: secondsOn(bucket),
  }))
  const most =
    Math.max(...bars.map(({ seconds, planned }) => Math.max(seconds, planned?.seconds ?? 0))) ||
    Math.max(...before.map(({ seconds }) => seconds))
  return before.map(({ dates, seconds }) => ({
    dates,
    seconds,
    widthPercent: Math.min(100, widthPercent(seconds, most)),
    isCut: seconds > most,
  }))
}

function widthPercent(seconds: number, most: number): number {
  return seconds > 0 ? Math.max(MIN_BAR_PERCENT, (100 * seconds) / most) : 0
}

/** Returns the first of the days with work, of one task or of all; the first day if none has. */
export function firstWorkedDay(
  input: ReportInput,
  { from, to }: DateRange,
  taskId?: string,
): CalendarDate {
  const seconds = secondsWithin(trackedTime(input), taskId)
  for (let date = from; date < to; date = addDays(date, 1)) {
    if (seconds({ from: date, to: addDays(date, 1) }) > 0) return date
  }
  return from
}

/** Returns the last of the days with work, of one task or of all; the last day if none has. */
export function lastWorkedDay(
  input: ReportInput,
  { from, to }: DateRange,
  taskId?: string,
): CalendarDate {
  const seconds = secondsWithin(trackedTime(input), taskId)
  for (let date = addDays(to, -1); date >= from; date = addDays(date, -1)) {
    if (seconds({ from: date, to: addDays(date, 1) }) > 0) return date
  }
  return addDays(to, -1)
}

/** Counts the sessions of some days, of one task or of all. */
export function sessionCount(time: TrackedTime, dates: DateRange, taskId?: string): SessionCount {
  return { ...sessionsWithin(time.worked, dates, taskId), hasLive: hasLive(time, dates, taskId) }
}

/** Returns whether the running timer started within the days or has time in them. */
function hasLive({ live, livePieces, worked }: TrackedTime, dates: DateRange, taskId?: string) {
  if (live === null || (taskId !== undefined && live.taskId !== taskId)) return false
  const started = localDate(live.startedAt, worked.dayRule)
  const from = dayNumber(dates.from)
  const to = dayNumber(dates.to)
  return (
    (started >= dates.from && started < dates.to) ||
    livePieces.some(({ day }) => day >= from && day < to)
  )
}

/**
 * Returns the days of a bar outside of the shown period: before a month's first day or after its
 * last.
 */
function neighbourPart(
  bar: DateRange,
  shown: DateRange,
  secondsIn: (dates: DateRange) => number,
): NeighbourPart | null {
  const outside = outsideDays(bar, shown)
  if (!outside) return null
  return {
    ...outside,
    month: monthName(outside.from),
    dates: formatDates(outside),
    seconds: secondsIn(outside),
  }
}

function outsideDays(bar: DateRange, shown: DateRange): DateRange | null {
  if (bar.from < shown.from) return { from: bar.from, to: earlier(bar.to, shown.from) }
  if (bar.to > shown.to) return { from: later(bar.from, shown.to), to: bar.to }
  return null
}

function earlier(a: CalendarDate, b: CalendarDate): CalendarDate {
  return a < b ? a : b
}

function later(a: CalendarDate, b: CalendarDate): CalendarDate {
  return a > b ? a : b
}
