/**
 * Reads the filters of a list call. Values are collected separately and filters refer to them by
 * index. Lists that differ only in values share one statement, and values are never part of SQL
 * text.
 */
import type { CollectionId } from '@stint/core/collections.ts'
import type { Scalar } from '#documents/document.ts'
import { fits } from '#documents/structure.ts'
import { apiError } from '#errors.ts'
import type { Comparison, Filter } from './query.ts'
import { attributeOf, readValue, sentenceName, toRawQuery } from './raw-query.ts'
import type { QueryableAttribute, RawQuery } from './raw-query.ts'

/** Bounds of one list call, nested filters included, which limit its cost. */
const MAX = { filters: 100, values: 1000, text_values: 20 } as const
const MAX_NESTING = 3
/** In characters. */
const MAX_PATTERN = 64
/** Attributes of up to 64 KiB of text: too long to search in every document. */
const UNSEARCHABLE: readonly string[] = ['pauses', 'log']

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
  readonly #counts = { filters: 0, values: 0, text_values: 0 }

  constructor(collection: CollectionId) {
    this.#collection = collection
  }

  /**
   * Returns the filter of a query.
   * @param depth how many queries it is nested in.
   * @throws ApiError general_query_invalid.
   */
  read(query: RawQuery, depth = 0): Filter {
    this.#count('filters', 1)
    const comparison = COMPARISONS.get(query.method)
    if (comparison !== undefined) return this.#compare(query, comparison)
    const negated = query.method.startsWith('not')
    switch (query.method) {
      case 'equal':
        return this.#equal(query)
      case 'between':
      case 'notBetween':
        return this.#between(query, negated)
      case 'isNull':
      case 'isNotNull':
        return this.#isNull(query.attribute, query.method === 'isNotNull')
      case 'exists':
      case 'notExists':
        return this.#exist(query, !negated)
      case 'contains':
      case 'containsAny':
        return joined('or', this.#text(query, 'anywhere', false))
      case 'containsAll':
      case 'notContains':
        return joined('and', this.#text(query, 'anywhere', negated))
      case 'startsWith':
      case 'notStartsWith':
        return this.#oneText(query, 'start', negated)
      case 'endsWith':
      case 'notEndsWith':
        return this.#oneText(query, 'end', negated)
      case 'search':
      case 'notSearch':
        throw apiError('general_query_invalid.fulltext', { name: this.#attribute(query).name })
      case 'and':
      case 'or':
        return this.#logical(query, query.method, depth)
      default:
        throw apiError('general_query_invalid.method', { method: query.method.slice(0, 64) })
    }
  }

  #attribute({ attribute }: RawQuery): QueryableAttribute {
    return attributeOf(this.#collection, attribute)
  }

  #equal(query: RawQuery): Filter {
    const attribute = this.#attribute(query)
    const { name, type } = attribute
    requireValues(query)
    // Lists are bound as text, in which a fraction may not be exact.
    if (query.values.length === 1 || type === 'double') {
      this.#count('filters', query.values.length - 1)
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
      throw apiError('general_query_invalid.exactly_two', { method: sentenceName(query) })
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
    this.#count('filters', query.values.length - 1)
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
    const attribute = this.#attribute(query)
    const { name, type } = attribute
    if (type !== 'string') {
      throw apiError('general_query_invalid.text_type', { method: query.method, name, type })
    }
    if (UNSEARCHABLE.includes(name)) {
      throw apiError('general_query_invalid.long_attribute', { method: query.method, name })
    }
    requireValues(query)
    this.#count('text_values', query.values.length)
    return query.values.map((value) => {
      const text = String(readValue(attribute, value))
      if (!fits(text, MAX_PATTERN)) {
        const method = sentenceName(query)
        throw apiError('general_query_invalid.pattern', { method, max: MAX_PATTERN })
      }
      return { kind: 'text', attribute: name, at, value: this.#bind(foldCase(text)), negated }
    })
  }

  #logical(query: RawQuery, kind: 'and' | 'or', depth: number): Filter {
    if (query.values.length < 2) {
      throw apiError('general_query_invalid.two_queries', { method: sentenceName(query) })
    }
    if (depth + 1 >= MAX_NESTING) {
      throw apiError('general_query_invalid.depth', { max: MAX_NESTING })
    }
    return { kind, filters: query.values.map((value) => this.read(toRawQuery(value), depth + 1)) }
  }

  /** Collects a value and returns its index. */
  #bind(value: Scalar | readonly Scalar[]): number {
    this.#count('values', typeof value === 'object' ? value.length : 1)
    return this.values.push(value) - 1
  }

  /** @throws ApiError general_query_invalid beyond the bound. */
  #count(what: keyof typeof MAX, added: number): void {
    this.#counts[what] += added
    const max = MAX[what]
    if (this.#counts[what] > max) throw apiError(`general_query_invalid.${what}`, { max })
  }
}

/** Lower case for ASCII letters only, the only case folding that both databases share. */
export function foldCase(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

function requireValues(query: RawQuery): void {
  if (query.values.length === 0) {
    throw apiError('general_query_invalid.no_value', { method: sentenceName(query) })
  }
}

function onlyValue(query: RawQuery): unknown {
  if (query.values.length === 1) return query.values[0]
  throw apiError('general_query_invalid.exactly_one', { method: sentenceName(query) })
}

function joined(kind: 'and' | 'or', filters: Filter[]): Filter {
  const [only] = filters
  return only !== undefined && filters.length === 1 ? only : { kind, filters }
}
