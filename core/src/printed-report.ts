/** A report for paper: all that was worked in a range, by task, by day and session by session. */
import type { CalendarDate, DateRange } from './calendar.ts'
import { dateOfDay, dayNumber, intervalOfDates } from './calendar.ts'
import type { Contribution } from './explanation.ts'
import { ALL_TIME, explain } from './explanation.ts'
import type { ReportInput } from './report-input.ts'
import { trackedTime } from './report-input.ts'
import { secondsOfDays } from './worked-days.ts'

export interface PrintedReport {
  readonly totalSeconds: number
  /** Tasks with work in the range, most first. */
  readonly tasks: readonly PrintedTask[]
  /** Days with work in the range, in order. */
  readonly days: readonly { readonly date: CalendarDate; readonly seconds: number }[]
  /** Oldest first, each with the part of it that lies in the range. */
  readonly sessions: readonly Contribution[]
}
export interface PrintedTask {
  readonly taskId: string
  /** 'Name', 'Name (deleted)' or 'Unknown task'. */
  readonly name: string
  readonly sessions: number
  readonly seconds: number
}

/**
 * The report of the days, or of all time. Saved work alone, counted as the reports count it: work
 * over midnight on both days. Each of the three lists sums to the total.
 */
export function printedReport(input: ReportInput, dates: DateRange | null): PrintedReport {
  const saved = { ...input, live: null }
  const intervals = dates === null ? ALL_TIME : [intervalOfDates(dates, input.zone)]
  const { rows, totalSeconds } = explain(saved, intervals)
  const tasks = new Map<
    string,
    { taskId: string; name: string; sessions: number; seconds: number }
  >()
  for (const { entry, taskName, countedSeconds } of rows) {
    const { taskId } = entry
    const task = tasks.get(taskId) ?? { taskId, name: taskName, sessions: 0, seconds: 0 }
    task.sessions++
    task.seconds += countedSeconds
    tasks.set(taskId, task)
  }
  return {
    totalSeconds,
    tasks: [...tasks.values()].sort((a, b) => b.seconds - a.seconds || (a.name < b.name ? -1 : 1)),
    days: workedDaysOf(saved, dates),
    sessions: rows.toReversed(),
  }
}

function workedDaysOf(input: ReportInput, dates: DateRange | null) {
  const { days } = trackedTime(input).worked
  const end = days.firstDay + days.sums.length - 1
  const from = dates === null ? days.firstDay : Math.max(days.firstDay, dayNumber(dates.from))
  const to = dates === null ? end : Math.min(end, dayNumber(dates.to))
  const worked: { date: CalendarDate; seconds: number }[] = []
  for (let day = from; day < to; day++) {
    const seconds = secondsOfDays(days, day, day + 1)
    if (seconds > 0) worked.push({ date: dateOfDay(day), seconds })
  }
  return worked
}
