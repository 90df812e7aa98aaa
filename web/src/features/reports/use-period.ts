/** The period of a page. It is in the URL, so that Back works and a link can be shared. */
import { lastDay, localDate } from '@stint/core/time/calendar.ts'
import type { CalendarDate, DateRange } from '@stint/core/time/calendar.ts'
import type { Period, PeriodView } from '@stint/core/time/period.ts'
import {
  isCurrentPeriod,
  parsePeriod,
  periodContaining,
  periodDates,
  periodParameters,
  periodWith,
  rangePeriod,
  stepPeriod,
  switchView,
} from '@stint/core/time/period.ts'
import type { ReportInput } from '@stint/core/reports/report-input.ts'
import { useMemo } from 'react'
import { withDay } from '#hooks/use-day.ts'
import { useSearchParams } from '#ui/navigation.tsx'

export interface ShownPeriod {
  readonly period: Period
  readonly isCurrent: boolean
  /** The period alone, as parameters of another page's URL: '?view=monthly&from=2026-11-01'. */
  readonly search: string
  /** The URL where the chosen days are exported and printed. */
  readonly exportPath: string
  /** Moves by a number of periods, negative for earlier ones, and the day timeline with it. */
  readonly step: (steps: number) => void
  readonly show: (view: PeriodView) => void
  readonly open: (period: Period) => void
  /** Shows the period that contains the date, in the same view, and the day in the day timeline. */
  readonly goTo: (date: CalendarDate) => void
  /**
   * Shows the current period, and today in the day timeline. The URL of a view has no date, so a shared
   * link shows the period in which it is opened.
   */
  readonly showCurrent: () => void
}

/**
 * Reads the period from a URL such as `?view=weekly&from=2026-01-01` or `?from=2026-11-03&to=2026-11-17`;
 * invalid values give the current week, or the period of the `usual` view.
 */
export function usePeriod(
  { now, dayRule, weekStart }: Pick<ReportInput, 'now' | 'dayRule' | 'weekStart'>,
  usual: PeriodView = 'weekly',
): ShownPeriod {
  const [parameters, setParameters] = useSearchParams()
  const read = parsePeriod(parameters, now, dayRule, weekStart, usual)
  const { view } = read
  const { from, to } = periodDates(read)
  const period = useMemo(
    () =>
      view === 'range'
        ? rangePeriod({ from, to }, weekStart)
        : periodContaining(view, from, weekStart),
    [view, from, to, weekStart],
  )
  const open = (next: Period, day: CalendarDate | null = null) =>
    setParameters(withDay(withPeriod(parameters, periodParameters(next)), day))
  const today = localDate(now, dayRule)
  return {
    period,
    isCurrent: isCurrentPeriod(period, now, dayRule),
    search: periodPath(period, new URLSearchParams()),
    exportPath: parameters.has('from') ? exportPath({ from, to }) : '/data',
    step: (steps) => open(stepPeriod(period, steps)),
    show: (next) =>
      setParameters(
        withPeriod(parameters, periodParameters(switchView(period, next, now, dayRule))),
      ),
    open: (next) => open(next),
    goTo: (date) => open(periodWith(period, date), date === today ? null : date),
    showCurrent: () =>
      view === 'range'
        ? open(periodWith(period, today))
        : setParameters(withDay(withPeriod(parameters, { view }), null)),
  }
}

function exportPath(dates: DateRange): string {
  const days = new URLSearchParams({ range: 'custom', from: dates.from, to: lastDay(dates) })
  return `/data?${days.toString()}`
}

/** Returns the URL of a period, relative to the current page, with the other parameters kept. */
export function periodPath(period: Period, parameters: URLSearchParams): string {
  return `?${withPeriod(parameters, periodParameters(period)).toString()}`
}

const PARAMETERS = ['view', 'from', 'to']

function withPeriod(
  parameters: URLSearchParams,
  period: Readonly<Record<string, string>>,
): URLSearchParams {
  const others = [...parameters].filter(([name]) => !PARAMETERS.includes(name))
  return new URLSearchParams([...Object.entries(period), ...others])
}
