/**
 * Days below each other, a row of 24 hours for each, with the work of every task: the picture of a
 * year or of a month. A row is the clock, from the hour at which days begin: work at 9:00 stands
 * below other work at 9:00, also on a day with a changed clock. There the hour that the clock shows
 * twice is drawn once, and the one that it leaves out is empty.
 */
import { addDays, dateOfDay, dayIndexAt, dayTable, wallClockStretches } from '#time/calendar.ts'
import type { DateRange, DayTable } from '#time/calendar.ts'
import { clipIntervals, intervalsBetween } from '#time/instant.ts'
import type { Interval } from '#time/instant.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import type { ReportInput } from './report-input.ts'
import { secondsByTaskWithin, trackedTime } from './report-input.ts'
import { entriesTouching } from './worked-days.ts'
import { workedUntil } from './worked-time.ts'

/** A stretch of work on one row. */
export interface RowMark {
  /** The day, 0 for the first. */
  readonly row: number
  /** Where it begins and ends, in shares of 24 hours from the left: 0 … 1. */
  readonly start: number
  readonly end: number
}

/** The work of one task. */
export interface TaskMarks {
  readonly taskId: string
  /** All its seconds in the days, as in reports. */
  readonly seconds: number
  readonly marks: readonly RowMark[]
}

const DAY = 86_400_000
const HOUR = 3_600_000

/** Returns the work in the days by task, the running timer included; the task with the most time comes first. */
export function dayRows(input: ReportInput, dates: DateRange): TaskMarks[] {
  const { dayRule } = input
  const time = trackedTime(input)
  const table = dayTable(dates, dayRule)
  const span = { start: table.starts[0] ?? 0, end: table.starts[table.days] ?? 0 }
  const saved = entriesTouching(time.worked, span)
  const marks = new Map<string, RowMark[]>()
  for (const entry of time.live ? [...saved, time.live] : saved) {
    const ofTask = marks.get(entry.taskId) ?? []
    marks.set(entry.taskId, ofTask)
    for (const work of workIn(entry, span)) ofTask.push(...marksOf(work, table))
  }
  return [...secondsByTaskWithin(time, dates)]
    .filter(([, seconds]) => seconds > 0)
    .toSorted(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))
    .map(([taskId, seconds]) => ({ taskId, seconds, marks: marks.get(taskId) ?? [] }))
}

/** Returns the stretches of an entry's work within the span, between its known pauses. */
function workIn(entry: TimeEntry, span: Interval): Interval[] {
  const whole = { start: entry.startedAt, end: workedUntil(entry) }
  return clipIntervals(intervalsBetween(entry.pauses.intervals, whole), span.start, span.end)
}

/** Divides a stretch of work among the rows of the days that it touches. */
function marksOf({ start, end }: Interval, table: DayTable): RowMark[] {
  const marks: RowMark[] = []
  for (let row = dayIndexAt(table, start); row < table.days; row++) {
    const from = table.starts[row] ?? end
    if (from >= end) break
    const until = table.starts[row + 1] ?? end
    const part = { start: Math.max(start, from), end: Math.min(end, until) }
    if (until - from === DAY) {
      marks.push({ row, start: (part.start - from) / DAY, end: (part.end - from) / DAY })
    } else marks.push(...marksByClock(part, row, table))
  }
  return marks
}

/** Places work on a day that is not 24 hours long by what the clock showed. */
function marksByClock(part: Interval, row: number, { firstDay, rule }: DayTable): RowMark[] {
  const date = dateOfDay(firstDay + row)
  // A day that begins late reaches into the next date.
  return [date, addDays(date, 1)].flatMap((each, later) =>
    wallClockStretches(each, rule.timeZone).flatMap((stretch) => {
      const [within] = clipIntervals([part], stretch.start, stretch.end)
      if (!within) return []
      const shift = stretch.wallStart - stretch.start + later * DAY - rule.startHour * HOUR
      const start = Math.max(0, (within.start + shift) / DAY)
      const end = Math.min(1, (within.end + shift) / DAY)
      return end > start ? [{ row, start, end }] : []
    }),
  )
}
