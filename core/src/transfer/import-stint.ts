/** Reads Stint's own files with all their fields: see `stint-json.ts` and `entry-export.ts`. */
import { t } from '#text.ts'
import { COLLECTIONS, MAX_DURATION_SECONDS } from '#collections.ts'
import { isFields, isId } from '#guards.ts'
import { taskFromAttributes, UNKNOWN_TASK_NAME, validTaskName } from '#record/task.ts'
import type { TaskContent } from '#record/task.ts'
import { pausesLeaving } from '#record/time-entry.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import type { Prefs } from '#settings.ts'
import type { ZoneClock } from '#time/calendar.ts'
import { instantFromWire } from '#time/instant.ts'
import { clipPauses } from '#timer/pauses.ts'
import { workedSeconds } from '#timer/timer.ts'
import { entryFromColumns, entryFromJson } from './entry-columns.ts'
import type { EntryInFile, Reading } from './entry-columns.ts'
import { STINT_FORMAT, STINT_VERSION } from './stint-json.ts'
import { readDate } from './import-dates.ts'
import { plainHeading } from './import-headings.ts'
import { dateAndTime, instantsOf, readTime, skippedReason } from './import-moments.ts'

/** An entry of Stint's own file, with its task. */
export type StintEntry = EntryInFile &
  Pick<TimeEntry, 'durationSeconds' | 'entryType' | 'note'> & { readonly task: StintTask }

/**
 * A task of the file. `id` is null in CSV, which has task names only. One that `isInCategory` is no task of its name
 * in another category.
 */
export type StintTask = TaskContent & {
  readonly id: string | null
  readonly isInCategory?: boolean
}

/**
 * The headings by which a file is recognised. A column that is added later is not among them, since
 * older files lack it.
 */
const COLUMNS = [
  'Date',
  'Task',
  'Category',
  'Start',
  'End',
  'Duration',
  'Seconds',
  'Pauses',
  'Note',
  'Type',
]
/** The headings of the CSV by day. */
const DAY_COLUMNS = [
  'Day',
  'Task',
  'Category',
  'Start',
  'End',
  'Duration',
  'Seconds',
  'Sessions',
  'Note',
  'Type',
]

/** Returns whether the headings are those of `exportCsv`. Further columns may have been added. */
export function hasStintColumns(headings: readonly string[]): boolean {
  const present = new Set(headings.map(plainHeading))
  return COLUMNS.every((name) => present.has(plainHeading(name)))
}

/** Returns whether the headings are those of `exportDaysCsv`, whose lines are parts of entries. */
export function hasStintDayColumns(headings: readonly string[]): boolean {
  const present = new Set(headings.map(plainHeading))
  return DAY_COLUMNS.every((name) => present.has(plainHeading(name))) && !hasStintColumns(headings)
}

/** Returns whether the text begins as the result of `exportJson` does, whatever its white space. */
export function beginsAsStintJson(text: string): boolean {
  return /^\uFEFF?\s*\{/.test(text) && /"format"\s*:\s*"stint"/.test(text.slice(0, 1000))
}

/**
 * Reads a row of the CSV. `clock` reads times without an offset, which people may add by hand;
 * `onGuess` is called for one that the clocks showed twice, of which the first is taken. A row without
 * Seconds counts the work of its times.
 */
export function readStintRow(
  field: (heading: string) => string,
  clock: ZoneClock,
  onGuess: () => void,
): Reading<StintEntry> {
  const reading = entryFromColumns(
    (heading) => field(plainHeading(heading)),
    (text) => momentOf(text, clock, onGuess),
  )
  if ('why' in reading) return reading
  return entryOf(reading.read, {
    ...UNKNOWN_TASK,
    name: validTaskName(field('task')) ?? UNKNOWN_TASK.name,
    category: field('category'),
  })
}

/** A task of the JSON file, which has its id there and when it was created. */
export interface TaskInFile extends StintTask {
  readonly id: string
  /** Epoch milliseconds. */
  readonly createdAt: number
}

/**
 * The tasks of the JSON file, oldest first, and its entries. Each is read on its own, so that a
 * broken one does not affect the others.
 */
export interface StintFile {
  readonly tasks: readonly TaskInFile[]
  readonly entries: readonly unknown[]
  readonly readEntry: (entry: unknown) => Reading<StintEntry>
  /** The entries that their owner had deleted. Files of earlier versions have none. */
  readonly deleted: readonly unknown[]
  /** The account that wrote the file; null in a file of an earlier version. */
  readonly account: string | null
  /** Null in a file of an earlier version. */
  readonly prefs: Prefs | null
  /** Epoch milliseconds; null if the file does not tell. */
  readonly exportedAt: number | null
}

/** Reads the JSON file. */
export function readStintJson(text: string): Reading<StintFile> {
  let file: unknown
  try {
    file = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return { why: t('This JSON file is cut off or damaged.') }
  }
  if (!isFields(file) || file['format'] !== STINT_FORMAT) {
    return { why: t('The file isn’t a Stint export.') }
  }
  if (file['version'] !== STINT_VERSION) {
    return { why: t('The file was written by a newer version of Stint.') }
  }
  const { tasks, entries, deleted, account, settings, exportedAt } = file
  if (!Array.isArray(tasks) || !Array.isArray(entries)) {
    return { why: t('The file has no list of tasks or none of sessions.') }
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
      deleted: Array.isArray(deleted) ? deleted : [],
      account: isId(account) ? account : null,
      prefs: isFields(settings) ? settings : null,
      exportedAt: instantFromWire(String(exportedAt)),
    },
  }
}

function createdAtOf(task: unknown): number {
  return (isFields(task) ? instantFromWire(String(task['createdAt'])) : null) ?? 0
}

/** Returns a task of the file, or null when it has no id or no name. */
export function readTask(value: unknown): TaskInFile | null {
  if (!isFields(value)) return null
  const { id, category } = value
  const task = taskFromAttributes(value)
  const name = validTaskName(task.name)
  if (typeof id !== 'string' || name === null) return null
  const { min, max } = COLLECTIONS.tasks.goalHours
  const hasGoal = task.goalHours >= min && task.goalHours <= max
  return {
    ...task,
    id,
    createdAt: createdAtOf(value),
    name,
    category: typeof category === 'string' ? category : '',
    goalHours: hasGoal ? task.goalHours : UNKNOWN_TASK.goalHours,
  }
}

function readEntry(
  value: unknown,
  tasks: ReadonlyMap<string | null, StintTask>,
): Reading<StintEntry> {
  if (!isFields(value)) return { why: t('Not a session.') }
  const reading = entryFromJson(value)
  if ('why' in reading) return reading
  const { taskId } = value
  const task = typeof taskId === 'string' ? tasks.get(taskId) : undefined
  return entryOf(reading.read, task ?? UNKNOWN_TASK)
}

export const UNKNOWN_TASK: StintTask = {
  ...taskFromAttributes({}),
  id: null,
  name: UNKNOWN_TASK_NAME,
  category: '',
}

function entryOf(entry: EntryInFile, task: StintTask): Reading<StintEntry> {
  const { startedAt, endedAt } = entry
  if (endedAt < startedAt) return { why: t('Ends before it starts.') }
  const placed = clipPauses(entry.pauses, startedAt, endedAt)
  const { durationSeconds = workedSeconds(startedAt, endedAt, placed) } = entry
  if (!Number.isInteger(durationSeconds) || durationSeconds < 0) {
    return { why: t('Its duration isn’t a whole number of seconds.') }
  }
  if (durationSeconds > MAX_DURATION_SECONDS) return { why: t('Lasts longer than a year.') }
  const pauses = pausesLeaving(placed, startedAt, endedAt, durationSeconds)
  return { read: { entryType: 'import', note: null, ...entry, task, pauses, durationSeconds } }
}

/** Returns the instant, null for a text that is no time, or why the time does not exist. */
function momentOf(text: string, clock: ZoneClock, onGuess: () => void): number | string | null {
  const parts = dateAndTime(text)
  const date = parts && readDate(parts.date, 'ymd')
  const time = parts && readTime(parts.time, clock.timeZone)
  if (!date || !time || 'unknownZone' in time) return null
  const [instant, second] = instantsOf(date, time, clock)
  if (second !== undefined) onGuess()
  return skippedReason(date, time, clock) ?? instant
}
