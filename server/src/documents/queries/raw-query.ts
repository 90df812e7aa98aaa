/** One query of a list call as it is sent: JSON text with a method, an attribute and values. */
import type { Attribute, CollectionId } from '@stint/core/collections.ts'
import type { Scalar } from '#documents/document.ts'
import { apiError } from '#errors.ts'
import { isStorable } from '#http/params.ts'
import { isPlainObject, parsedJson } from '#json.ts'
import { ASKED_DATES, parseInstant, wireInstant } from '#instant.ts'
import { attributesOf } from '#storage/schema.ts'

/** In characters. */
const MAX_QUERY_LENGTH = 4096
/** Of one query. */
const MAX_VALUES = 500

export interface RawQuery {
  readonly method: string
  /** '' if the query names none. */
  readonly attribute: string
  readonly values: readonly unknown[]
}

type ValueType = Attribute['type'] | 'sequence'

/** An attribute that queries may name. */
export interface QueryableAttribute {
  readonly name: string
  readonly type: ValueType
}

const SYSTEM_TYPES: ReadonlyMap<string, ValueType> = new Map([
  ['$id', 'string'],
  ['$sequence', 'sequence'],
  ['$createdAt', 'datetime'],
  ['$updatedAt', 'datetime'],
])

/** Reads the JSON text of a query. @throws ApiError general_query_invalid. */
export function parseRawQuery(text: string): RawQuery {
  if (text.length > MAX_QUERY_LENGTH) {
    throw apiError('general_query_invalid.length', { max: MAX_QUERY_LENGTH })
  }
  return toRawQuery(parsedJson(text))
}

/** Checks the parts of a query. @throws ApiError general_query_invalid. */
export function toRawQuery(parsed: unknown): RawQuery {
  if (!isPlainObject(parsed)) throw apiError('general_query_invalid.syntax')
  const { method, attribute = '', values = [] } = parsed
  if (typeof method !== 'string' || typeof attribute !== 'string' || !Array.isArray(values)) {
    throw apiError('general_query_invalid.syntax')
  }
  if (values.length > MAX_VALUES) {
    throw apiError('general_query_invalid.values_of_query', {
      max: MAX_VALUES,
      name: attribute.slice(0, 64),
    })
  }
  return { method, attribute, values }
}

/** Returns the attribute of that name. @throws ApiError general_query_invalid when there is none. */
export function attributeOf(collection: CollectionId, name: string): QueryableAttribute {
  const type = SYSTEM_TYPES.get(name) ?? attributesOf(collection).get(name)?.type
  if (type !== undefined) return { name, type }
  throw apiError('general_query_invalid.attribute', { name: name.slice(0, 64) })
}

/**
 * Returns a value as the database compares it: instants as wire text in UTC, sequences as numbers.
 * @throws ApiError general_query_invalid when it is not of the attribute's type.
 */
export function readValue({ name, type }: QueryableAttribute, value: unknown): Scalar {
  switch (type) {
    case 'string':
      if (typeof value === 'string' && isStorable(value)) return value
      break
    case 'boolean':
      if (typeof value === 'boolean') return value
      break
    case 'integer':
      if (typeof value === 'number' && Number.isSafeInteger(value)) return value
      break
    case 'double':
      if (typeof value === 'number' && Number.isFinite(value)) return value
      break
    case 'sequence': {
      const isNumeral = typeof value === 'string' && /^\d{1,15}$/.test(value)
      if (isNumeral || Number.isSafeInteger(value)) return Number(value)
      break
    }
    case 'datetime': {
      const instant = typeof value === 'string' ? parseInstant(value, ASKED_DATES) : null
      if (instant !== null) return wireInstant(instant)
      break
    }
  }
  throw apiError('general_query_invalid.value', { name })
}

/** Returns the method as messages begin with it: 'NotBetween' for `notBetween`. */
export function sentenceName({ method }: RawQuery): string {
  return method.charAt(0).toUpperCase() + method.slice(1)
}
