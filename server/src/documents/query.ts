/**
 * Queries: the JSON strings of a list call, checked, as a tree. Values are kept
 * apart from the tree, which names them by number: equal trees share one prepared statement, and
 * no value ever comes near SQL text.
 */
import type { CollectionId } from '@stint/core/collections.ts'
import { boundedCache } from '#bounded-cache.ts'
import { attributesOf } from '#storage/schema.ts'
import { ApiError } from '#errors.ts'
import { isId } from '#id.ts'
import { ASKED_DATES, parseInstant, wireInstant } from '#instant.ts'
import { isPlainObject, isStorable } from '#http/params.ts'
import type { Scalar } from './document.ts'
import { fits } from './structure.ts'

const MAX_QUERIES = 100
const MAX_QUERY_LENGTH = 4096
const MAX_VALUES = 500
/** Of a whole list, nested ones included: what can be asked for is bounded, and so is what it costs. */
const MAX_VALUES_IN_ALL = 1000
const MAX_FILTERS = 100
const MAX_TEXT_FILTERS = 20
/** In characters. */
const MAX_PATTERN = 64
/** The text of all breaks of a session, up to 64 KiB: too long to be looked into for every document. */
const UNSEARCHED = 'pauses'
const MAX_NESTING = 3
const MAX_LIMIT = 5000
const MAX_OFFSET = 5000
const DEFAULT_LIMIT = 25

/** How much of what was asked lately is remembered, and of one list, in characters. */
const MAX_PARSED_CHARACTERS = 500_000
const MAX_KEPT_CHARACTERS = 1000

type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>='

/** A condition; `value` and the like are indexes into the query's values. */
export type Filter =
  | {
      readonly kind: 'compare'
      readonly attribute: string
      readonly comparison: Comparison
      readonly value: number
    }
  /** The value is a list, so that a longer one is the same statement. */
  | { readonly kind: 'in'; readonly attribute: string; readonly value: number }
  | {
      readonly kind: 'between'
      readonly attribute: string
      readonly low: number
      readonly high: number
      readonly negated: boolean
    }
  | { readonly kind: 'null'; readonly attribute: string; readonly negated: boolean }
  | {
      readonly kind: 'text'
      readonly attribute: string
      readonly at: 'anywhere' | 'start' | 'end'
      readonly value: number
      readonly negated: boolean
    }
  | { readonly kind: 'and' | 'or'; readonly filters: readonly Filter[] }

export interface Order {
  readonly attribute: string
  readonly descending: boolean
}

/** What of a query is the same for every value. */
export interface QueryShape {
  readonly filters: readonly Filter[]
  readonly orders: readonly Order[]
  readonly cursor: 'after' | 'before' | null
}

export interface DocumentQuery {
  /** What it was read from: queries of the same text ask for the same. */
  readonly text: string
  readonly shape: QueryShape
  /** Dates as wire text, text for `text` filters folded to lower case. */
  readonly values: readonly (Scalar | readonly Scalar[])[]
  readonly limit: number
  readonly offset: number
  readonly cursorId: string | null
  /** The attributes to send, or null for all. */
  readonly select: readonly string[] | null
}

/**
 * Reads the `queries` of a list call.
 * @throws ApiError general_query_invalid, in Appwrite's words.
 */
export function parseQueries(collection: CollectionId, texts: readonly string[]): DocumentQuery {
  if (texts.length === 0) return NO_QUERY
  // No text that can be parsed has a NUL in it.
  const text = `${collection} ${texts.length} ${texts.join('\0')}`
  const known = parsed.get(text)
  if (known !== undefined) return known
  const query = { text, ...parseAnew(collection, texts) }
  if (text.length <= MAX_KEPT_CHARACTERS) parsed.set(text, query, text.length)
  return query
}

const NO_QUERY: DocumentQuery = {
  text: '',
  shape: { filters: [], orders: [], cursor: null },
  values: [],
  limit: DEFAULT_LIMIT,
  offset: 0,
  cursorId: null,
  select: null,
}

/** What was asked lately: devices ask the same again and again. */
const parsed = boundedCache<DocumentQuery>(MAX_PARSED_CHARACTERS)

function parseAnew(
  collection: CollectionId,
  texts: readonly string[],
): Omit<DocumentQuery, 'text'> {
  if (texts.length > MAX_QUERIES) {
    throw invalidQuery(`Too many queries: at most ${MAX_QUERIES} are allowed`)
  }
  const attributes = QUERYABLE[collection]
  const values: (Scalar | readonly Scalar[])[] = []
  let valueCount = 0
  const filters: Filter[] = []
  const orders: Order[] = []
  let filterCount = 0
  let textFilterCount = 0
  let limit: number | null = null
  let offset: number | null = null
  let cursor: { direction: 'after' | 'before'; id: string } | null = null
  let select: string[] | null = null

  for (const text of texts) {
    const query = parseQuery(text)
    switch (query.method) {
      case 'orderAsc':
      case 'orderDesc': {
        const order = readOrder(query)
        // A second order by the same attribute orders nothing.
        if (orders.every(({ attribute }) => attribute !== order.attribute)) orders.push(order)
        break
      }
      case 'limit':
        limit ??= readCount(query, 'limit', 1, MAX_LIMIT)
        break
      case 'offset':
        offset ??= readCount(query, 'offset', 0, MAX_OFFSET)
        break
      case 'cursorAfter':
      case 'cursorBefore':
        cursor ??= {
          direction: query.method === 'cursorAfter' ? 'after' : 'before',
          id: readCursor(query),
        }
        break
      case 'select':
        select = [...(select ?? []), ...readSelect(query)]
        break
      default:
        filters.push(readFilter(query, 1))
    }
  }
  return {
    shape: { filters, orders, cursor: cursor?.direction ?? null },
    values,
    limit: limit ?? DEFAULT_LIMIT,
    offset: offset ?? 0,
    cursorId: cursor?.id ?? null,
    select: select === null || select.includes('*') ? null : select,
  }

  function readFilter(query: RawQuery, depth: number): Filter {
    countFilters(1)
    switch (query.method) {
      case 'equal':
        return equal(query)
      case 'notEqual':
        return compare(query, '<>')
      case 'lessThan':
        return compare(query, '<')
      case 'lessThanEqual':
        return compare(query, '<=')
      case 'greaterThan':
        return compare(query, '>')
      case 'greaterThanEqual':
        return compare(query, '>=')
      case 'between':
        return between(query, false)
      case 'notBetween':
        return between(query, true)
      case 'isNull':
        return { kind: 'null', attribute: known(query.attribute).name, negated: false }
      case 'isNotNull':
        return { kind: 'null', attribute: known(query.attribute).name, negated: true }
      case 'exists':
        return existence(query, true)
      case 'notExists':
        return existence(query, false)
      case 'contains':
      case 'containsAny':
        return group('or', textFilters(query, 'anywhere', false))
      case 'containsAll':
        return group('and', textFilters(query, 'anywhere', false))
      case 'notContains':
        return group('and', textFilters(query, 'anywhere', true))
      case 'startsWith':
        return single(query, 'start', false)
      case 'notStartsWith':
        return single(query, 'start', true)
      case 'endsWith':
        return single(query, 'end', false)
      case 'notEndsWith':
        return single(query, 'end', true)
      case 'search':
      case 'notSearch':
        throw invalidQuery(
          `Searching by attribute "${known(query.attribute).name}" requires a fulltext index.`,
        )
      case 'and':
      case 'or':
        return logical(query, query.method, depth)
      default:
        throw invalidQuery(`Invalid query method: ${query.method.slice(0, 64)}`)
    }
  }

  function countFilters(count: number): void {
    filterCount += count
    if (filterCount > MAX_FILTERS) {
      throw invalidQuery(`Too many filters: at most ${MAX_FILTERS} are allowed`)
    }
  }

  function equal(query: RawQuery): Filter {
    const { name, type } = known(query.attribute)
    if (query.values.length === 0) {
      throw invalidQuery('Equal queries require at least one value.')
    }
    const isOne = query.values.length === 1
    // Lists are sent as text, in which a fraction may not be the same to the last bit.
    if (isOne || type === 'double') {
      countFilters(query.values.length - 1)
      const one = (value: unknown): Filter => ({
        kind: 'compare',
        attribute: name,
        comparison: '=',
        value: bind(name, value),
      })
      return group('or', query.values.map(one))
    }
    const list = query.values.map((value) => readValue(name, type, value))
    return { kind: 'in', attribute: name, value: keep(list, list.length) }
  }

  function compare(query: RawQuery, comparison: Comparison): Filter {
    const { name } = known(query.attribute)
    return { kind: 'compare', attribute: name, comparison, value: onlyValue(query) }
  }

  function between(query: RawQuery, negated: boolean): Filter {
    const { name } = known(query.attribute)
    if (query.values.length !== 2) {
      throw invalidQuery(`${sentenceName(query)} queries require exactly two values.`)
    }
    const [low = 0, high = 0] = query.values.map((value) => bind(query.attribute, value))
    return { kind: 'between', attribute: name, low, high, negated }
  }

  function existence(query: RawQuery, exists: boolean): Filter {
    if (query.values.length === 0) {
      throw invalidQuery(`${sentenceName(query)} queries require at least one value.`)
    }
    countFilters(query.values.length - 1)
    return group(
      'and',
      query.values.map((value) => ({
        kind: 'null',
        attribute: known(typeof value === 'string' ? value : '').name,
        negated: exists,
      })),
    )
  }

  function single(query: RawQuery, at: 'start' | 'end', negated: boolean): Filter {
    if (query.values.length !== 1) throw oneValue(query)
    return group('and', textFilters(query, at, negated))
  }

  function textFilters(
    query: RawQuery,
    at: 'anywhere' | 'start' | 'end',
    negated: boolean,
  ): Filter[] {
    const { name, type } = known(query.attribute)
    if (type !== 'string') {
      throw invalidQuery(`Cannot query ${query.method} on attribute "${name}" of type ${type}.`)
    }
    if (name === UNSEARCHED) {
      throw invalidQuery(`Cannot query ${query.method} on attribute "${name}": it is too long.`)
    }
    if (query.values.length === 0) {
      throw invalidQuery(`${sentenceName(query)} queries require at least one value.`)
    }
    textFilterCount += query.values.length
    if (textFilterCount > MAX_TEXT_FILTERS) {
      throw invalidQuery(`Too many text filters: at most ${MAX_TEXT_FILTERS} values are allowed`)
    }
    return query.values.map((value) => {
      if (typeof value !== 'string' || !isStorable(value)) throw invalidValue(name)
      if (!fits(value, MAX_PATTERN)) {
        throw invalidQuery(`${sentenceName(query)} queries take at most ${MAX_PATTERN} characters.`)
      }
      return { kind: 'text', attribute: name, at, value: keep(foldCase(value)), negated }
    })
  }

  function logical(query: RawQuery, kind: 'and' | 'or', depth: number): Filter {
    if (query.values.length < 2) {
      throw invalidQuery(`${sentenceName(query)} queries require at least two queries`)
    }
    if (depth >= MAX_NESTING) {
      throw invalidQuery(`Queries cannot be nested more than ${MAX_NESTING} deep`)
    }
    return { kind, filters: query.values.map((value) => readFilter(rawQuery(value), depth + 1)) }
  }

  function onlyValue(query: RawQuery): number {
    if (query.values.length !== 1) throw oneValue(query)
    return bind(query.attribute, query.values[0])
  }

  /** Checks a value against its attribute, keeps it, and gives back its number. */
  function bind(attribute: string, value: unknown): number {
    const { name, type } = known(attribute)
    return keep(readValue(name, type, value))
  }

  /** Returns the number of the value. */
  function keep(value: Scalar | readonly Scalar[], count = 1): number {
    valueCount += count
    if (valueCount > MAX_VALUES_IN_ALL) {
      throw invalidQuery(`Too many values: at most ${MAX_VALUES_IN_ALL} are allowed`)
    }
    return values.push(value) - 1
  }

  function known(attribute: string): QueryableAttribute {
    const found = attributes.get(attribute)
    if (found === undefined) {
      throw invalidQuery(`Attribute not found in schema: ${attribute.slice(0, 64)}`)
    }
    return found
  }

  function readOrder(query: RawQuery): Order {
    const attribute = query.attribute === '' ? '$sequence' : known(query.attribute).name
    return { attribute, descending: query.method === 'orderDesc' }
  }

  function readSelect(query: RawQuery): string[] {
    if (query.values.length === 0) throw invalidQuery('No attributes selected')
    return query.values.map((value) => {
      const name = typeof value === 'string' ? value : ''
      return name === '*' || ALWAYS_SELECTED.has(name) ? name : known(name).name
    })
  }
}

/** Lower case for ASCII letters only: the one folding both databases have in common. */
export function foldCase(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** Sent whatever is selected, as by Appwrite. */
export const ALWAYS_SELECTED: ReadonlySet<string> = new Set([
  '$id',
  '$sequence',
  '$createdAt',
  '$updatedAt',
  '$permissions',
  '$databaseId',
  '$collectionId',
])

type ValueType = 'string' | 'integer' | 'double' | 'boolean' | 'datetime' | 'sequence'

interface QueryableAttribute {
  readonly name: string
  readonly type: ValueType
}

const QUERYABLE: Readonly<Record<CollectionId, ReadonlyMap<string, QueryableAttribute>>> = {
  tasks: queryableAttributes('tasks'),
  timer_sessions: queryableAttributes('timer_sessions'),
  time_entries: queryableAttributes('time_entries'),
}

interface RawQuery {
  readonly method: string
  readonly attribute: string
  readonly values: readonly unknown[]
}

function queryableAttributes(collection: CollectionId): ReadonlyMap<string, QueryableAttribute> {
  const system: readonly (readonly [string, ValueType])[] = [
    ['$id', 'string'],
    ['$sequence', 'sequence'],
    ['$createdAt', 'datetime'],
    ['$updatedAt', 'datetime'],
  ]
  const own = [...attributesOf(collection)].map(([name, { type }]) => [name, type] as const)
  return new Map([...system, ...own].map(([name, type]) => [name, { name, type }]))
}

function parseQuery(text: string): RawQuery {
  if (text.length > MAX_QUERY_LENGTH) {
    throw invalidQuery(`longer than ${MAX_QUERY_LENGTH} characters`)
  }
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw invalidQuery('Syntax error')
  }
  return rawQuery(parsed)
}

function rawQuery(parsed: unknown): RawQuery {
  if (!isPlainObject(parsed)) throw invalidQuery('Syntax error')
  const { method, attribute = '', values = [] } = parsed
  if (typeof method !== 'string' || typeof attribute !== 'string' || !Array.isArray(values)) {
    throw invalidQuery('Syntax error')
  }
  if (values.length > MAX_VALUES) {
    throw invalidQuery(
      `Query on attribute has greater than ${MAX_VALUES} values: ${attribute.slice(0, 64)}`,
    )
  }
  return { method, attribute, values }
}

function readCount(query: RawQuery, name: string, min: number, max: number): number {
  const [value] = query.values
  if (
    query.values.length === 1 &&
    typeof value === 'number' &&
    Number.isInteger(value) &&
    value >= min &&
    value <= max
  ) {
    return value
  }
  throw invalidQuery(
    `Invalid ${name}: Value must be a valid range between ${min} and ${max.toLocaleString('en-US')}`,
  )
}

function readCursor(query: RawQuery): string {
  const [id] = query.values
  if (query.values.length === 1 && isId(id)) return id
  throw new ApiError(
    'general_cursor_not_found',
    `Document '${typeof id === 'string' ? id.slice(0, 36) : ''}' for the 'cursor' value not found.`,
  )
}

function readValue(name: string, type: ValueType, value: unknown): Scalar {
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
  throw invalidValue(name)
}

function group(kind: 'and' | 'or', filters: Filter[]): Filter {
  const [only] = filters
  return only !== undefined && filters.length === 1 ? only : { kind, filters }
}

/** 'NotBetween' for `notBetween`, as the contract's messages begin. */
function sentenceName({ method }: RawQuery): string {
  return method.charAt(0).toUpperCase() + method.slice(1)
}

function oneValue(query: RawQuery): ApiError {
  return invalidQuery(`${sentenceName(query)} queries require exactly one value.`)
}

function invalidValue(attribute: string): ApiError {
  return invalidQuery(`Query value is invalid for attribute "${attribute}"`)
}

/** Every refusal of a query begins with the same words, as Appwrite's do. */
export function invalidQuery(reason: string): ApiError {
  return new ApiError('general_query_invalid', `Invalid query: ${reason}`)
}
