/**
 * The entries as columns of work by local day, built once per list of entries and day rule. Each
 * figure is then one pass or one subtraction without calendar calls, which fits between two frames.
 */
import type { DayRule } from '#time/day-rule.ts'
import type { DateRange } from '#time/calendar.ts'
import { dayIndexAt, dayNumber, dayTableCovering, intervalOfDates } from '#time/calendar.ts'
import type { Interval } from '#time/instant.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import type { DayPiece } from './worked-time.ts'
import { piecesByDay, secondsWorkedWithin, workedUntil } from './worked-time.ts'

export interface WorkedDays {
  readonly dayRule: DayRule
  /** The entries that are not deleted, in their original order. */
  readonly entries: readonly TimeEntry[]
  /** The tasks of the entries. The columns below refer to a task by its index here. */
  readonly taskIds: readonly string[]
  readonly taskIndexes: ReadonlyMap<string, number>
  /**
   * For each entry: when it began, until when it was worked, its seconds of work, the day it began on,
   * its task.
   */
  readonly startedAt: Float64Array
  readonly workedTo: Float64Array
  readonly durations: Float64Array
  readonly startDays: Int32Array
  readonly entryTasks: Int32Array
  readonly pieces: Pieces
  /** For each task, over the whole history. */
  readonly taskSeconds: Float64Array
  readonly taskSessions: Int32Array
  readonly totalSeconds: number
  /** All work by day. */
  readonly days: DaySums
}

/** Work divided by day: each piece has a day (its number), a task and whole seconds. */
interface Pieces {
  readonly days: Int32Array
  readonly tasks: Int32Array
  readonly seconds: Float64Array
}

/** Prefix sums over consecutive days: the sum of any range is one subtraction. */
export interface DaySums {
  readonly firstDay: number
  /** `sums[i]` is the work before day `firstDay + i`. It has one item more than there are days. */
  readonly sums: Float64Array
}

/**
 * Returns the columns of a list of entries. They are cached by list: a list is never changed in
 * place.
 */
export function prepareEntries(entries: readonly TimeEntry[], dayRule: DayRule): WorkedDays {
  const kept = preparedLists.get(entries)
  if (kept?.dayRule === dayRule) return kept
  const worked = workedDays(entries, dayRule)
  preparedLists.set(entries, worked)
  return worked
}

const preparedLists = new WeakMap<readonly TimeEntry[], WorkedDays>()

/** Returns the work of one task by day. */
export function daysOfTask(worked: WorkedDays, taskId: string): DaySums {
  const { firstDay, sums } = worked.days
  return sumsOf(
    worked.pieces,
    firstDay,
    firstDay + sums.length - 2,
    worked.taskIndexes.get(taskId) ?? -1,
  )
}

/** Returns the seconds of work within the days by task, in the order of `taskIds`. */
export function secondsByTask(worked: WorkedDays, dates: DateRange): Float64Array {
  return secondsByTaskInEach(worked, [dates])[0] ?? new Float64Array(worked.taskIds.length)
}

/**
 * Returns the same for each of several ranges, in one pass. The ranges are in order and do not
 * overlap.
 */
export function secondsByTaskInEach(
  { pieces, taskIds }: WorkedDays,
  ranges: readonly DateRange[],
): Float64Array[] {
  const from = dayNumber(ranges[0]?.from ?? NO_DAY)
  const to = dayNumber(ranges.at(-1)?.to ?? NO_DAY)
  const rangeOfDay = new Int32Array(to - from).fill(-1)
  for (const [index, range] of ranges.entries()) {
    rangeOfDay.fill(index, dayNumber(range.from) - from, dayNumber(range.to) - from)
  }
  const seconds = ranges.map(() => new Float64Array(taskIds.length))
  for (let piece = 0; piece < pieces.days.length; piece++) {
    const day = numberAt(pieces.days, piece)
    if (day < from || day >= to) continue
    const ofRange = seconds[numberAt(rangeOfDay, day - from)]
    if (ofRange) add(ofRange, numberAt(pieces.tasks, piece), numberAt(pieces.seconds, piece))
  }
  return seconds
}

const NO_DAY = '1970-01-01'

/**
 * Counts the saved sessions that started within the days, of one task or of all, and those that
 * started before and have time in them. A session counts once, in the period of its start.
 */
export function sessionsWithin(
  worked: WorkedDays,
  dates: DateRange,
  taskId?: string,
): { readonly begun: number; readonly earlier: number } {
  const { startDays, workedTo, entryTasks, taskIndexes, entries } = worked
  const from = dayNumber(dates.from)
  const to = dayNumber(dates.to)
  const { start, end } = intervalOfDates(dates, worked.dayRule)
  const task = taskId === undefined ? undefined : (taskIndexes.get(taskId) ?? -1)
  let begun = 0
  let earlier = 0
  for (let index = 0; index < startDays.length; index++) {
    const day = numberAt(startDays, index)
    if (day >= to || (day < from && numberAt(workedTo, index) <= start)) continue
    if (task !== undefined && entryTasks[index] !== task) continue
    const entry = entries[index]
    if (day >= from) begun++
    else if (entry && secondsWorkedWithin(entry, start, end) > 0) earlier++
  }
  return { begun, earlier }
}

/** Returns the work on the days numbered `from … to − 1`. */
export function secondsOfDays({ firstDay, sums }: DaySums, from: number, to: number): number {
  const last = sums.length - 1
  const start = Math.min(Math.max(from - firstDay, 0), last)
  const end = Math.min(Math.max(to - firstDay, start), last)
  return numberAt(sums, end) - numberAt(sums, start)
}

/** Returns the entries with work within the interval, or that touch it. */
export function entriesTouching(worked: WorkedDays, { start, end }: Interval): TimeEntry[] {
  const { startedAt, workedTo, entries } = worked
  const touching: TimeEntry[] = []
  for (let index = 0; index < startedAt.length; index++) {
    if (numberAt(startedAt, index) >= end || numberAt(workedTo, index) < start) continue
    const entry = entries[index]
    if (entry) touching.push(entry)
  }
  return touching
}

/**
 * Returns whether the entry is in the list. The timer it comes from is then saved, and counts once.
 */
export function isSaved(worked: WorkedDays, entry: TimeEntry): boolean {
  const { startedAt, entries } = worked
  for (let index = startedAt.length - 1; index >= 0; index--) {
    if (startedAt[index] === entry.startedAt && entries[index]?.id === entry.id) return true
  }
  return false
}

/**
 * Uses three passes, each over few columns: a single pass that reads and divides entries takes
 * three times as long. Counters are plain variables because `entries.entries()` costs more than the
 * work itself.
 */
function workedDays(list: readonly TimeEntry[], dayRule: DayRule): WorkedDays {
  const startedAt = new Float64Array(list.length)
  const workedTo = new Float64Array(list.length)
  const durations = new Float64Array(list.length)
  const entryTasks = new Int32Array(list.length)
  const taskIndexes = new Map<string, number>()
  let earliest = list[0]?.startedAt ?? 0
  let latest = earliest
  let count = 0
  for (const entry of list) {
    if (entry.deletedAt !== null) continue
    const until = workedUntil(entry)
    startedAt[count] = entry.startedAt
    workedTo[count] = until
    durations[count] = entry.durationSeconds
    let task = taskIndexes.get(entry.taskId)
    if (task === undefined) {
      task = taskIndexes.size
      taskIndexes.set(entry.taskId, task)
    }
    entryTasks[count] = task
    if (entry.startedAt < earliest) earliest = entry.startedAt
    if (until > latest) latest = until
    count++
  }
  const entries = count === list.length ? list : list.filter((entry) => entry.deletedAt === null)

  const table = dayTableCovering(earliest, latest, dayRule)
  const startDays = new Int32Array(count)
  const taskSeconds = new Float64Array(taskIndexes.size)
  const taskSessions = new Int32Array(taskIndexes.size)
  const cut: number[] = []
  for (let index = 0; index < count; index++) {
    const tableDay = dayIndexAt(table, numberAt(startedAt, index))
    startDays[index] = table.firstDay + tableDay
    if (numberAt(workedTo, index) >= numberAt(table.starts, tableDay + 1)) cut.push(index)
    add(taskSeconds, numberAt(entryTasks, index), numberAt(durations, index))
    add(taskSessions, numberAt(entryTasks, index), 1)
  }

  const pieces = cutPieces(
    {
      days: startDays,
      tasks: entryTasks.subarray(0, count),
      seconds: durations.subarray(0, count),
    },
    cut,
    (at) => {
      const entry = entries[at]
      return entry ? piecesByDay(entry, table) : []
    },
  )
  return {
    dayRule,
    entries,
    taskIds: [...taskIndexes.keys()],
    taskIndexes,
    startedAt: startedAt.subarray(0, count),
    workedTo: workedTo.subarray(0, count),
    durations: durations.subarray(0, count),
    startDays,
    entryTasks: entryTasks.subarray(0, count),
    pieces,
    taskSeconds,
    taskSessions,
    totalSeconds: taskSeconds.reduce((sum, seconds) => sum + seconds, 0),
    days: sumsOf(
      pieces,
      dayIndexAt(table, earliest) + table.firstDay,
      dayIndexAt(table, latest) + table.firstDay,
    ),
  }
}

/**
 * Returns the pieces. Nearly every entry is one piece. An entry that is divided keeps an empty
 * piece in its place, and its parts are appended.
 */
function cutPieces(
  whole: Pieces,
  cut: readonly number[],
  partsOf: (entry: number) => readonly DayPiece[],
): Pieces {
  const parts = cut.flatMap((entry) =>
    partsOf(entry).map(({ day, seconds }) => ({
      day,
      task: numberAt(whole.tasks, entry),
      seconds,
    })),
  )
  const total = whole.days.length + parts.length
  const days = new Int32Array(total)
  const tasks = new Int32Array(total)
  const seconds = new Float64Array(total)
  days.set(whole.days)
  tasks.set(whole.tasks)
  seconds.set(whole.seconds)
  for (const entry of cut) seconds[entry] = 0
  let index = whole.days.length
  for (const part of parts) {
    days[index] = part.day
    tasks[index] = part.task
    seconds[index] = part.seconds
    index++
  }
  return { days, tasks, seconds }
}

/** Returns the work of each day as prefix sums, of one task or of all. */
function sumsOf(pieces: Pieces, firstDay: number, lastDay: number, task?: number): DaySums {
  const sums = new Float64Array(lastDay - firstDay + 2)
  for (let piece = 0; piece < pieces.days.length; piece++) {
    if (task !== undefined && pieces.tasks[piece] !== task) continue
    add(sums, numberAt(pieces.days, piece) - firstDay + 1, numberAt(pieces.seconds, piece))
  }
  for (let day = 1; day < sums.length; day++) add(sums, day, numberAt(sums, day - 1))
  return { firstDay, sums }
}

type Numbers = Float64Array | Int32Array

function add(numbers: Numbers, index: number, value: number): void {
  numbers[index] = numberAt(numbers, index) + value
}

/**
 * Returns the number at the index. Every caller stays within the column, which the compiler cannot
 * see.
 */
function numberAt(numbers: Readonly<Numbers>, index: number): number {
  return numbers[index] ?? 0
}
