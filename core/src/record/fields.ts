/**
 * What is described once of each field of a record, and what follows from it: how the record
 * travels, how it is kept in this browser, and the parts that change on their own.
 */
import type { SystemFields } from '#collections.ts'
import { EARLIEST, instantFromWire, instantToWire } from '#time/instant.ts'
import type { Interval } from '#time/instant.ts'
import { NO_PAUSES, pausesFromWire, pausesToWire } from '#timer/pauses.ts'
import type { Pauses } from '#timer/pauses.ts'
import type { Parts } from './rebase.ts'

type WireValue = string | number | boolean | null

/** A type of values: each form is read to undefined where it does not fit. */
export interface ValueType<V, W extends WireValue = WireValue> {
  toWire(value: V): W
  fromWire(value: unknown): V | undefined
  /** As kept in this browser, a value of JSON; `id` is the record's own. */
  toRow(value: V, id: string): unknown
  fromRow(value: unknown, id: string): V | undefined
}

export interface Field<V = unknown, P extends string = string> {
  /** Its name on the wire. */
  readonly attribute: string
  readonly type: ValueType<V>
  /** The part it changes with; null: it never changes. */
  readonly part: P | null
  /** That of a new record, and of one that was written before there was such a field. */
  readonly default: V
}

/** A field for each key of `T`. */
export type Fields<T, P extends string = string> = { readonly [K in keyof T]-?: Field<T[K], P> }
type AnyFields = Readonly<Record<string, Field>>

/** The attributes of the fields, with the types they have on the wire. */
type AttributesOf<F extends AnyFields> = {
  [K in keyof F as F[K]['attribute']]: ReturnType<F[K]['type']['toWire']>
}

export const TEXT: ValueType<string, string> = plain((value) => typeof value === 'string')
export const NUMBER: ValueType<number, number> = plain((value) => Number.isFinite(value))
export const FLAG: ValueType<boolean, boolean> = plain((value) => typeof value === 'boolean')
/** Whole, from zero up. */
export const SECONDS: ValueType<number, number> = {
  ...NUMBER,
  fromWire: (value) => {
    const seconds = NUMBER.fromWire(value)
    return seconds === undefined ? undefined : Math.max(0, Math.floor(seconds))
  },
}
/** Epoch milliseconds; ISO text on the wire. */
export const INSTANT: ValueType<number, string> = {
  toWire: instantToWire,
  fromWire: (value) =>
    typeof value === 'string' ? (instantFromWire(value) ?? undefined) : undefined,
  toRow: (value) => value,
  fromRow: (value) => (typeof value === 'number' && value >= EARLIEST ? value : undefined),
}
/** Without the pauses of unknown time, which follow from the seconds of the record. */
export const PAUSES: ValueType<Pauses, string | null> = {
  toWire: pausesToWire,
  fromWire: (value) => (typeof value === 'string' ? pausesFromWire(value, 0) : NO_PAUSES),
  toRow: ({ intervals, unplacedSeconds }) =>
    intervals.length === 0 && unplacedSeconds === 0
      ? null
      : [unplacedSeconds, ...intervals.flatMap(({ start, end }) => [start, end])],
  fromRow: pausesFromRow,
}

/** The id of something, mostly the record's own, or null. */
export const OPTIONAL_ID: ValueType<string | null, string | null> = {
  ...optional(TEXT),
  toRow: (value, id) => (value === id ? '' : value),
  fromRow: (value, id) => (value === '' ? id : value === null ? null : TEXT.fromRow(value, id)),
}

/** Values of the type, or null. */
export function optional<V, W extends WireValue>(
  type: ValueType<V, W>,
): ValueType<V | null, W | null> {
  return {
    toWire: (value) => (value === null ? null : type.toWire(value)),
    fromWire: (value) => (value === null ? null : type.fromWire(value)),
    toRow: (value, id) => (value === null ? null : type.toRow(value, id)),
    fromRow: (value, id) => (value === null ? null : type.fromRow(value, id)),
  }
}

/** The names of the attributes that change with these parts. */
export function attributesOfParts(fields: AnyFields, parts: readonly string[]): Set<string> {
  return new Set(
    Object.values(fields).flatMap(({ attribute, part }) => {
      return part !== null && parts.includes(part) ? attribute : []
    }),
  )
}

/** When the backend created and changed a document. */
export function stampsOf(document: SystemFields): Omit<Stamped, 'id'> {
  const createdAt = instantFromWire(document.$createdAt) ?? 0
  return { createdAt, updatedAt: instantFromWire(document.$updatedAt) ?? createdAt }
}

/** What follows from the description of a record's fields. */
export interface Forms<T, F extends AnyFields> {
  readonly defaults: T
  readonly toAttributes: (record: T) => AttributesOf<F>
  /** What is missing or unreadable is the default. */
  readonly fromAttributes: (attributes: Readonly<Record<string, unknown>>) => T
}

/** A record as a row: names are most of what a hundred thousand records have to read. */
export interface Rows<T> {
  readonly toRow: (record: T & Stamped) => unknown[]
  /** Reads a row, also one of before the last fields; null when it cannot be read. */
  readonly fromRow: (row: unknown) => (T & Stamped) | null
}

export function formsOf<
  T extends Readonly<Record<string, unknown>>,
  F extends Fields<T> & AnyFields,
>(fields: F): Forms<T, F> {
  const described = describedOf(fields)
  const defaults = defaultsOf(fields)
  // Each key of `T` has a field, which reads and writes its values: `Fields` says so.
  /* oxlint-disable typescript/no-unsafe-type-assertion */
  return {
    defaults: defaults as T,
    toAttributes: (record) => {
      const attributes: Record<string, WireValue> = {}
      for (const { key, attribute, type } of described) {
        attributes[attribute] = type.toWire(record[key])
      }
      return attributes as AttributesOf<F>
    },
    fromAttributes: (attributes) => {
      const record = { ...defaults }
      for (const { key, attribute, type } of described) {
        const value = type.fromWire(attributes[attribute])
        if (value !== undefined) record[key] = value
      }
      return record as T
    },
  }
  /* oxlint-enable typescript/no-unsafe-type-assertion */
}

export function rowsOf<T extends Readonly<Record<string, unknown>>>(fields: Fields<T>): Rows<T> {
  const described = describedOf(fields)
  const template = { id: '', ...defaultsOf(fields), createdAt: 0, updatedAt: 0 }
  return {
    toRow: (record) => {
      const { id, createdAt, updatedAt } = record
      return [
        id,
        createdAt,
        updatedAt,
        ...described.map(({ key, type }) => type.toRow(record[key], id)),
      ]
    },
    fromRow: (row) => {
      if (!Array.isArray(row)) return null
      const [id, createdAt, updatedAt]: unknown[] = row
      if (typeof id !== 'string' || id === '') return null
      if (typeof createdAt !== 'number' || typeof updatedAt !== 'number') return null
      const record: Record<string, unknown> = { ...template }
      record['id'] = id
      record['createdAt'] = createdAt
      record['updatedAt'] = updatedAt
      let position = 3
      for (const { key, type } of described) {
        if (position >= row.length) break
        const value = type.fromRow(row[position++], id)
        if (value === undefined) return null
        record[key] = value
      }
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each field reads its own
      return record as T & Stamped
    },
  }
}

function describedOf(fields: AnyFields) {
  return Object.entries(fields).map(([key, field]) => ({ key, ...field }))
}

function defaultsOf(fields: AnyFields): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, field.default]))
}

/** How records with these fields are compared and put together. */
export function partsOf<T extends Stamped, P extends string>(
  fields: Fields<Omit<T, keyof Stamped>, P>,
  mayBeMissing: (record: T) => boolean,
): Parts<T, P> {
  const keys = keysOf(fields)
  return {
    differing: (one, other) => {
      const differing = new Set<P>()
      for (const key of keys) {
        const { part } = fields[key]
        if (part !== null && !isSame(one[key], other[key])) differing.add(part)
      }
      return [...differing]
    },
    take: (into, from, parts) => {
      const taken = { ...into, updatedAt: from.updatedAt }
      for (const key of keys) {
        const { part } = fields[key]
        if (part !== null && parts.includes(part)) taken[key] = from[key]
      }
      return taken
    },
    stamps: (record) => record,
    mayBeMissing,
  }
}

/** What the backend says of each document. */
export interface Stamped {
  readonly id: string
  readonly createdAt: number
  readonly updatedAt: number
}

function keysOf<T>(fields: Fields<T>): (keyof T)[] {
  // The type of `fields` has no other keys.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.keys(fields) as (keyof T)[]
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}

function plain<V extends WireValue>(fits: (value: unknown) => boolean): ValueType<V, V> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `fits` says so
  const read = (value: unknown) => (fits(value) ? (value as V) : undefined)
  const write = (value: V) => value
  return { toWire: write, fromWire: read, toRow: write, fromRow: read }
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
