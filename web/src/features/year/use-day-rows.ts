import { dayRows } from '@stint/core/reports/day-rows.ts'
import type { RowMark, TaskMarks } from '@stint/core/reports/day-rows.ts'
import type { ReportInput } from '@stint/core/reports/report-input.ts'
import { nameInReports } from '@stint/core/record/task.ts'
import type { DateRange } from '@stint/core/time/calendar.ts'
import { useMemo } from 'react'

import { useTasks } from '#hooks/use-tasks.ts'
import { tint } from '#ui/tint.ts'

/** The work of a task as it is drawn. */
export interface DrawnTask extends TaskMarks {
  readonly name: string
  /** A CSS colour. */
  readonly color: string
}

/** Returns the work in the days by task, the task with the most time first. */
export function useDayRows(input: ReportInput, { from, to }: DateRange): readonly DrawnTask[] {
  const { colors } = useTasks()
  return useMemo(() => {
    const names = new Map(input.tasks.map((task) => [task.id, nameInReports(task)]))
    return dayRows(input, { from, to }).map((each) => ({
      ...each,
      name: names.get(each.taskId) ?? nameInReports(undefined),
      color: tint(colors.get(each.taskId) ?? 'slate'),
    }))
  }, [input, from, to, colors])
}

/** How wide a row is in units of its picture, and how wide a mark is at least, so that it can be seen. */
export const ROW_UNITS = 1440
const MIN_UNITS = 4

/** Returns the marks as the data of an SVG path, a unit high in each row and `ROW_UNITS` wide. */
export function pathOf(marks: readonly RowMark[]): string {
  return marks
    .map(({ row, start, end }) => {
      const width = Math.max(MIN_UNITS, (end - start) * ROW_UNITS)
      const left = Math.min(start * ROW_UNITS, ROW_UNITS - width)
      return `M${left.toFixed(1)} ${row}h${width.toFixed(1)}v1h-${width.toFixed(1)}z`
    })
    .join('')
}
