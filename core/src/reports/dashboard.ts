/** The figures of the dashboard. Times are whole seconds; days are the viewer's. */
import type { Task, TaskColor } from '#record/task.ts'
import { activeTasks, taskColors } from '#record/task.ts'
import type { ReportInput } from './report-input.ts'
import { secondsByTaskWithin, secondsWithin, todayOf, trackedTime } from './report-input.ts'

/** The dashboard's cards and its Quick Start list, which the task list uses too. */
export interface Dashboard {
  readonly todaySeconds: number
  /** Tasks with time today, deleted ones included. */
  readonly tasksWorkedOn: number
  /** Active tasks. */
  readonly totalTasks: number
  /** Active tasks, newest first. */
  readonly rows: readonly TaskRow[]
}
export interface TaskRow {
  readonly task: Task
  /** '01', '02' …, in the order of the list. */
  readonly number: string
  readonly color: TaskColor
  readonly todaySeconds: number
  readonly totalSeconds: number
}

/**
 * Returns the three cards, Total Time Today, Tasks Worked On and Total Tasks, and each active
 * task's times.
 */
export function dashboard(input: ReportInput): Dashboard {
  const time = trackedTime(input)
  const { worked, live } = time
  const today = todayOf(input)
  const todayByTask = secondsByTaskWithin(time, today)
  const colors = taskColors(input.tasks)
  const tasks = activeTasks(input.tasks)
  return {
    todaySeconds: secondsWithin(time)(today),
    tasksWorkedOn: [...todayByTask.values()].filter((seconds) => seconds > 0).length,
    totalTasks: tasks.length,
    rows: tasks.map((task, index) => ({
      task,
      number: String(index + 1).padStart(2, '0'),
      color: colors.get(task.id) ?? 'blue',
      todaySeconds: todayByTask.get(task.id) ?? 0,
      totalSeconds:
        (worked.taskSeconds[worked.taskIndexes.get(task.id) ?? -1] ?? 0) +
        (live?.taskId === task.id ? live.durationSeconds : 0),
    })),
  }
}
