/** The periods that the picker of a report offers, and those that are typed into it. */
import { t } from '#text.ts'
import { addDays, addMonths, daysBetween, lastDay, startOfQuarter } from './calendar.ts'
import type { CalendarDate } from './calendar.ts'
import { FIRST_DAY, readDates } from './date-text.ts'
import type { DateContext, DatesProblem } from './day-text.ts'
import { isRange, MAX_RANGE_DAYS, periodContaining, rangePeriod, stepPeriod } from './period.ts'
import type { Period, PeriodView, RangePeriod } from './period.ts'

export interface RangePreset {
  /** 'Last quarter'. */
  readonly label: string
  readonly period: Period
}

/**
 * Returns the presets at `today`, in the order of the picker. A week, a month and a year are those of
 * Weekly, Monthly and Yearly.
 * @param firstDay of the history, with which 'All time' begins.
 */
export function rangePresets(
  today: CalendarDate,
  firstDay: CalendarDate,
  weekStart?: number,
): RangePreset[] {
  const days = (from: CalendarDate, to: CalendarDate) => rangePeriod({ from, to }, weekStart)
  const ofView = (view: PeriodView, steps: number) =>
    stepPeriod(periodContaining(view, today, weekStart), steps)
  const tomorrow = addDays(today, 1)
  const first = firstDay < today ? firstDay : today
  const isTooLong = daysBetween(first, tomorrow) > MAX_RANGE_DAYS
  const quarter = startOfQuarter(today)
  const thisQuarter = days(quarter, addMonths(quarter, 3))
  return [
    { label: t('Today'), period: days(today, tomorrow) },
    { label: t('Yesterday'), period: days(addDays(today, -1), today) },
    { label: t('This week'), period: ofView('weekly', 0) },
    { label: t('Last week'), period: ofView('weekly', -1) },
    { label: t('This month'), period: ofView('monthly', 0) },
    { label: t('Last month'), period: ofView('monthly', -1) },
    { label: t('This quarter'), period: thisQuarter },
    { label: t('Last quarter'), period: stepPeriod(thisQuarter, -1) },
    { label: t('This year'), period: ofView('yearly', 0) },
    { label: t('Last year'), period: ofView('yearly', -1) },
    { label: t('Last 30 days'), period: days(addDays(tomorrow, -30), tomorrow) },
    {
      label: t('All time'),
      period: days(isTooLong ? addDays(tomorrow, -MAX_RANGE_DAYS) : first, tomorrow),
    },
  ]
}

export interface RangeRead {
  readonly kind: 'range'
  readonly period: RangePeriod
}

/**
 * Reads days as people type them: '3–17 Nov', 'last quarter', 'since Monday'. 'Until 3 Nov' begins
 * with the history.
 * @param firstDay of the history.
 */
export function readRange(
  text: string,
  firstDay: CalendarDate,
  context: DateContext,
): RangeRead | DatesProblem {
  const read = readDates(text, context)
  if (read.kind === 'problem') return read
  const { from, to } = read.dates
  const last = lastDay(read.dates)
  const first = from === FIRST_DAY ? (firstDay < last ? firstDay : last) : from
  const dates = { from: first, to }
  return isRange(dates)
    ? { kind: 'range', period: rangePeriod(dates, context.weekStart) }
    : { kind: 'problem', message: t('A report has at most 100 years.') }
}
