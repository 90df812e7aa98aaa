/** Checks data against the attributes of a collection, their types and bounds. */
import type { Attribute, CollectionId } from '@stint/core/collections.ts'
import { attributesOf } from '#storage/schema.ts'
import { apiError } from '#errors.ts'
import { parseWireInstant, STORED_DATES } from '#instant.ts'
import { isStorable } from '#http/params.ts'
import { isPlainObject, parsedJson } from '#json.ts'
import type { AttributeValues, Scalar } from './document.ts'

/** The methods of Appwrite's operators, which clients send as JSON text instead of a value. */
const OPERATOR =
  /^(increment|decrement|multiply|divide|modulo|power|array(Append|Prepend|Insert|Remove|Unique|Intersect|Diff|Filter)|stringConcat|stringReplace|toggle|dateAddDays|dateSubDays|dateSetNow)$/
const OPERATOR_KEYS: ReadonlySet<string> = new Set(['method', 'attribute', 'values'])

/**
 * Fields that the server sets. It ignores them in the data, and sends them regardless of `select`,
 * as Appwrite does.
 */
export const SYSTEM_FIELDS: ReadonlySet<string> = new Set([
  '$id',
  '$sequence',
  '$createdAt',
  '$updatedAt',
  '$permissions',
  '$databaseId',
  '$collectionId',
])

/**
 * Returns the attributes in `data`, checked and normalised (dates to UTC text).
 * @throws ApiError document_invalid_structure for the first unknown or invalid one.
 */
export function readAttributes(
  collection: CollectionId,
  data: Record<string, unknown>,
): AttributeValues {
  const attributes = attributesOf(collection)
  const values: AttributeValues = {}
  for (const [name, value] of Object.entries(data)) {
    if (SYSTEM_FIELDS.has(name)) continue
    const attribute = attributes.get(name)
    if (attribute === undefined) throw apiError('document_invalid_structure.unknown', { name })
    values[name] = readValue(name, attribute, value)
  }
  return values
}

/**
 * Returns all attributes of a document from those sent: missing ones have their default, or null.
 * @throws ApiError document_invalid_structure when a required one is missing.
 */
export function withDefaults(collection: CollectionId, sent: AttributeValues): AttributeValues {
  const values: AttributeValues = {}
  for (const [name, attribute] of attributesOf(collection)) {
    const fallback = 'default' in attribute ? (attribute.default ?? null) : null
    const value = sent[name] ?? fallback
    if (value === null && attribute.required) {
      throw apiError('document_invalid_structure.required', { name })
    }
    values[name] = value
  }
  return values
}

function readValue(name: string, attribute: Attribute, value: unknown): Scalar | null {
  if (value === null || value === undefined) {
    if (attribute.required) throw apiError('document_invalid_structure.required', { name })
    return null
  }
  refuseOperator(name, value)
  switch (attribute.type) {
    case 'string':
      if (typeof value === 'string' && isStorable(value) && fits(value, attribute.size)) {
        return value
      }
      throw apiError('document_invalid_structure.string', { name, max: attribute.size })
    case 'boolean':
      if (typeof value === 'boolean') return value
      throw apiError('document_invalid_structure.boolean', { name })
    case 'datetime': {
      const wire = typeof value === 'string' ? parseWireInstant(value, STORED_DATES) : null
      if (wire !== null) return wire
      throw apiError('document_invalid_structure.datetime', { name })
    }
    case 'integer':
      if (!Number.isSafeInteger(value))
        throw apiError('document_invalid_structure.integer', { name })
      return inRange(name, attribute, Number(value))
    case 'double':
      if (!Number.isFinite(value)) throw apiError('document_invalid_structure.double', { name })
      return inRange(name, attribute, Number(value))
  }
}

/**
 * Refuses Appwrite's operators, which this server does not apply: an operator that is stored as
 * text would be a wrong value.
 * @throws ApiError document_invalid_structure, in Appwrite's words where it has some.
 */
function refuseOperator(name: string, value: unknown): void {
  if (typeof value !== 'string' || !/^\s*\{/.test(value)) return
  const operator = parsedJson(value)
  if (!isPlainObject(operator)) return
  const { method, attribute = '', values = [] } = operator
  const isOperator =
    typeof method === 'string' &&
    OPERATOR.test(method) &&
    typeof attribute === 'string' &&
    Array.isArray(values) &&
    Object.keys(operator).every((key) => OPERATOR_KEYS.has(key))
  if (!isOperator) return
  const text = method.startsWith('array') ? 'array_operator' : 'operator'
  throw apiError(`document_invalid_structure.${text}`, { method, name })
}

function inRange(
  name: string,
  { min, max }: { readonly min: number; readonly max: number },
  value: number,
): number {
  if (value >= min && value <= max) return value === 0 ? 0 : value
  throw apiError('document_invalid_structure.range', {
    name,
    min: min.toLocaleString('en-US'),
    max: max.toLocaleString('en-US'),
  })
}

/** Returns whether a text has at most `size` characters (code points, not UTF-16 units). */
export function fits(value: string, size: number): boolean {
  return value.length <= size || (value.length <= 2 * size && Array.from(value).length <= size)
}
