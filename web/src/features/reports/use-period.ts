/** The period of a page. It is in the URL, so that Back works and a link can be shared. */
import { localDate } from '@stint/core/time/calendar.ts'
import type { CalendarDate } from '@stint/core/time/calendar.ts'
import type { Period, PeriodView } from '@stint/core/time/period.ts'
import {
  isCurrentPeriod,
  parsePeriod,
  periodContaining,
  periodParameters,
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
  /** Moves by a number of periods, negative for earlier ones, and the day timeline with it. */
  readonly step: (steps: number) => void
  readonly show: (view: PeriodView) => void
  /** Shows the period that contains the date, in the same view, and the day in the day timeline. */
  readonly goTo: (date: CalendarDate) => void
  /**
   * Shows the current period, and today in the day timeline. The URL has no date, so a shared link shows
   * the period in which it is opened.
   */
  readonly showCurrent: () => void
}

/**
 * Reads the period from a URL such as `?view=weekly&from=2026-01-01`; invalid values give the current
 * week.
 */
export function usePeriod({
  now,
  dayRule,
  weekStart,
}: Pick<ReportInput, 'now' | 'dayRule' | 'weekStart'>): ShownPeriod {
  const [parameters, setParameters] = useSearchParams()
  const { view, from } = parsePeriod(parameters, now, dayRule, weekStart)
  const period = useMemo(() => periodContaining(view, from, weekStart), [view, from, weekStart])
  const open = (next: Readonly<Record<string, string>>) =>
    setParameters(withPeriod(parameters, next))
  const today = localDate(now, dayRule)
  return {
    period,
    isCurrent: isCurrentPeriod(period, now, dayRule),
    step: (steps) => {
      const next = withPeriod(parameters, periodParameters(stepPeriod(period, steps)))
      setParameters(withDay(next, null))
    },
    show: (next) => open(periodParameters(switchView(period, next, now, dayRule))),
    goTo: (date) => {
      const next = withPeriod(parameters, periodParameters(periodContaining(view, date, weekStart)))
      setParameters(withDay(next, date === today ? null : date))
    },
    showCurrent: () => setParameters(withDay(withPeriod(parameters, { view }), null)),
  }
}

/** Returns the URL of a period, relative to the current page, with the other parameters kept. */
export function periodPath(period: Period, parameters: URLSearchParams): string {
  return `?${withPeriod(parameters, periodParameters(period)).toString()}`
}

function withPeriod(
  parameters: URLSearchParams,
  period: Readonly<Record<string, string>>,
): URLSearchParams {
  const others = [...parameters].filter(([name]) => name !== 'view' && name !== 'from')
  return new URLSearchParams([...Object.entries(period), ...others])
}
