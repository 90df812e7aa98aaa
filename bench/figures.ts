/**
 * Benchmarks of the figures over ten years of entries, beside plain loops that do the minimum of
 * any program: read each entry once, and add each up once. The goal is any view within one frame of
 * 16 ms.
 */
import { dayTable, intervalOfDates } from '@stint/core/time/calendar.ts'
import { ALL_TIME, explain } from '@stint/core/reports/explanation.ts'
import { periodDates, periodOf } from '@stint/core/time/period.ts'
import type { ReportInput } from '@stint/core/reports/report-input.ts'
import { dashboard } from '@stint/core/reports/dashboard.ts'
import { periodBars } from '@stint/core/reports/period-bars.ts'
import { quickStats } from '@stint/core/reports/quick-stats.ts'
import { taskBreakdown } from '@stint/core/reports/task-breakdown.ts'
import { activityPattern, recentSessions, taskStats } from '@stint/core/reports/task-report.ts'
import { findSessions, prepareNotes } from '@stint/core/reports/found-sessions.ts'
import { parseFilter } from '@stint/core/record/session-filter.ts'
import type { Task } from '@stint/core/record/task.ts'
import { dayRuleOf } from '@stint/core/time/day-rule.ts'
import { NEW_ENTRY } from '@stint/core/record/time-entry.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { prepareEntries } from '@stint/core/reports/worked-days.ts'

export interface FigureResult {
  readonly entries: number
  readonly name: string
  /** The median of the rounds. */
  readonly milliseconds: number
  /** The ratio to the median of the plain loop of the group. */
  readonly ratio: number
}

const SIZES = [1000, 10_000, 100_000]
const TASKS = 200
const DAYS = 3653
const ROUNDS = 15
const DAY_MILLISECONDS = 86_400_000
const ZONE = 'America/New_York'
const FIRST_DATE = '2016-11-01'
const NOW = Date.parse('2026-11-01T12:00:00Z')

/** Runs the benchmarks and prints one line per figure and size. Returns the results. */
export function benchFigures(): FigureResult[] {
  return SIZES.flatMap(figuresOf)
}

function figuresOf(size: number): FigureResult[] {
  const entries = makeEntries(size)
  const tasks = makeTasks()
  const input: ReportInput = {
    entries,
    live: makeLive(),
    tasks,
    dayRule: dayRuleOf(ZONE),
    now: NOW,
  }
  const week = periodOf('weekly', NOW, dayRuleOf(ZONE))
  const month = periodOf('monthly', NOW, dayRuleOf(ZONE))
  const year = periodOf('yearly', NOW, dayRuleOf(ZONE))
  const task = tasks[7] ?? makeTask(7)
  const read = plainReader()
  const columns = read(entries)

  const loading = measure({
    'plain loop over entries': () => read(entries),
    'prepare entries': () => prepareEntries([...entries], dayRuleOf(ZONE)),
  })
  const viewing = measure({
    'plain loop over columns': () => plainSums(columns),
    'quick stats': () => quickStats(input),
    dashboard: () => dashboard(input),
    'breakdown of a week': () => taskBreakdown(input, week),
    'breakdown of a year': () => taskBreakdown(input, year),
    'bars of a week': () => periodBars(input, week),
    'bars of a month': () => periodBars(input, month),
    'bars of a year': () => periodBars(input, year),
    'bars of a task, a year': () => periodBars(input, year, task.id),
    'stats of a task': () => taskStats(input, task),
    'activity pattern of a task': () => activityPattern(input, task.id, week),
    'recent sessions of a task': () => recentSessions(input, task.id),
    'whole reports page': () => [
      quickStats(input),
      taskBreakdown(input, year),
      periodBars(input, year),
    ],
    'whole task page': () => [
      taskStats(input, task),
      periodBars(input, week, task.id),
      activityPattern(input, task.id, week),
      recentSessions(input, task.id),
    ],
    'explain a month': () => explain(input, [intervalOfDates(periodDates(month), dayRuleOf(ZONE))]),
    'explain ten years': () => explain(input, ALL_TIME),
    ...searches(input),
  })
  const results = [...loading, ...viewing].map((result) => ({ entries: size, ...result }))
  console.log(`${size} entries, ${TASKS} tasks, ten years, ${ZONE}; medians of ${ROUNDS} rounds`)
  for (const { name, milliseconds, ratio } of results) {
    console.log(
      `${name.padEnd(28)} ${milliseconds.toFixed(3).padStart(9)} ms  ${ratio.toFixed(2)}×`,
    )
  }
  return results
}

/** Texts of the filter box, in the order in which they are typed. */
const SEARCHED = [
  'c',
  'call',
  'call r',
  'call report',
  '#',
  '#acme',
  '>2h',
  'before 9:00',
  'last year',
  '-task:"task 7"',
]

/** Returns the searches after keystrokes in the filter box. The notes are prepared before. */
function searches(input: ReportInput): Record<string, () => unknown> {
  prepareNotes(input.entries, input.dayRule, () => true)
  const find = (text: string) => findSessions(parseFilter(text, input), input.entries, input.tasks)
  return Object.fromEntries(SEARCHED.map((text) => [`search for ${text}`, () => find(text)]))
}

/**
 * Runs all functions in turns, so that a busy machine slows each equally. Ratios are to the first
 * one.
 */
function measure(work: Record<string, () => unknown>): Omit<FigureResult, 'entries'>[] {
  const runs = Object.entries(work).map(([name, run]) => ({ name, run, times: Array<number>() }))
  for (let round = -3; round < ROUNDS; round++) {
    for (const { run, times } of runs) {
      const from = performance.now()
      run()
      const took = performance.now() - from
      if (round >= 0) times.push(took)
    }
  }
  const floor = median(runs[0]?.times ?? [])
  return runs.map(({ name, times }) => ({
    name,
    milliseconds: median(times),
    ratio: median(times) / floor,
  }))
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN
}

interface Columns {
  readonly starts: Float64Array
  readonly ends: Float64Array
  readonly seconds: Float64Array
  readonly tasks: Int32Array
  readonly dayStarts: Float64Array
}

/** Returns a loop that reads each field that a figure needs once. */
function plainReader(): (entries: readonly TimeEntry[]) => Columns {
  const dates = { from: FIRST_DATE, to: '2027-01-01' } as const
  const { starts: dayStarts } = dayTable(dates, dayRuleOf(ZONE))
  return (entries) => {
    const starts = new Float64Array(entries.length)
    const ends = new Float64Array(entries.length)
    const seconds = new Float64Array(entries.length)
    const tasks = new Int32Array(entries.length)
    const taskIndexes = new Map<string, number>()
    let index = 0
    for (const entry of entries) {
      if (entry.deletedAt !== null) continue
      let task = taskIndexes.get(entry.taskId)
      if (task === undefined) taskIndexes.set(entry.taskId, (task = taskIndexes.size))
      starts[index] = entry.startedAt
      ends[index] = entry.endedAt
      seconds[index] = entry.durationSeconds
      tasks[index] = task
      index++
    }
    return { starts, ends, seconds, tasks, dayStarts }
  }
}

/** Adds each entry to its day and its task, with those over midnight divided in proportion. */
function plainSums({ starts, ends, seconds, tasks, dayStarts }: Columns): Float64Array[] {
  const byDay = new Float64Array(dayStarts.length)
  const byTask = new Float64Array(TASKS)
  const first = dayStarts[0] ?? 0
  for (let index = 0; index < starts.length; index++) {
    const start = starts[index] ?? 0
    const end = ends[index] ?? 0
    const worked = seconds[index] ?? 0
    let day = Math.floor((start - first) / DAY_MILLISECONDS)
    if (start < (dayStarts[day] ?? 0)) day--
    const next = dayStarts[day + 1] ?? 0
    const today = end <= next ? worked : Math.floor((worked * (next - start)) / (end - start))
    byDay[day] = (byDay[day] ?? 0) + today
    byDay[day + 1] = (byDay[day + 1] ?? 0) + worked - today
    const task = tasks[index] ?? 0
    byTask[task] = (byTask[task] ?? 0) + worked
  }
  return [byDay, byTask]
}

/**
 * Returns ten years of sessions of a minute to two hours, all with notes, every fifth with a pause,
 * every third with a tag; always the same ones.
 */
function makeEntries(size: number): TimeEntry[] {
  const random = randomNumbers(42)
  const first = Date.parse(`${FIRST_DATE}T12:00:00Z`)
  const between = (DAYS * DAY_MILLISECONDS) / size
  return Array.from({ length: size }, (_, index) => {
    const startedAt = Math.floor(first + between * (index + random()))
    const span = Math.floor(60 + random() * 7140)
    const paused = index % 5 === 0 ? Math.floor(span / 3) : 0
    const pause = { start: startedAt + paused * 1000, end: startedAt + 2 * paused * 1000 }
    return {
      ...NEW_ENTRY,
      id: `entry${String(index).padStart(15, '0')}`,
      taskId: `task${Math.floor(random() * TASKS)}`,
      startedAt,
      endedAt: startedAt + span * 1000,
      durationSeconds: span - paused,
      pauses: { intervals: paused > 0 ? [pause] : [], unplacedSeconds: 0 },
      note: `Call ${index} with Zoë about the quarterly report${index % 3 === 0 ? ' #acme' : ''}`,
      createdAt: startedAt,
      updatedAt: startedAt,
    }
  })
}

function makeLive(): TimeEntry {
  return {
    ...NEW_ENTRY,
    id: 'live',
    taskId: 'task7',
    startedAt: NOW - 5_400_000,
    endedAt: NOW,
    durationSeconds: 5400,
    sessionId: 'live',
    createdAt: NOW,
    updatedAt: NOW,
  }
}

function makeTasks(): Task[] {
  return Array.from({ length: TASKS }, (_, index) => makeTask(index))
}

function makeTask(index: number): Task {
  return {
    id: `task${index}`,
    name: `Task ${index}`,
    isActive: index % 10 !== 0,
    category: 'Development',
    goalHours: 8,
    color: 'bg-blue-500',
    createdAt: index,
    updatedAt: index,
  }
}

/** Returns pseudo-random numbers in [0, 1), the same on every machine. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
