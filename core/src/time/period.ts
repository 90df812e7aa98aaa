/**
 * The period that a report shows: a week from Sunday (or the chosen weekday), a month or a year. It
 * is part of the page's address, so that Back works and a link can be shared.
 */
import { t } from '#text.ts'
import type { DayRule } from './day-rule.ts'
import type { CalendarDate, DateRange } from './calendar.ts'
import {
  addDays,
  addMonths,
  formatDates,
  formatFullDate,
  formatFullDates,
  isCalendarDate,
  localDate,
  monthAndYear,
  shortMonthName,
  shortWeekdayName,
  startOfMonth,
  startOfWeek,
  startOfYear,
  yearOf,
} from './calendar.ts'

export const PERIOD_VIEWS = ['weekly', 'monthly', 'yearly'] as const
export type PeriodView = (typeof PERIOD_VIEWS)[number]

export interface Period {
  readonly view: PeriodView
  /** Its first day: the first weekday of a week, the 1st of a month, 1 January of a year. */
  readonly from: CalendarDate
  /** The weekday that weeks begin with, 0 for Sunday … 6. Default: Sunday. */
  readonly weekStart?: number
}

/** The days that one bar of the chart covers. */
export interface Bucket extends DateRange {
  /** The label under the bar: 'Sun', 'Week 1', 'Jan'. */
  readonly label: string
  /** The dates in its tooltip: '15 Nov 2026', '26 Jul – 1 Aug 2026', 'January 2026'. */
  readonly dates: string
}

/** The headings of the bar chart. */
export const BREAKDOWN_TITLES: Readonly<Record<PeriodView, string>> = {
  weekly: t('Daily Breakdown'),
  monthly: t('Weekly Breakdown'),
  yearly: t('Monthly Breakdown'),
}

/** The monthly chart always shows five weeks, whatever the length of the month. */
const WEEKS_OF_MONTHLY_VIEW = 5

/** Returns the period of the view that contains `instant`, by the day rule. */
export function periodOf(
  view: PeriodView,
  instant: number,
  dayRule: DayRule,
  weekStart?: number,
): Period {
  return periodContaining(view, localDate(instant, dayRule), weekStart)
}

/** Returns the period of the view that contains the date. */
export function periodContaining(view: PeriodView, date: CalendarDate, weekStart = 0): Period {
  const weeks = weekStart === 0 ? {} : { weekStart }
  switch (view) {
    case 'weekly':
      return { view, from: startOfWeek(date, weekStart), ...weeks }
    case 'monthly':
      return { view, from: startOfMonth(date), ...weeks }
    case 'yearly':
      return { view, from: startOfYear(date), ...weeks }
  }
}

/**
 * Returns the period `steps` later, or earlier if negative: weeks by 7 days, months from 1st to
 * 1st.
 */
export function stepPeriod(period: Period, steps: number): Period {
  return { ...period, from: firstDayAfterSteps(period, steps) }
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
): Period {
  return isCurrentPeriod(period, now, dayRule)
    ? periodOf(view, now, dayRule, period.weekStart)
    : periodContaining(view, period.from, period.weekStart)
}

/** '15–21 Nov 2026', 'August 2026', '2026'. */
export function periodLabel(period: Period): string {
  switch (period.view) {
    case 'weekly':
      return formatFullDates(periodDates(period))
    case 'monthly':
      return monthAndYear(period.from)
    case 'yearly':
      return yearOf(period.from)
  }
}

/** Returns the days of the period. */
export function periodDates(period: Period): DateRange {
  return { from: period.from, to: firstDayAfterSteps(period, 1) }
}

/**
 * Returns the days of each bar: seven days, the five weeks from the one that contains the 1st, or
 * twelve months. The five weeks reach into the neighbouring months and may leave days of the month
 * out: see `leftoverDays`.
 */
export function periodBuckets(period: Period): Bucket[] {
  switch (period.view) {
    case 'weekly':
      return times(7, (index) => {
        const from = addDays(period.from, index)
        return {
          from,
          to: addDays(from, 1),
          label: shortWeekdayName(from),
          dates: formatFullDate(from),
        }
      })
    case 'monthly':
      return times(WEEKS_OF_MONTHLY_VIEW, (index) => {
        const from = addDays(startOfWeek(period.from, period.weekStart), 7 * index)
        const to = addDays(from, 7)
        const label = t('Week {number}', { number: index + 1 })
        return { from, to, label, dates: formatFullDates({ from, to }) }
      })
    case 'yearly':
      return times(12, (index) => {
        const from = addMonths(period.from, index)
        return {
          from,
          to: addMonths(from, 1),
          label: shortMonthName(from),
          dates: monthAndYear(from),
        }
      })
  }
}

/** Returns the days of a month after its fifth bar, '30–31 Aug'; null for most periods. */
export function leftoverDays(period: Period): (DateRange & { readonly dates: string }) | null {
  if (period.view !== 'monthly') return null
  const from = addDays(startOfWeek(period.from, period.weekStart), 7 * WEEKS_OF_MONTHLY_VIEW)
  const { to } = periodDates(period)
  return from < to ? { from, to, dates: formatDates({ from, to }) } : null
}

/** Returns whether `now` is in the period. */
export function isCurrentPeriod(period: Period, now: number, dayRule: DayRule): boolean {
  return periodOf(period.view, now, dayRule, period.weekStart).from === period.from
}

/** Returns whether the period has not begun yet. */
export function isFuturePeriod(period: Period, now: number, dayRule: DayRule): boolean {
  return period.from > localDate(now, dayRule)
}

/**
 * Reads `?view=weekly&from=2026-01-01`. Any day of the period is accepted as `from`. What cannot be
 * read falls back to the weekly view and to the current period.
 */
export function parsePeriod(
  parameters: { get(name: string): string | null },
  now: number,
  dayRule: DayRule,
  weekStart?: number,
): Period {
  const view = PERIOD_VIEWS.find((known) => known === parameters.get('view')) ?? 'weekly'
  const from = parameters.get('from')
  return from !== null && isCalendarDate(from)
    ? periodContaining(view, from, weekStart)
    : periodOf(view, now, dayRule, weekStart)
}

/** Returns the parameters that `parsePeriod` reads back. */
export function periodParameters(period: Period): { view: PeriodView; from: CalendarDate } {
  return { view: period.view, from: period.from }
}

function firstDayAfterSteps(period: Period, steps: number): CalendarDate {
  switch (period.view) {
    case 'weekly':
      return addDays(period.from, 7 * steps)
    case 'monthly':
      return addMonths(period.from, steps)
    case 'yearly':
      return addMonths(period.from, 12 * steps)
  }
}

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index))
}
