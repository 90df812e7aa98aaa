/**
 * Records as rows, values of JSON, as pages of them are kept in this browser: names are most of what a
 * hundred thousand records have to read.
 */
import { EARLIEST } from '#time/instant.ts'
import type { Interval } from '#time/instant.ts'
import { NO_PAUSES } from '#timer/pauses.ts'
import type { Pauses } from '#timer/pauses.ts'
import {
  defaultsOf,
  describedOf,
  INSTANT,
  OPTIONAL_ID,
  OPTIONAL_INSTANT,
  PAUSES,
} from './fields.ts'
import type { Fields, Stamped, ValueType } from './fields.ts'
import { ENTRY_FIELDS } from './time-entry.ts'
import type { TimeEntry } from './time-entry.ts'

/** An entry as a row. */
export function packEntry(entry: TimeEntry): unknown[] {
  return ENTRIES.toRow(entry)
}

/** Reads a row that this or an earlier version packed; null when it cannot be read. */
export function unpackEntry(row: unknown): TimeEntry | null {
  return ENTRIES.fromRow(row)
}

/** The form of a value in a row. An unreadable value is undefined. `id` is the record's own. */
interface RowForm<V> {
  toRow(value: V, id: string): unknown
  fromRow(value: unknown, id: string): V | undefined
}

const INSTANTS: RowForm<number> = {
  toRow: (value) => value,
  fromRow: (value) => (typeof value === 'number' && value >= EARLIEST ? value : undefined),
}

/** The types that are not in a row as they travel. */
const FORMS = new Map<ValueType<unknown>, RowForm<unknown>>([
  form(INSTANT, INSTANTS),
  form(OPTIONAL_INSTANT, {
    toRow: (value) => value,
    fromRow: (value, id) => (value === null ? null : INSTANTS.fromRow(value, id)),
  }),
  form(OPTIONAL_ID, {
    toRow: (value, id) => (value === id ? '' : value),
    fromRow: (value, id) => (value === '' ? id : OPTIONAL_ID.fromWire(value)),
  }),
  form(PAUSES, {
    toRow: ({ intervals, unplacedSeconds }) =>
      intervals.length === 0 && unplacedSeconds === 0
        ? null
        : [unplacedSeconds, ...intervals.flatMap(({ start, end }) => [start, end])],
    fromRow: pausesFromRow,
  }),
])

const ENTRIES = rowsOf<Omit<TimeEntry, keyof Stamped>>(ENTRY_FIELDS)

function rowsOf<T extends Readonly<Record<string, unknown>>>(fields: Fields<T>) {
  const described = describedOf(fields).map(({ key, type }) => {
    const asItTravels: RowForm<unknown> = {
      toRow: (value) => type.toWire(value),
      fromRow: (value) => type.fromWire(value),
    }
    return { key, form: FORMS.get(type) ?? asItTravels }
  })
  const template = { id: '', ...defaultsOf(fields), createdAt: 0, updatedAt: 0 }
  return {
    toRow: (record: T & Stamped): unknown[] => {
      const { id, createdAt, updatedAt } = record
      return [
        id,
        createdAt,
        updatedAt,
        ...described.map(({ key, form }) => form.toRow(record[key], id)),
      ]
    },
    /** Reads a row, also one of before the last fields. */
    fromRow: (row: unknown): (T & Stamped) | null => {
      if (!Array.isArray(row)) return null
      const [id, createdAt, updatedAt]: unknown[] = row
      if (typeof id !== 'string' || id === '') return null
      if (typeof createdAt !== 'number' || typeof updatedAt !== 'number') return null
      const record: Record<string, unknown> = { ...template, id, createdAt, updatedAt }
      let position = 3
      for (const { key, form } of described) {
        if (position >= row.length) break
        const value = form.fromRow(row[position++], id)
        if (value === undefined) return null
        record[key] = value
      }
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each field reads its own
      return record as T & Stamped
    },
  }
}

function form<V>(type: ValueType<V>, form: RowForm<V>): [ValueType<unknown>, RowForm<unknown>] {
  return [type, form]
}

function pausesFromRow(value: unknown): Pauses | undefined {
  if (value === null) return NO_PAUSES
  if (!Array.isArray(value) || !value.every((each) => typeof each === 'number')) return undefined
  const [unplacedSeconds = 0, ...bounds] = value
  const intervals: Interval[] = []
  for (let index = 0; index + 1 < bounds.length; index += 2) {
    intervals.push({ start: bounds[index] ?? 0, end: bounds[index + 1] ?? 0 })
  }
  return { intervals, unplacedSeconds }
}
