/** Stint's own files, read back with everything in them: see `entry-export.ts`. */
import { STINT_COLUMNS, STINT_DAY_COLUMNS, STINT_FORMAT, STINT_VERSION } from './entry-export.ts'
import { MAX_DURATION_SECONDS } from '#collections.ts'
import { withoutApostrophes } from '#csv.ts'
import { dateAndTime } from './import-columns.ts'
import type { FieldReader } from './import-table.ts'
import { plainHeading } from './import-table.ts'
import { readDate, readTime } from './import-times.ts'
import type { Interval } from '#time/instant.ts'
import { instantFromWire } from '#time/instant.ts'
import { clipPauses, mergeIntervals } from '#timer/pauses.ts'
import type { Pauses } from '#timer/pauses.ts'
import type { Task } from '#record/task.ts'
import { DEFAULT_TASK_COLOR, nameInReports, validTaskName } from '#record/task.ts'
import { workedSeconds } from '#timer/timer.ts'

/** An entry that a file of Stint's names in full. */
export interface StintEntry {
  readonly task: StintTask
  readonly startedAt: number
  readonly endedAt: number
  readonly pauses: Pauses
  readonly durationSeconds: number
  readonly note: string | null
  readonly entryType: string
}

/** A task of the file; `id` is null in CSV, where a task is its name. */
export type StintTask = Pick<Task, 'name' | 'isActive' | 'category' | 'goalHours' | 'color'> & {
  readonly id: string | null
}

/** Either what was read, or a sentence on why it could not be. */
export type Reading<T> = { readonly read: T } | { readonly why: string }

/** Whether the headings are those of `exportCsv`; further columns may have been added. */
export function hasStintColumns(headings: readonly string[]): boolean {
  const present = new Set(headings.map(plainHeading))
  return STINT_COLUMNS.every((name) => present.has(plainHeading(name)))
}

/** Whether the headings are those of `exportDaysCsv`, whose lines are parts of entries. */
export function hasStintDayColumns(headings: readonly string[]): boolean {
  const present = new Set(headings.map(plainHeading))
  return (
    STINT_DAY_COLUMNS.every((name) => present.has(plainHeading(name))) && !hasStintColumns(headings)
  )
}

/** Whether the text begins as `exportJson` does, also when it was laid out anew. */
export function beginsAsStintJson(text: string): boolean {
  return /^\uFEFF?\s*\{/.test(text) && /"format"\s*:\s*"stint"/.test(text.slice(0, 1000))
}

/**
 * A row of the CSV. Times without an offset, as somebody may have added by hand, are asked of
 * `instantOf`; rows without Seconds count what their times say.
 */
export function readStintRow(
  field: FieldReader,
  instantOf: (date: string, secondsOfDay: number) => number,
): Reading<StintEntry> {
  const moment = (text: string) => momentOf(text, instantOf)
  const [start, end] = [field('start'), field('end')]
  const [startedAt, endedAt] = [moment(start), moment(end)]
  if (startedAt === null) return { why: start === '' ? 'Has no start.' : `"${start}" is no time.` }
  if (endedAt === null) return { why: end === '' ? 'Has no end.' : `"${end}" is no time.` }
  const intervals = field('pauses')
    .split(';')
    .filter((text) => text.trim() !== '')
    .map((text) => {
      const [from, to] = text.split('/').map(moment)
      return typeof from === 'number' && typeof to === 'number' ? { start: from, end: to } : null
    })
  if (intervals.includes(null)) return { why: 'Its pauses cannot be read.' }
  const seconds = field('seconds').trim()
  return entryOf({
    startedAt,
    endedAt,
    intervals: intervals.filter((interval) => interval !== null),
    durationSeconds: seconds === '' ? null : Number(seconds),
    task: {
      id: null,
      name: validTaskName(withoutApostrophes(field('task'))) ?? nameInReports(undefined),
      isActive: true,
      category: withoutApostrophes(field('category')),
      goalHours: DEFAULT_GOAL_HOURS,
      color: DEFAULT_TASK_COLOR,
    },
    note: withoutApostrophes(field('note')),
    entryType: withoutApostrophes(field('type')),
  })
}

/**
 * The tasks of the JSON file, oldest first, and its entries, each read on its own: one that is
 * broken harms no other.
 */
export interface StintFile {
  readonly tasks: readonly StintTask[]
  readonly entries: readonly unknown[]
  readonly readEntry: (entry: unknown) => Reading<StintEntry>
}

/** Reads the JSON file. */
export function readStintJson(text: string): Reading<StintFile> {
  let file: unknown
  try {
    file = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return { why: 'The file is no complete JSON: its end may be missing.' }
  }
  if (!isRecord(file) || file['format'] !== STINT_FORMAT) {
    return { why: 'The file is JSON, but no export of Stint.' }
  }
  if (file['version'] !== STINT_VERSION) {
    return { why: 'The file was written by a newer version of Stint.' }
  }
  const { tasks, entries } = file
  if (!Array.isArray(tasks) || !Array.isArray(entries)) {
    return { why: 'The file has no list of tasks or none of entries.' }
  }
  const inOrder = tasks.toSorted((a: unknown, b: unknown) => createdAtOf(a) - createdAtOf(b))
  const known = new Map(
    inOrder.flatMap((task: unknown) => readTask(task) ?? []).map((task) => [task.id, task]),
  )
  return {
    read: {
      tasks: [...known.values()],
      entries,
      readEntry: (entry) => readEntry(entry, known),
    },
  }
}

const DEFAULT_GOAL_HOURS = 8

function createdAtOf(task: unknown): number {
  return (isRecord(task) ? instantOfWire(task['createdAt']) : null) ?? 0
}

function readTask(value: unknown): StintTask | null {
  if (!isRecord(value)) return null
  const { id, name, isActive, category, goalHours, color } = value
  const validName = typeof name === 'string' ? validTaskName(name) : null
  if (typeof id !== 'string' || validName === null) return null
  return {
    id,
    name: validName,
    isActive: isActive !== false,
    category: typeof category === 'string' ? category : '',
    goalHours:
      typeof goalHours === 'number' && goalHours >= 0 && goalHours <= 1000
        ? goalHours
        : DEFAULT_GOAL_HOURS,
    color: typeof color === 'string' ? color : DEFAULT_TASK_COLOR,
  }
}

function readEntry(
  value: unknown,
  tasks: ReadonlyMap<string | null, StintTask>,
): Reading<StintEntry> {
  if (!isRecord(value)) return { why: 'Is no entry.' }
  const { taskId, startTime, endTime, durationSeconds, pauses, note, entryType } = value
  const startedAt = typeof startTime === 'string' ? instantFromWire(startTime) : null
  const endedAt = typeof endTime === 'string' ? instantFromWire(endTime) : null
  if (startedAt === null) return { why: 'Has no start.' }
  if (endedAt === null) return { why: 'Has no end.' }
  const pairs: readonly unknown[] = Array.isArray(pauses) ? pauses : []
  const intervals = pairs.map((pair) => {
    const [start, end] = Array.isArray(pair) ? pair.map(instantOfWire) : []
    return typeof start === 'number' && typeof end === 'number' ? { start, end } : null
  })
  if (intervals.includes(null)) return { why: 'Its pauses cannot be read.' }
  return entryOf({
    startedAt,
    endedAt,
    intervals: intervals.filter((interval) => interval !== null),
    durationSeconds: durationSeconds === undefined ? null : Number(durationSeconds),
    task: (typeof taskId === 'string' ? tasks.get(taskId) : undefined) ?? UNKNOWN_TASK,
    note: typeof note === 'string' ? note : '',
    entryType: typeof entryType === 'string' ? entryType : '',
  })
}

const UNKNOWN_TASK: StintTask = {
  id: null,
  name: nameInReports(undefined),
  isActive: true,
  category: '',
  goalHours: DEFAULT_GOAL_HOURS,
  color: DEFAULT_TASK_COLOR,
}

function entryOf(parts: {
  readonly startedAt: number
  readonly endedAt: number
  readonly intervals: readonly Interval[]
  /** Null: what the times say. */
  readonly durationSeconds: number | null
  readonly task: StintTask
  readonly note: string
  readonly entryType: string
}): Reading<StintEntry> {
  const { startedAt, endedAt, task } = parts
  if (endedAt < startedAt) return { why: 'Ends before it starts.' }
  const placed = clipPauses(
    { intervals: mergeIntervals(parts.intervals), unplacedSeconds: 0 },
    startedAt,
    endedAt,
  )
  const unpausedSeconds = workedSeconds(startedAt, endedAt, placed)
  const durationSeconds = parts.durationSeconds ?? unpausedSeconds
  if (!Number.isInteger(durationSeconds) || durationSeconds < 0) {
    return { why: 'Its seconds are no whole number from zero up.' }
  }
  if (durationSeconds > MAX_DURATION_SECONDS) return { why: 'Lasts longer than a year.' }
  return {
    read: {
      task,
      startedAt,
      endedAt,
      durationSeconds,
      // As in an entry that comes over the wire: what else is missing was paused at some time.
      pauses: { ...placed, unplacedSeconds: Math.max(0, unpausedSeconds - durationSeconds) },
      note: parts.note === '' ? null : parts.note,
      entryType: parts.entryType === '' ? 'import' : parts.entryType,
    },
  }
}

function momentOf(
  text: string,
  instantOf: (date: string, secondsOfDay: number) => number,
): number | null {
  const parts = dateAndTime(text)
  const date = parts && readDate(parts.date, 'ymd')
  const time = parts && readTime(parts.time)
  if (!date || !time) return null
  const { secondsOfDay, milliseconds, offsetMilliseconds } = time
  if (offsetMilliseconds === null) return instantOf(date, secondsOfDay) + milliseconds
  return Date.parse(`${date}T00:00:00Z`) + secondsOfDay * 1000 + milliseconds - offsetMilliseconds
}

function instantOfWire(value: unknown): number | null {
  return typeof value === 'string' ? instantFromWire(value) : null
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
