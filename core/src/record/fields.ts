/**
 * The description of a record's fields, and what is derived from it: the attributes on the wire,
 * the defaults, and the parts that change independently. Only the rows of `rows.ts` name every field
 * again.
 */
import type { SystemFields } from '#collections.ts'
import {
  isBoolean,
  isFields,
  isId,
  isListOf,
  isNullOr,
  isNumber,
  isObject,
  isText,
} from '#guards.ts'
import type { Guard } from '#guards.ts'
import { instantFromWire, instantToWire } from '#time/instant.ts'
import { pausesFromWire, pausesToWire } from '#timer/pauses.ts'
import type { Pauses } from '#timer/pauses.ts'
import type { Parts } from './unsent.ts'

type WireValue = string | number | boolean | null

/** A type of values and its form on the wire. An unreadable value is undefined. */
export interface ValueType<V, W extends WireValue = WireValue> {
  /** Returns whether it is a value of this type in a record. */
  readonly is: Guard<V>
  toWire(value: V): W
  readonly fromWire: (value: unknown) => V | undefined
}

export interface Field<V = unknown, P extends string = string> {
  /** The name of the field on the wire. */
  readonly attribute: string
  readonly type: ValueType<V>
  /** The part with which the field changes. Null means that it never changes. */
  readonly part: P | null
  /** The value in a new record, and in a record written before the field existed. */
  readonly default: V
}

/** A field for each key of `T`. */
export type Fields<T, P extends string = string> = { readonly [K in keyof T]-?: Field<T[K], P> }
export type AnyFields = Readonly<Record<string, Field>>

/** The attributes of the fields, with their types on the wire. */
type AttributesOf<F extends AnyFields> = {
  [K in keyof F as F[K]['attribute']]: ReturnType<F[K]['type']['toWire']>
}

export const TEXT: ValueType<string, string> = plain(isText)
export const NUMBER: ValueType<number, number> = plain(isNumber)
export const FLAG: ValueType<boolean, boolean> = plain(isBoolean)
/** A whole number, zero or more. */
export const SECONDS: ValueType<number, number> = {
  ...NUMBER,
  fromWire: (value) => {
    const seconds = NUMBER.fromWire(value)
    return seconds === undefined ? undefined : Math.max(0, Math.floor(seconds))
  },
}
/** Epoch milliseconds. On the wire it is ISO text. */
export const INSTANT: ValueType<number, string> = {
  is: isNumber,
  toWire: instantToWire,
  fromWire: (value) =>
    typeof value === 'string' ? (instantFromWire(value) ?? undefined) : undefined,
}
/** Pauses without those of unknown time, which follow from the seconds of the record. */
export const PAUSES: ValueType<Pauses, string | null> = {
  is: isObject({
    intervals: isListOf(isObject({ start: isNumber, end: isNumber })),
    unplacedSeconds: isNumber,
  }),
  toWire: pausesToWire,
  fromWire: pausesFromWire,
}
export const OPTIONAL_TEXT = optional(TEXT)
export const OPTIONAL_FLAG = optional(FLAG)
export const OPTIONAL_INSTANT = optional(INSTANT)
/** An id, mostly the record's own, or null. */
export const OPTIONAL_ID = optional(TEXT)

/** Returns the type of values that may also be null. */
function optional<V, W extends WireValue>(type: ValueType<V, W>): ValueType<V | null, W | null> {
  return {
    is: isNullOr(type.is),
    toWire: (value) => (value === null ? null : type.toWire(value)),
    fromWire: (value) => (value === null ? null : type.fromWire(value)),
  }
}

/** Returns a guard of records with these fields, for records that are read from a disk. */
export function isRecordOf<T extends Stamped>(fields: Fields<Omit<T, keyof Stamped>>): Guard<T> {
  const types = Object.entries<Field>(fields).map(([key, { type }]) => [key, type.is])
  const shape = { id: isId, createdAt: isNumber, updatedAt: isNumber, ...Object.fromEntries(types) }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `Fields` has a field for each key of `T`, which knows its values
  return isObject(shape) as unknown as Guard<T>
}

/**
 * Returns the stored record with the default of each missing field. The record was stored before
 * that field existed.
 */
export function completed(fields: AnyFields, stored: unknown): unknown {
  return isFields(stored) ? { ...defaultsOf(fields), ...stored } : stored
}

/** Returns the record as a backend has it that has only defaults in these attributes. */
export function withoutAttributes<T extends object>(
  fields: AnyFields,
  record: T,
  attributes: readonly string[],
): T {
  const lost = describedOf(fields).filter(({ attribute }) => attributes.includes(attribute))
  return { ...record, ...Object.fromEntries(lost.map((field) => [field.key, field.default])) }
}

/** Returns when the backend created and changed a document. */
export function stampsOf(document: SystemFields): Omit<Stamped, 'id'> {
  const createdAt = instantFromWire(document.$createdAt) ?? 0
  return { createdAt, updatedAt: instantFromWire(document.$updatedAt) ?? createdAt }
}

/** What is derived from the description of a record's fields. */
export interface Forms<T, F extends AnyFields> {
  readonly defaults: T
  readonly toAttributes: (record: T) => AttributesOf<F>
  /** Returns the attributes that change with these parts. */
  readonly partAttributes: (record: T, parts: readonly string[]) => Partial<AttributesOf<F>>
  /** A missing or unreadable attribute has its default. */
  readonly fromAttributes: (attributes: Readonly<Record<string, unknown>>) => T
}

export function formsOf<
  T extends Readonly<Record<string, unknown>>,
  F extends Fields<T> & AnyFields,
>(fields: F): Forms<T, F> {
  const described = describedOf(fields)
  const defaults = defaultsOf(fields)
  /* oxlint-disable typescript/no-unsafe-type-assertion -- `Fields` has a field for each key of `T`, which reads and writes its values */
  return {
    defaults: defaults as T,
    toAttributes: (record) => attributesFor(record, () => true) as AttributesOf<F>,
    partAttributes: (record, parts) =>
      attributesFor(record, (part) => part !== null && parts.includes(part)) as Partial<
        AttributesOf<F>
      >,
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

  function attributesFor(record: T, isWanted: (part: string | null) => boolean) {
    const attributes: Record<string, WireValue> = {}
    for (const { key, attribute, type, part } of described) {
      if (isWanted(part)) attributes[attribute] = type.toWire(record[key])
    }
    return attributes
  }
}

export function describedOf(fields: AnyFields) {
  return Object.entries(fields).map(([key, field]) => ({ key, ...field }))
}

export function defaultsOf(fields: AnyFields): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, field.default]))
}

/** Returns how records with these fields are compared and merged. */
export function partsOf<T extends Stamped, P extends string>(
  fields: Fields<Omit<T, keyof Stamped>, P>,
): Parts<T, P> {
  const keys = keysOf(fields)
  const all = [...new Set(keys.flatMap((key) => fields[key].part ?? []))]
  return {
    all: () => all,
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
  }
}

/** The fields that the backend adds to each document. */
export interface Stamped {
  readonly id: string
  readonly createdAt: number
  readonly updatedAt: number
}

function keysOf<T>(fields: Fields<T>): (keyof T)[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the type of `fields` has no other keys
  return Object.keys(fields) as (keyof T)[]
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}

function plain<V extends WireValue>(is: Guard<V>): ValueType<V, V> {
  const read = (value: unknown) => (is(value) ? value : undefined)
  const write = (value: V) => value
  return { is, toWire: write, fromWire: read }
}
