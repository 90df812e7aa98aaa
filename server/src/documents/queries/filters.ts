/**
 * Reads the filters of a list call. Their values are collected apart and filters name them by index: lists that
 * differ only in values share one statement, and no value is ever part of SQL text.
 */
import type { CollectionId } from '@stint/core/collections.ts'
import type { Scalar } from '#documents/document.ts'
import { fits } from '#documents/structure.ts'
import { isStorable } from '#http/params.ts'
import type { Comparison, Filter } from './query.ts'
import {
  attributeOf,
  invalidQuery,
  invalidValue,
  readValue,
  sentenceName,
  toRawQuery,
} from './raw-query.ts'
import type { QueryableAttribute, RawQuery } from './raw-query.ts'

/** Bounds of one list call, nested filters included: they bound what it can cost. */
const MAX_FILTERS = 100
const MAX_VALUES = 1000
const MAX_TEXT_VALUES = 20
const MAX_NESTING = 3
/** In characters. */
const MAX_PATTERN = 64
/** Holds up to 64 KiB of text: too long to search in every document. */
const UNSEARCHABLE = 'pauses'

const COMPARISONS: ReadonlyMap<string, Comparison> = new Map([
  ['notEqual', '<>'],
  ['lessThan', '<'],
  ['lessThanEqual', '<='],
  ['greaterThan', '>'],
  ['greaterThanEqual', '>='],
])

/** Reads the filters of one list call and collects their values. */
export class FilterReader {
  /** Dates are wire text; the values of `text` filters are in lower case. */
  readonly values: (Scalar | readonly Scalar[])[] = []
  readonly #collection: CollectionId
  readonly #bounds = new FilterBounds()

  constructor(collection: CollectionId) {
    this.#collection = collection
  }

  /**
   * Returns the filter of a query.
   * @param depth how many queries it is nested in.
   * @throws ApiError general_query_invalid.
   */
  read(query: RawQuery, depth = 0): Filter {
    this.#bounds.countFilters(1)
    const comparison = COMPARISONS.get(query.method)
    if (comparison !== undefined) return this.#compare(query, comparison)
    switch (query.method) {
      case 'equal':
        return this.#equal(query)
      case 'between':
        return this.#between(query, false)
      case 'notBetween':
        return this.#between(query, true)
      case 'isNull':
        return this.#isNull(query.attribute, false)
      case 'isNotNull':
        return this.#isNull(query.attribute, true)
      case 'exists':
        return this.#exist(query, true)
      case 'notExists':
        return this.#exist(query, false)
      case 'contains':
      case 'containsAny':
        return joined('or', this.#text(query, 'anywhere', false))
      case 'containsAll':
        return joined('and', this.#text(query, 'anywhere', false))
      case 'notContains':
        return joined('and', this.#text(query, 'anywhere', true))
      case 'startsWith':
        return this.#oneText(query, 'start', false)
      case 'notStartsWith':
        return this.#oneText(query, 'start', true)
      case 'endsWith':
        return this.#oneText(query, 'end', false)
      case 'notEndsWith':
        return this.#oneText(query, 'end', true)
      case 'search':
      case 'notSearch':
        throw invalidQuery(
          `Searching by attribute "${this.#attribute(query).name}" requires a fulltext index.`,
        )
      case 'and':
      case 'or':
        return this.#logical(query, query.method, depth)
      default:
        throw invalidQuery(`Invalid query method: ${query.method.slice(0, 64)}`)
    }
  }

  #attribute({ attribute }: RawQuery): QueryableAttribute {
    return attributeOf(this.#collection, attribute)
  }

  #equal(query: RawQuery): Filter {
    const attribute = this.#attribute(query)
    const { name, type } = attribute
    const { length } = query.values
    if (length === 0) throw invalidQuery('Equal queries require at least one value.')
    // Lists are bound as text, in which a fraction may not be the same to the last bit.
    if (length === 1 || type === 'double') {
      this.#bounds.countFilters(length - 1)
      return joined(
        'or',
        query.values.map((value) => ({
          kind: 'compare',
          attribute: name,
          comparison: '=',
          value: this.#bind(readValue(attribute, value)),
        })),
      )
    }
    const list = query.values.map((value) => readValue(attribute, value))
    return { kind: 'in', attribute: name, value: this.#bind(list) }
  }

  #compare(query: RawQuery, comparison: Comparison): Filter {
    const attribute = this.#attribute(query)
    const value = this.#bind(readValue(attribute, onlyValue(query)))
    return { kind: 'compare', attribute: attribute.name, comparison, value }
  }

  #between(query: RawQuery, negated: boolean): Filter {
    const attribute = this.#attribute(query)
    if (query.values.length !== 2) {
      throw invalidQuery(`${sentenceName(query)} queries require exactly two values.`)
    }
    const [low = 0, high = 0] = query.values.map((value) => this.#bind(readValue(attribute, value)))
    return { kind: 'between', attribute: attribute.name, low, high, negated }
  }

  #isNull(attribute: string, negated: boolean): Filter {
    const { name } = attributeOf(this.#collection, attribute)
    return { kind: 'null', attribute: name, negated }
  }

  #exist(query: RawQuery, exists: boolean): Filter {
    requireValues(query)
    this.#bounds.countFilters(query.values.length - 1)
    return joined(
      'and',
      query.values.map((value) => this.#isNull(typeof value === 'string' ? value : '', exists)),
    )
  }

  #oneText(query: RawQuery, at: 'start' | 'end', negated: boolean): Filter {
    onlyValue(query)
    return joined('and', this.#text(query, at, negated))
  }

  #text(query: RawQuery, at: 'anywhere' | 'start' | 'end', negated: boolean): Filter[] {
    const { name, type } = this.#attribute(query)
    if (type !== 'string') {
      throw invalidQuery(`Cannot query ${query.method} on attribute "${name}" of type ${type}.`)
    }
    if (name === UNSEARCHABLE) {
      throw invalidQuery(`Cannot query ${query.method} on attribute "${name}": it is too long.`)
    }
    requireValues(query)
    this.#bounds.countTextValues(query.values.length)
    return query.values.map((value) => {
      if (typeof value !== 'string' || !isStorable(value)) throw invalidValue(name)
      if (!fits(value, MAX_PATTERN)) {
        throw invalidQuery(`${sentenceName(query)} queries take at most ${MAX_PATTERN} characters.`)
      }
      return { kind: 'text', attribute: name, at, value: this.#bind(foldCase(value)), negated }
    })
  }

  #logical(query: RawQuery, kind: 'and' | 'or', depth: number): Filter {
    if (query.values.length < 2) {
      throw invalidQuery(`${sentenceName(query)} queries require at least two queries`)
    }
    if (depth + 1 >= MAX_NESTING) {
      throw invalidQuery(`Queries cannot be nested more than ${MAX_NESTING} deep`)
    }
    return { kind, filters: query.values.map((value) => this.read(toRawQuery(value), depth + 1)) }
  }

  /** Collects a value and returns its index. */
  #bind(value: Scalar | readonly Scalar[]): number {
    this.#bounds.countValues(typeof value === 'object' ? value.length : 1)
    return this.values.push(value) - 1
  }
}

/** Counts what the filters of one list call contain. @throws ApiError general_query_invalid beyond a bound. */
class FilterBounds {
  #filters = 0
  #values = 0
  #textValues = 0

  countFilters(count: number): void {
    this.#filters += count
    if (this.#filters > MAX_FILTERS) {
      throw invalidQuery(`Too many filters: at most ${MAX_FILTERS} are allowed`)
    }
  }

  countValues(count: number): void {
    this.#values += count
    if (this.#values > MAX_VALUES) {
      throw invalidQuery(`Too many values: at most ${MAX_VALUES} are allowed`)
    }
  }

  countTextValues(count: number): void {
    this.#textValues += count
    if (this.#textValues > MAX_TEXT_VALUES) {
      throw invalidQuery(`Too many text filters: at most ${MAX_TEXT_VALUES} values are allowed`)
    }
  }
}

/** Lower case for ASCII letters only: the one folding that both databases have in common. */
export function foldCase(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

function requireValues(query: RawQuery): void {
  if (query.values.length === 0) {
    throw invalidQuery(`${sentenceName(query)} queries require at least one value.`)
  }
}

function onlyValue(query: RawQuery): unknown {
  if (query.values.length === 1) return query.values[0]
  throw invalidQuery(`${sentenceName(query)} queries require exactly one value.`)
}

function joined(kind: 'and' | 'or', filters: Filter[]): Filter {
  const [only] = filters
  return only !== undefined && filters.length === 1 ? only : { kind, filters }
}
