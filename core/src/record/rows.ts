/**
 * Entries as rows of JSON values, the form in which this browser stores pages of entries. Rows have
 * no field names, because names are most of what has to be read for a hundred thousand records.
 * Both directions are spelled out, because fields that are assigned by name take several times as
 * long. A field that `unpackEntry` forgets does not compile; one that `packEntry` forgets fails
 * `every-field.test.ts`.
 */
import { EARLIEST } from '#time/instant.ts'
import type { Interval } from '#time/instant.ts'
import { NO_PAUSES } from '#timer/pauses.ts'
import type { Pauses } from '#timer/pauses.ts'
import { OPTIONAL_FLAG, OPTIONAL_TEXT, SECONDS, TEXT } from './fields.ts'
import { NEW_ENTRY } from './time-entry.ts'
import type { TimeEntry } from './time-entry.ts'

/**
 * Returns an entry as a row. A new field comes last, because rows that were stored earlier do not
 * have it.
 */
export function packEntry(entry: TimeEntry): unknown[] {
  const { id, sessionId, pauses } = entry
  const { intervals, unplacedSeconds } = pauses
  const isUnbroken = intervals.length === 0 && unplacedSeconds === 0
  return [
    id,
    entry.createdAt,
    entry.updatedAt,
    entry.taskId,
    entry.startedAt,
    entry.endedAt,
    entry.durationSeconds,
    isUnbroken ? null : [unplacedSeconds, ...intervals.flatMap(({ start, end }) => [start, end])],
    entry.note,
    entry.entryType,
    sessionId === id ? '' : sessionId,
    entry.deletedAt,
    ...furtherFields(entry),
  ]
}

/** Returns the fields that most entries have not, up to the last one that is not null. */
function furtherFields({ log, billable, invoiced }: TimeEntry): unknown[] {
  if (invoiced !== null) return [log, billable, invoiced]
  if (billable !== null) return [log, billable]
  return log === null ? [] : [log]
}

/**
 * Reads a row that this or an earlier version packed. A missing field has its default. Returns null
 * when the row cannot be read.
 */
export function unpackEntry(row: unknown): TimeEntry | null {
  if (!Array.isArray(row)) return null
  const [id, createdAt, updatedAt]: unknown[] = row
  if (typeof id !== 'string' || id === '') return null
  if (typeof createdAt !== 'number' || typeof updatedAt !== 'number') return null
  const taskId = TEXT.fromWire(row[3])
  const startedAt = instant(row[4])
  const endedAt = instant(row[5])
  const durationSeconds = SECONDS.fromWire(row[6])
  const pauses = pausesIn(row[7])
  const note = valueIn(row, 8, OPTIONAL_TEXT.fromWire, NEW_ENTRY.note)
  const entryType = valueIn(row, 9, TEXT.fromWire, NEW_ENTRY.entryType)
  const session = valueIn(row, 10, OPTIONAL_TEXT.fromWire, NEW_ENTRY.sessionId)
  const deletedAt = valueIn(row, 11, optionalInstant, NEW_ENTRY.deletedAt)
  const log = valueIn(row, 12, OPTIONAL_TEXT.fromWire, NEW_ENTRY.log)
  const billable = valueIn(row, 13, OPTIONAL_FLAG.fromWire, NEW_ENTRY.billable)
  const invoiced = valueIn(row, 14, OPTIONAL_TEXT.fromWire, NEW_ENTRY.invoiced)
  if (taskId === undefined || startedAt === undefined || endedAt === undefined) return null
  if (durationSeconds === undefined || pauses === undefined || note === undefined) return null
  if (entryType === undefined || session === undefined || deletedAt === undefined) return null
  if (log === undefined || billable === undefined || invoiced === undefined) return null
  const sessionId = session === '' ? id : session
  return {
    id,
    taskId,
    startedAt,
    endedAt,
    durationSeconds,
    pauses,
    note,
    entryType,
    sessionId,
    deletedAt,
    log,
    billable,
    invoiced,
    createdAt,
    updatedAt,
  }
}

// Each of these returns undefined for an unreadable value.

function valueIn<V>(
  row: readonly unknown[],
  position: number,
  read: (value: unknown) => V | undefined,
  fallback: V,
): V | undefined {
  return position < row.length ? read(row[position]) : fallback
}

function instant(value: unknown): number | undefined {
  return typeof value === 'number' && value >= EARLIEST ? value : undefined
}

function optionalInstant(value: unknown): number | null | undefined {
  return value === null ? null : instant(value)
}

function pausesIn(value: unknown): Pauses | undefined {
  if (value === null) return NO_PAUSES
  if (!Array.isArray(value) || !value.every((each) => typeof each === 'number')) return undefined
  const [unplacedSeconds = 0, ...bounds] = value
  const intervals: Interval[] = []
  for (let index = 0; index + 1 < bounds.length; index += 2) {
    intervals.push({ start: bounds[index] ?? 0, end: bounds[index + 1] ?? 0 })
  }
  return { intervals, unplacedSeconds }
}
