/** The parts of a period's bars: the tasks of the breakdown, in its order and colours. */
import type { TaskColor } from '#record/task.ts'
import type { DateRange } from '#time/calendar.ts'
import type { Period } from '#time/period.ts'
import { periodBuckets, periodDates } from '#time/period.ts'
import type { ReportInput } from './report-input.ts'
import { secondsByTaskWithinEach, trackedTime } from './report-input.ts'
import { percentLabel, squaresOf, taskBreakdown } from './task-breakdown.ts'

export interface BarPart {
  /** The days of the bar that are in the period. */
  readonly days: DateRange
  /** The task; the other tasks together if the breakdown does not name them. */
  readonly taskIds: readonly string[]
  /** Null for the other tasks. */
  readonly name: string | null
  readonly color: TaskColor | null
  /** Whole seconds above 0. */
  readonly seconds: number
  /** The share of the bar's time in the period, '34%'. The shares of a bar sum to 100. */
  readonly percentLabel: string
}

/**
 * Returns the parts of each bar of `periodBars`. They sum to its seconds in the period: days of a
 * neighbouring month are no part.
 */
export function barParts(input: ReportInput, period: Period): readonly (readonly BarPart[])[] {
  const time = trackedTime(input)
  const shown = periodDates(period)
  const { rows } = taskBreakdown(input, period)
  const ranges = periodBuckets(period).map(({ from, to }) => ({
    from: from < shown.from ? shown.from : from,
    to: to > shown.to ? shown.to : to,
  }))
  return secondsByTaskWithinEach(time, ranges).map((seconds, bar) => {
    const days = ranges[bar] ?? shown
    const named = rows.map(({ taskId, name, color }) => {
      const ofTask = seconds.get(taskId) ?? 0
      seconds.delete(taskId)
      return { taskIds: [taskId], name, color, seconds: ofTask }
    })
    const others = [...seconds].filter(([, each]) => each > 0)
    const rest = {
      taskIds: others.map(([taskId]) => taskId),
      name: null,
      color: null,
      seconds: others.reduce((sum, [, each]) => sum + each, 0),
    }
    const parts = [...named, rest].filter((part) => part.seconds > 0)
    const squares = squaresOf(parts.map((part) => part.seconds))
    return parts.map((part, index) => ({
      ...part,
      days,
      percentLabel: percentLabel(squares[index] ?? 0),
    }))
  })
}
