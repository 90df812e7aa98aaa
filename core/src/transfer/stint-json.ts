/**
 * Writes Stint's own file: everything that its owner has, as JSON. `planImport` and `planRestore`
 * read it. Members may be added to it, and readers ignore those that they do not know.
 */
import { prefsFromSettings, settingsFromPrefs } from '#settings.ts'
import type { Prefs } from '#settings.ts'
import { isId, isNumber, isObject, isOneOf, isText } from '#guards.ts'
import { instantFromWire, instantToWire } from '#time/instant.ts'
import type { Interval } from '#time/instant.ts'
import { taskAttributes } from '#record/task.ts'
import type { Task } from '#record/task.ts'
import { entryAttributes } from '#record/time-entry.ts'
import type { TimeEntry } from '#record/time-entry.ts'

export interface ExportInput {
  /** In any order. Deleted ones are left out. */
  readonly entries: readonly TimeEntry[]
  /** All tasks, deleted ones too: entries of deleted tasks are exported with their names. */
  readonly tasks: readonly Task[]
  /** Export only entries that began within it. Unset: all. */
  readonly range?: Interval
}

export const STINT_FORMAT = 'stint'
export const STINT_VERSION = 1

/** How many tasks or entries one piece of the file has. */
const PIECE = 250

/** What the file has beside tasks and entries. */
export interface StintJsonInput extends ExportInput {
  /** The id of the account, by which `planRestore` recognises a file of the same account. */
  readonly account?: string
  readonly prefs?: Prefs
  /** True for a copy that the app keeps by itself. */
  readonly isCopy?: boolean
}

/**
 * Returns tasks and entries as JSON with all their attributes, under their names on the wire, with
 * one entry per line. Of a range, it has all tasks and the range's entries. Without a range it has
 * the deleted entries too, apart from the others, so that an earlier version does not import them.
 */
export function exportJson(input: StintJsonInput, now: number): string {
  return [...jsonPieces(input, now)].join('')
}

/** Returns the file of `exportJson` in pieces, each of which takes about a millisecond to make. */
export function* jsonPieces(input: StintJsonInput, now: number): Generator<string> {
  yield `${JSON.stringify({ ...jsonHead(input), exportedAt: instantToWire(now) }).slice(0, -1)},\n`
  yield* listPieces('tasks', input.tasks, (task) => JSON.stringify(taskRecord(task)))
  yield ',\n'
  yield* listPieces('entries', exported(input), (entry) => JSON.stringify(entryRecord(entry)))
  if (input.range === undefined) {
    yield ',\n'
    yield* listPieces('deleted', deletedOf(input), (entry) =>
      JSON.stringify({ ...entryRecord(entry), deletedAt: instantToWire(entry.deletedAt) }),
    )
  }
  yield '}\n'
}

/** Returns the first line of the file without the time. It is the same for records that are the same. */
export function jsonHead({ account, prefs, isCopy, ...input }: StintJsonInput): object {
  let changedAt = -Infinity
  for (const { updatedAt } of input.tasks) changedAt = Math.max(changedAt, updatedAt)
  for (const { updatedAt } of input.entries) changedAt = Math.max(changedAt, updatedAt)
  return {
    format: STINT_FORMAT,
    version: STINT_VERSION,
    ...(account !== undefined && { account }),
    ...(isCopy === true && { copy: true }),
    sessions: input.entries.filter((entry) => isExported(entry, input.range)).length,
    changedAt: changedAt === -Infinity ? null : instantToWire(changedAt),
    ...(prefs !== undefined && { settings: prefsWithDefaults(prefs) }),
  }
}

/** What the first line tells of a copy that the app keeps. */
export interface CopyHead {
  readonly account: string
  /** The number of entries. */
  readonly sessions: number
  /** When the copy was made, in epoch milliseconds. */
  readonly exportedAt: number
  /** The line without the time: see `jsonHead`. */
  readonly content: string
}

/** Reads the first line of a file. Returns null for a file that is no copy of the app. */
export function readCopyHead(line: string): CopyHead | null {
  try {
    const head: unknown = JSON.parse(`${line.trim().replace(/,$/, '')}}`)
    if (!isCopyHead(head)) return null
    const { exportedAt, ...content } = head
    const madeAt = instantFromWire(exportedAt)
    if (madeAt === null) return null
    const { account, sessions } = head
    return { account, sessions, exportedAt: madeAt, content: JSON.stringify(content) }
  } catch {
    return null
  }
}

const isCopyHead = /* @__PURE__ */ isObject({
  format: isOneOf(STINT_FORMAT),
  account: isId,
  copy: (value: unknown): value is true => value === true,
  sessions: isNumber,
  exportedAt: isText,
})

/** Returns the preferences with a value for every setting. */
export function prefsWithDefaults(prefs: Prefs): Prefs {
  return { ...prefs, ...prefsFromSettings(settingsFromPrefs(prefs)) }
}

/** Returns the entries that are exported, oldest first. */
export function exported({ entries, range }: Pick<ExportInput, 'entries' | 'range'>): TimeEntry[] {
  return entries.filter((entry) => isExported(entry, range)).sort(byStart)
}

function isExported({ deletedAt, startedAt }: TimeEntry, range: Interval | undefined): boolean {
  return deletedAt === null && (!range || (startedAt >= range.start && startedAt < range.end))
}

interface DeletedEntry extends TimeEntry {
  readonly deletedAt: number
}

/** Returns the entries that their owner has deleted. One of no length had nothing to save. */
function deletedOf({ entries }: ExportInput): DeletedEntry[] {
  return entries.filter(isDeleted).sort(byStart)
}

function isDeleted(entry: TimeEntry): entry is DeletedEntry {
  return entry.deletedAt !== null && entry.durationSeconds > 0
}

function byStart(a: TimeEntry, b: TimeEntry): number {
  return a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1)
}

function* listPieces<T>(
  name: string,
  list: readonly T[],
  write: (item: T) => string,
): Generator<string> {
  yield `"${name}":[`
  for (let start = 0; start < list.length; start += PIECE) {
    const lines = list.slice(start, start + PIECE).map(write)
    yield `${start === 0 ? '\n' : ',\n'}${lines.join(',\n')}`
  }
  yield list.length === 0 ? ']' : '\n]'
}

/** Returns a task of the file. */
export function taskRecord(task: Task): Readonly<Record<string, unknown>> {
  const { userId: _, ...attributes } = taskAttributes(task, '')
  return { id: task.id, ...attributes, ...stamps(task) }
}

/** Returns an entry of the file; instants are UTC text. */
export function entryRecord(entry: TimeEntry): Readonly<Record<string, unknown>> {
  const all = entryAttributes(entry, '')
  // A log belongs to the devices of its account. In a file an entry stands for itself.
  const { userId: _userId, date: _date, deletedAt: _, log: _log, ...attributes } = all
  // The file has all pauses; a document on the wire may have room for fewer.
  const pauses = entry.pauses.intervals.map(({ start, end }) => [start, end].map(instantToWire))
  return { id: entry.id, ...attributes, pauses, ...stamps(entry) }
}

function stamps({ createdAt, updatedAt }: Task | TimeEntry): object {
  return { createdAt: instantToWire(createdAt), updatedAt: instantToWire(updatedAt) }
}
