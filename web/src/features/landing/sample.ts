/**
 * The sample data of the landing page: four weeks of November. It is made up, marked as sample data,
 * and calculated by the same functions as real time.
 */
import { t } from '@stint/core/text.ts'
import { dayRuleOf } from '@stint/core/time/day-rule.ts'
import { periodOf } from '@stint/core/time/period.ts'
import type { ReportInput } from '@stint/core/reports/report-input.ts'
import { newTask, storedColor } from '@stint/core/record/task.ts'
import type { Task, TaskColor } from '@stint/core/record/task.ts'
import type { RunningTimer } from '@stint/core/timer/timer.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { entryFromStopped, entryFromTimer } from '@stint/core/record/time-entry.ts'
import { NO_PAUSES } from '@stint/core/timer/pauses.ts'
import { startTimer, stoppedBetween } from '@stint/core/timer/timer.ts'

import { SAMPLE_ELAPSED_SECONDS } from './run-demo.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Friday 20 November 2026, 14:54:37, in a time zone without daylight saving. */
const NOW = Date.UTC(2026, 10, 20, 14, 54, 37)
const FIRST_MONDAY = Date.UTC(2026, 9, 26)

/** The task of the sample timer and of the sample analytics. */
export const SAMPLE_TASK_ID = 'redesign'

export const SAMPLE_TASKS: readonly Task[] = [
  task('redesign', t('Website redesign'), 'violet', 4),
  task('proposal', t('Client proposal'), 'orange', 3),
  task('calls', t('Customer calls'), 'teal', 2),
  task('reading', t('Read papers'), 'sky', 1),
  task('invoices', t('Invoices and taxes'), 'magenta', 0),
]

const TIMER: RunningTimer = startTimer('now', SAMPLE_TASK_ID, NOW - SAMPLE_ELAPSED_SECONDS * 1000)

/** A working week from Monday: task, start and end in hours, and a pause if there was one. */
type Stint = readonly [
  taskId: string,
  start: number,
  end: number,
  pause?: readonly [number, number],
]
const WEEK: readonly (readonly Stint[])[] = [
  [
    ['reading', 8.5, 9.4],
    ['redesign', 9.5, 11.9, [10.4, 10.6]],
    ['calls', 13, 14.6],
    ['invoices', 14.8, 16.3],
  ],
  [
    ['redesign', 8.75, 11.6, [10.2, 10.5]],
    ['proposal', 12.7, 16.9, [15, 15.2]],
  ],
  [
    ['calls', 9, 10.9],
    ['redesign', 11, 12.2],
    ['proposal', 13.4, 15.3],
    ['reading', 15.6, 17.2],
  ],
  [
    ['invoices', 8.6, 9.8],
    ['redesign', 10, 12.3],
    ['redesign', 13.2, 16.1, [14.6, 14.9]],
    ['proposal', 20.2, 21.6],
  ],
  [
    ['proposal', 9.1, 11.6, [10.1, 10.3]],
    ['calls', 13, 14.2],
    ['reading', 15.2, 16.1],
  ],
]

/** The input of the page's figures and charts. */
export const SAMPLE: ReportInput = {
  entries: sampleEntries(),
  live: entryFromTimer(TIMER, NOW),
  tasks: SAMPLE_TASKS,
  dayRule: dayRuleOf('UTC'),
  now: NOW,
}

/** The periods that the charts show. */
export const SAMPLE_MONTH = periodOf('monthly', NOW, SAMPLE.dayRule)
export const SAMPLE_WEEK = periodOf('weekly', NOW, SAMPLE.dayRule)

/** Returns four weeks of entries up to now. Each week varies by a few minutes. */
function sampleEntries(): TimeEntry[] {
  return [0, 1, 2, 3].flatMap((week) =>
    WEEK.flatMap((stints, weekday) =>
      stints.flatMap(([taskId, start, end, pause], place) => {
        const day = FIRST_MONDAY + (7 * week + weekday) * DAY
        const shift = ((week * 37 + weekday * 11 + place * 5) % 23) / 60
        const at = (hour: number) => day + Math.round((hour + shift) * 60) * 60_000
        if (at(end) > NOW) return []
        const pauses = pause
          ? { ...NO_PAUSES, intervals: [{ start: at(pause[0]), end: at(pause[1]) }] }
          : NO_PAUSES
        const id = `${week}-${weekday}-${place}`
        return [entryFromStopped(stoppedBetween(id, taskId, at(start), at(end), pauses))]
      }),
    ),
  )
}

/**
 * Creates a task. `place` counts from the oldest, as tasks are listed newest first and coloured by age.
 */
function task(id: string, name: string, color: TaskColor, place: number): Task {
  const createdAt = FIRST_MONDAY - 30 * DAY + place * HOUR
  return { ...newTask(id, name, createdAt), color: storedColor(color) }
}
