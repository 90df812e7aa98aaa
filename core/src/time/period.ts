/**
 * The period that a report shows: a week from Sunday (or the chosen weekday), a month, a year, or any
 * range of days. It is part of the page's address, so that Back works and a link can be shared.
 */
import { t } from '#text.ts'
import type { DayRule } from './day-rule.ts'
import type { CalendarDate, DateRange } from './calendar.ts'
import {
  addDays,
  addMonths,
  daysBetween,
  formatDate,
  formatDates,
  formatFullDate,
  formatFullDates,
  isCalendarDate,
  isoWeek,
  lastDay,
  localDate,
  monthAndYear,
  monthsBetween,
  shortMonthName,
  shortWeekdayName,
  startOfMonth,
  startOfWeek,
  startOfYear,
  weekday,
  yearOf,
} from './calendar.ts'

/** The periods of the calendar, which Weekly, Monthly and Yearly show. */
export const PERIOD_VIEWS = ['weekly', 'monthly', 'yearly'] as const
export type PeriodView = (typeof PERIOD_VIEWS)[number]

interface WithWeeks {
  /** The weekday that weeks begin with, 0 for Sunday … 6. Default: Sunday. */
  readonly weekStart?: number
}

export interface CalendarPeriod extends WithWeeks {
  readonly view: PeriodView
  /** Its first day: the first weekday of a week, the 1st of a month, 1 January of a year. */
  readonly from: CalendarDate
}

/** Any days, at least one and at most `MAX_RANGE_DAYS`. */
export interface RangePeriod extends DateRange, WithWeeks {
  readonly view: 'range'
}

export type Period = CalendarPeriod | RangePeriod

/** How long a range may be: a hundred years. */
export const MAX_RANGE_DAYS = 36_525

/** What one bar of the chart covers. At the edges of a range, it is only a part of it. */
export type BarUnit = 'day' | 'week' | 'month' | 'year'

/** The days that one bar of the chart covers. */
export interface Bucket extends DateRange {
  readonly unit: BarUnit
  /**
   * The label of the bar: 'Sun', 'Week 1', 'Jan', '2026'. Weeks that begin on Monday have their
   * number by ISO 8601.
   */
  readonly label: string
  /** What stands beside the label: '15 Nov', '26 Jul – 1 Aug'; the year of a range's months. */
  readonly beside: string | null
  /** The dates in its tooltip: '15 Nov 2026', '26 Jul – 1 Aug 2026', 'January 2026'. */
  readonly dates: string
}

/** The headings of the bar chart. */
const BREAKDOWN_TITLES: Readonly<Record<BarUnit, string>> = {
  day: t('Daily Breakdown'),
  week: t('Weekly Breakdown'),
  month: t('Monthly Breakdown'),
  year: t('Yearly Breakdown'),
}

/** The monthly chart always shows five weeks, whatever the length of the month. */
const WEEKS_OF_MONTHLY_VIEW = 5

/** The longest ranges whose bars are days, weeks (half a year) and months (five years). */
const MAX_DAYS: Readonly<Record<BarUnit, number>> = {
  day: 31,
  week: 184,
  month: 5 * 366,
  year: Infinity,
}

/** Returns the heading of the bar chart: 'Daily Breakdown'. */
export function breakdownTitle(period: Period): string {
  return BREAKDOWN_TITLES[barUnit(period)]
}

/** Returns what each bar of the period covers. */
export function barUnit(period: Period): BarUnit {
  switch (period.view) {
    case 'weekly':
      return 'day'
    case 'monthly':
      return 'week'
    case 'yearly':
      return 'month'
    case 'range': {
      const days = daysBetween(period.from, period.to)
      const units = ['day', 'week', 'month'] as const
      return units.find((unit) => days <= MAX_DAYS[unit]) ?? 'year'
    }
  }
}

/** Returns the period of the view that contains `instant`, by the day rule. */
export function periodOf(
  view: PeriodView,
  instant: number,
  dayRule: DayRule,
  weekStart?: number,
): CalendarPeriod {
  return periodContaining(view, localDate(instant, dayRule), weekStart)
}

/** Returns the period of the view that contains the date. */
export function periodContaining(
  view: PeriodView,
  date: CalendarDate,
  weekStart = 0,
): CalendarPeriod {
  switch (view) {
    case 'weekly':
      return { view, from: startOfWeek(date, weekStart), ...weeksFrom(weekStart) }
    case 'monthly':
      return { view, from: startOfMonth(date), ...weeksFrom(weekStart) }
    case 'yearly':
      return { view, from: startOfYear(date), ...weeksFrom(weekStart) }
  }
}

/** Returns the days as a period. */
export function rangePeriod({ from, to }: DateRange, weekStart = 0): RangePeriod {
  return { view: 'range', from, to, ...weeksFrom(weekStart) }
}

function weeksFrom(weekStart: number): WithWeeks {
  return weekStart === 0 ? {} : { weekStart }
}

/**
 * Returns the period `steps` later, or earlier if negative: weeks by 7 days, months from 1st to 1st,
 * a range by its length, which is whole months if it begins and ends with one.
 */
export function stepPeriod(period: Period, steps: number): Period {
  const from = stepped(period, period.from, steps)
  return period.view === 'range'
    ? { ...period, from, to: stepped(period, period.to, steps) }
    : { ...period, from }
}

/**
 * Returns the period of the same view that contains the date. Of a range, it is the one that steps
 * lead to.
 */
export function periodWith(period: Period, date: CalendarDate): Period {
  if (period.view !== 'range') return periodContaining(period.view, date, period.weekStart)
  const { unit, count } = periodLength(period)
  const between = unit === 'month' ? monthsBetween : daysBetween
  const first = unit === 'month' ? startOfMonth(date) : date
  return stepPeriod(period, Math.floor(between(period.from, first) / count))
}

/**
 * Returns the period of another view for the same time: the current period if the shown one is
 * current, else the one that contains its first day.
 */
export function switchView(
  period: Period,
  view: PeriodView,
  now: number,
  dayRule: DayRule,
): CalendarPeriod {
  return isCurrentPeriod(period, now, dayRule)
    ? periodOf(view, now, dayRule, period.weekStart)
    : periodContaining(view, period.from, period.weekStart)
}

/** '15–21 Nov 2026', 'Week 47 · 16–22 Nov 2026', 'August 2026', '2026'. */
export function periodLabel(period: Period): string {
  return datesLabel(periodDates(period), period.weekStart)
}

/** Returns '14 Mar 2026', '3–17 Nov 2026', 'Week 47 · 16–22 Nov 2026', 'March 2026' or '2026'. */
export function datesLabel(dates: DateRange, weekStart?: number): string {
  const { from, to } = dates
  if (from === startOfYear(from) && to === addMonths(from, 12)) return yearOf(from)
  if (from === startOfMonth(from) && to === addMonths(from, 1)) return monthAndYear(from)
  return weekAndDates(dates, weekStart)
}

/**
 * Returns 'Week 47 · 16–22 Nov 2026' for a week of ISO 8601 where weeks begin on Monday, and
 * otherwise the dates alone.
 */
export function weekAndDates(days: DateRange, weekStart: number | undefined): string {
  const dates = formatFullDates(days)
  const isWeek = weekday(days.from) === 1 && days.to === addDays(days.from, 7)
  return weekStart === 1 && isWeek ? `${isoWeekName(days.from)} · ${dates}` : dates
}

/** Returns 'Week 47'. */
function isoWeekName(date: CalendarDate): string {
  return t('calendar|Week {number}', { number: isoWeek(date) })
}

/** Returns the days of the period. */
export function periodDates(period: Period): DateRange {
  return period.view === 'range'
    ? { from: period.from, to: period.to }
    : { from: period.from, to: stepped(period, period.from, 1) }
}

/** By how much a period is stepped. */
export interface PeriodLength {
  readonly unit: 'day' | 'month'
  readonly count: number
}

/** Returns the length of the period: in months if it is whole months of the calendar, else in days. */
export function periodLength(period: Period): PeriodLength {
  switch (period.view) {
    case 'weekly':
      return { unit: 'day', count: 7 }
    case 'monthly':
      return { unit: 'month', count: 1 }
    case 'yearly':
      return { unit: 'month', count: 12 }
    case 'range': {
      const { from, to } = period
      return from === startOfMonth(from) && to === startOfMonth(to)
        ? { unit: 'month', count: monthsBetween(from, to) }
        : { unit: 'day', count: daysBetween(from, to) }
    }
  }
}

/** Returns the date as many lengths of the period later. */
function stepped(period: Period, date: CalendarDate, steps: number): CalendarDate {
  const { unit, count } = periodLength(period)
  return unit === 'month' ? addMonths(date, count * steps) : addDays(date, count * steps)
}

/**
 * Returns the days of each bar: the seven days of a week, the five weeks from the one that contains
 * the 1st, twelve months, or the days, weeks, months or years of a range, which cover exactly its
 * days. The five weeks reach into the neighbouring months and may leave days of the month out: see
 * `leftoverDays`.
 */
export function periodBuckets(period: Period): Bucket[] {
  const { weekStart } = period
  const unit = barUnit(period)
  const days = period.view === 'monthly' ? fiveWeeks(period) : periodDates(period)
  return parted(days, unit, weekStart).map((part, index) => ({
    ...part,
    unit,
    label: labelOf(part.from, unit, index, weekStart),
    beside: besideOf(part, unit, period.view),
    dates: datesOf(part, unit),
  }))
}

/**
 * Returns the bars of the period before that stand behind those of `periodBuckets`, in the same
 * number. Those of a range are its bars moved back, as its own weeks would be cut elsewhere. The days
 * that the range before does not have are empty.
 */
export function bucketsBefore(period: Period): (DateRange & { readonly dates: string })[] {
  const before = stepPeriod(period, -1)
  if (before.view !== 'range') return periodBuckets(before)
  const { unit: length, count } = periodLength(period)
  const unit = barUnit(period)
  const isByMonth = length === 'month' && (unit === 'month' || unit === 'year')
  const back = daysBetween(period.from, before.from)
  const moved = (date: CalendarDate) =>
    earlier(isByMonth ? addMonths(date, -count) : addDays(date, back), before.to)
  return periodBuckets(period).map((bucket) => {
    const part = { from: moved(bucket.from), to: moved(bucket.to) }
    return { ...part, dates: datesOf(part, unit) }
  })
}

/** Returns the days of a month after its fifth bar, '30–31 Aug'; null for most periods. */
export function leftoverDays(period: Period): (DateRange & { readonly dates: string }) | null {
  if (period.view !== 'monthly') return null
  const from = fiveWeeks(period).to
  const { to } = periodDates(period)
  return from < to ? { from, to, dates: formatDates({ from, to }) } : null
}

/** Returns whether `now` is in the period. */
export function isCurrentPeriod(period: Period, now: number, dayRule: DayRule): boolean {
  const { from, to } = periodDates(period)
  const today = localDate(now, dayRule)
  return from <= today && today < to
}

/** Returns whether the period has not begun yet. */
export function isFuturePeriod(period: Period, now: number, dayRule: DayRule): boolean {
  return period.from > localDate(now, dayRule)
}

/**
 * Reads `?from=2026-11-03&to=2026-11-17`, the range with both days, or `?view=weekly&from=2026-01-01`,
 * of which any day of the period is accepted as `from`. What cannot be read falls back to the `usual`
 * view and to the current period.
 */
export function parsePeriod(
  parameters: { get(name: string): string | null },
  now: number,
  dayRule: DayRule,
  weekStart?: number,
  usual: PeriodView = 'weekly',
): Period {
  const view = PERIOD_VIEWS.find((known) => known === parameters.get('view')) ?? usual
  const from = parameters.get('from') ?? ''
  if (!isCalendarDate(from)) return periodOf(view, now, dayRule, weekStart)
  const last = parameters.get('to') ?? ''
  const range = isCalendarDate(last) ? { from, to: addDays(last, 1) } : null
  return range && isRange(range)
    ? rangePeriod(range, weekStart)
    : periodContaining(view, from, weekStart)
}

/** The years of ranges, so that those before and after them have dates too. */
const FIRST_START = '0200-01-01'
const LAST_END = '9800-01-01'

/** Returns whether the days can be a range: at least one, not too many, and in years that are no error. */
export function isRange({ from, to }: DateRange): boolean {
  const days = daysBetween(from, to)
  return days > 0 && days <= MAX_RANGE_DAYS && from >= FIRST_START && to <= LAST_END
}

/** Returns the parameters that `parsePeriod` reads back. */
export function periodParameters(period: Period): Record<string, string> {
  const { view, from } = period
  return view === 'range' ? { from, to: lastDay(period) } : { view, from }
}

/** Returns the five weeks of a month's bars. */
function fiveWeeks({ from: first, weekStart }: CalendarPeriod): DateRange {
  const from = startOfWeek(first, weekStart)
  return { from, to: addDays(from, 7 * WEEKS_OF_MONTHLY_VIEW) }
}

/** Cuts the days where the units of the calendar begin. */
function parted({ from, to }: DateRange, unit: BarUnit, weekStart?: number): DateRange[] {
  const parts: DateRange[] = []
  for (let start = from; start < to;) {
    const end = earlier(nextUnit(start, unit, weekStart), to)
    parts.push({ from: start, to: end })
    start = end
  }
  return parts
}

function nextUnit(date: CalendarDate, unit: BarUnit, weekStart?: number): CalendarDate {
  switch (unit) {
    case 'day':
      return addDays(date, 1)
    case 'week':
      return addDays(startOfWeek(date, weekStart), 7)
    case 'month':
      return addMonths(startOfMonth(date), 1)
    case 'year':
      return addMonths(startOfYear(date), 12)
  }
}

function labelOf(from: CalendarDate, unit: BarUnit, index: number, weekStart?: number): string {
  switch (unit) {
    case 'day':
      return shortWeekdayName(from)
    case 'week':
      return weekStart === 1 ? isoWeekName(from) : t('Week {number}', { number: index + 1 })
    case 'month':
      return shortMonthName(from)
    case 'year':
      return yearOf(from)
  }
}

function besideOf(part: DateRange, unit: BarUnit, view: Period['view']): string | null {
  switch (unit) {
    case 'day':
      return formatDate(part.from)
    case 'week':
      return formatDates(part)
    case 'month':
      return view === 'range' ? yearOf(part.from) : null
    case 'year':
      return null
  }
}

/** Returns the days of a bar. A whole month is 'January 2026', a whole year '2026'. */
function datesOf(part: DateRange, unit: BarUnit): string {
  if (unit === 'day') return formatFullDate(part.from)
  return unit === 'week' ? formatFullDates(part) : datesLabel(part)
}

function earlier(a: CalendarDate, b: CalendarDate): CalendarDate {
  return a < b ? a : b
}
