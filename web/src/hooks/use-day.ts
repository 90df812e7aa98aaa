/** The day of the day timeline. It is in the URL, so that Back works and a link can be shared. */
import { lastWorkedDay } from '@stint/core/reports/period-bars.ts'
import type { ReportInput } from '@stint/core/reports/report-input.ts'
import { isCalendarDate, localDate } from '@stint/core/time/calendar.ts'
import type { CalendarDate } from '@stint/core/time/calendar.ts'
import { isCurrentPeriod, periodDates } from '@stint/core/time/period.ts'
import type { Period } from '@stint/core/time/period.ts'

import { useSearchParams } from '#ui/navigation.tsx'

/**
 * Returns the day that the day timeline of a page shows when the URL has none: today in the current period,
 * in another one its last day with work, of one task or of all.
 */
export function usualDay(input: ReportInput, period: Period, taskId?: string): CalendarDate {
  const { now, dayRule } = input
  return isCurrentPeriod(period, now, dayRule)
    ? localDate(now, dayRule)
    : lastWorkedDay(input, periodDates(period), taskId)
}

/**
 * Returns the day of the day timeline in the URL, `?day=2026-11-18`, null without a valid one, and a function
 * that shows a day. The URL omits `usual`, which must be the `usualDay` of the page.
 */
export function useDay(): {
  readonly date: CalendarDate | null
  readonly show: (date: CalendarDate, usual: CalendarDate) => void
} {
  const [parameters, setParameters] = useSearchParams()
  const wanted = parameters.get('day')
  return {
    date: wanted !== null && isCalendarDate(wanted) ? wanted : null,
    show: (date, usual) => setParameters(withDay(parameters, date === usual ? null : date)),
  }
}

/** The id of the day timeline's section. */
export const DAY_TIMELINE = 'day-timeline'

/** Scrolls to the day timeline and moves the focus there. */
export function goToDayTimeline(): void {
  const section = document.getElementById(DAY_TIMELINE)
  section?.scrollIntoView({ block: 'start' })
  section?.focus({ preventScroll: true })
}

/** Returns the parameters with the day of the day timeline; null: without one. */
export function withDay(parameters: URLSearchParams, date: CalendarDate | null): URLSearchParams {
  const others = new URLSearchParams(parameters)
  if (date === null) others.delete('day')
  else others.set('day', date)
  return others
}
