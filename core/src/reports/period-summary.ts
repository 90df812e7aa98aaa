/** What one sentence says about a period: how much, compared with the one before, and mostly on what. */
import { addDays, daysBetween, localDate, startOfDate, startOfDay } from '#time/calendar.ts'
import { isCurrentPeriod, periodDates, stepPeriod } from '#time/period.ts'
import type { Period } from '#time/period.ts'
import { explain } from './explanation.ts'
import type { ReportInput } from './report-input.ts'
import { secondsWithin, trackedTime } from './report-input.ts'
import { taskBreakdown } from './task-breakdown.ts'

export interface PeriodSummary {
  readonly totalSeconds: number
  /** The period before: all of it, or as much of it as has passed of the current period. */
  readonly secondsBefore: number
  /** True if the period is the current one. */
  readonly isCurrent: boolean
  /** The task with at least half of the time; null if none has. */
  readonly main: { readonly name: string; readonly hasAll: boolean } | null
}

/** Summarises the work of a period, of all tasks. */
export function periodSummary(input: ReportInput, period: Period): PeriodSummary {
  const { rows, totalSeconds } = taskBreakdown(input, period)
  const [top] = rows
  const isCurrent = isCurrentPeriod(period, input.now, input.dayRule)
  return {
    totalSeconds,
    secondsBefore: secondsBefore(input, period, isCurrent),
    isCurrent,
    main:
      top && 2 * top.seconds >= totalSeconds
        ? { name: top.name, hasAll: top.seconds === totalSeconds }
        : null,
  }
}

function secondsBefore(input: ReportInput, period: Period, isCurrent: boolean): number {
  const { now, dayRule } = input
  const dates = periodDates(stepPeriod(period, -1))
  const secondsOn = secondsWithin(trackedTime(input))
  if (!isCurrent) return secondsOn(dates)
  const sameDay = addDays(dates.from, daysBetween(period.from, localDate(now, dayRule)))
  // The month before may have fewer days.
  if (sameDay >= dates.to) return secondsOn(dates)
  const start = startOfDate(sameDay, dayRule)
  const end = Math.min(
    start + (now - startOfDay(now, dayRule)),
    startOfDate(addDays(sameDay, 1), dayRule),
  )
  const { totalSeconds } = explain(input, [{ start, end }])
  return secondsOn({ from: dates.from, to: sameDay }) + totalSeconds
}
