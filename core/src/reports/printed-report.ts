/** The printed report: all work in a range, by task, by day and by session. */
import type { CalendarDate, DateRange } from '#time/calendar.ts'
import { dateOfDay, dayNumber, intervalOfDates } from '#time/calendar.ts'
import { percentText } from '#number-words.ts'
import type { Contribution } from './explanation.ts'
import { ALL_TIME, countOf, explain } from './explanation.ts'
import type { ReportInput } from './report-input.ts'
import { trackedTime } from './report-input.ts'
import { sharesOf } from './task-breakdown.ts'
import type { SessionCount } from './session-count.ts'
import { secondsOfDays } from './worked-days.ts'

export interface PrintedReport {
  readonly totalSeconds: number
  readonly count: SessionCount
  /** Tasks with sessions in the range, most time first. */
  readonly tasks: readonly PrintedTask[]
  /** Days with work in the range, in order. */
  readonly days: readonly { readonly date: CalendarDate; readonly seconds: number }[]
  /** Oldest first, each with the part that lies in the range. */
  readonly sessions: readonly Contribution[]
}
export interface PrintedTask {
  readonly taskId: string
  /** 'Name', 'Name (deleted)' or 'Unknown task'. */
  readonly name: string
  readonly count: SessionCount
  readonly seconds: number
  /** '33.4%'. The percentages sum to 100.0, unless there is no time at all. */
  readonly percentLabel: string
}

/**
 * Returns the report of the days, or of all time. Only saved work is counted, as the reports count
 * it: work over midnight counts on both days. Each of the three lists sums to the total.
 */
export function printedReport(input: ReportInput, dates: DateRange | null): PrintedReport {
  const saved = { ...input, live: null }
  const intervals = dates === null ? ALL_TIME : [intervalOfDates(dates, input.dayRule)]
  const { rows, totalSeconds, count } = explain(saved, intervals)
  return {
    totalSeconds,
    count,
    tasks: printedTasks(rows),
    days: workedDaysOf(saved, dates),
    sessions: rows.toReversed(),
  }
}

function printedTasks(rows: readonly Contribution[]): PrintedTask[] {
  const tasks = [...Map.groupBy(rows, ({ entry }) => entry.taskId)]
    .map(([taskId, ofTask]) => ({
      taskId,
      name: ofTask[0]?.taskName ?? '',
      count: countOf(ofTask),
      seconds: ofTask.reduce((sum, row) => sum + row.countedSeconds, 0),
    }))
    .sort((a, b) => b.seconds - a.seconds || (a.name < b.name ? -1 : 1))
  const permille = sharesOf(
    tasks.map((task) => task.seconds),
    1000,
  )
  return tasks.map((task, index) => ({
    ...task,
    percentLabel: percentText((permille[index] ?? 0) / 10, 1),
  }))
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
