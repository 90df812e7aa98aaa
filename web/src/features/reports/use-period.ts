/** The period of a page. It is in the URL, so that Back works and a link can be shared. */
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
import { useSearchParams } from 'react-router'

export interface ShownPeriod {
  readonly period: Period
  readonly isCurrent: boolean
  /** Moves by a number of periods, negative for earlier ones. */
  readonly step: (steps: number) => void
  readonly show: (view: PeriodView) => void
  /**
   * Shows the current period. Its URL has no date, so a shared link shows the period in which it is
   * opened.
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
  const open = (next: Record<string, string>) => {
    const day = parameters.get('day')
    setParameters(day === null ? next : { ...next, day })
  }
  return {
    period,
    isCurrent: isCurrentPeriod(period, now, dayRule),
    step: (steps) => open(periodParameters(stepPeriod(period, steps))),
    show: (next) => open(periodParameters(switchView(period, next, now, dayRule))),
    showCurrent: () => open({ view }),
  }
}

/** Returns the URL of a period, relative to the current page. */
export function periodPath(period: Period): string {
  return `?${new URLSearchParams(periodParameters(period)).toString()}`
}
