/** The period a page shows. It lives in the address: Back works, and a link can be shared. */
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
  /** One period on, or back with −1. */
  readonly step: (steps: number) => void
  readonly show: (view: PeriodView) => void
  /** To the period that holds today, whatever day that will be when the link is opened. */
  readonly showCurrent: () => void
}

/** Reads `?view=weekly&from=2026-01-01`; what cannot be read is the current week. */
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

/** The address of a period on the page that is open: a path relative to it. */
export function periodPath(period: Period): string {
  return `?${new URLSearchParams(periodParameters(period)).toString()}`
}
