/**
 * Runs queries in memory without SQL, as Appwrite's documentation describes them. Property tests
 * compare the compiler with it.
 */
import type { ErrorType } from '@stint/server/errors.ts'
import type { Scalar } from '@stint/server/documents/document.ts'
import { foldCase } from '@stint/server/documents/queries/filters.ts'
import type { DocumentQuery, Filter, Order } from '@stint/server/documents/queries/query.ts'

export type WireDocument = Readonly<Record<string, unknown>>

/**
 * Returns the page and the total of a query over one owner's documents, or the type of the error.
 */
export function answerInMemory(
  documents: readonly WireDocument[],
  query: DocumentQuery,
): { total: number; ids: unknown[] } | ErrorType {
  const { filters, orders, cursor } = query.shape
  const found = documents.filter((document) =>
    filters.every((filter) => holds(filter, document, query.values)),
  )
  const sorted = found.toSorted((a, b) => compareBy(orders, a, b))
  let page = sorted
  if (cursor !== null) {
    const at = documents.find(({ $id }) => $id === query.cursorId)
    if (at === undefined) return 'general_cursor_not_found'
    if (asked(orders).some(({ attribute }) => comparable(at, attribute) === null)) {
      return 'database_query_order_null'
    }
    page = sorted.filter((document) => {
      const order = compareBy(orders, document, at)
      return cursor === 'after' ? order > 0 : order < 0
    })
  }
  const { limit, offset } = query
  const part =
    cursor === 'before'
      ? page.slice(Math.max(0, page.length - offset - limit), Math.max(0, page.length - offset))
      : page.slice(offset, offset + limit)
  return { total: found.length, ids: part.map(({ $id }) => $id) }
}

/** Returns the orders with an effect: those up to the sequence, which is unique. */
function asked(orders: readonly Order[]): readonly Order[] {
  const end = orders.findIndex(({ attribute }) => attribute === '$sequence')
  return end < 0 ? orders : orders.slice(0, end)
}

/** Returns the value of an attribute as it is compared: sequences as numbers, others as sent. */
function comparable(document: WireDocument, attribute: string): Scalar | null {
  const value = document[attribute]
  if (attribute === '$sequence') return Number(value)
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? value
    : null
}

/** Returns whether a filter matches a value. For null only `isNull` matches. */
function holds(
  filter: Filter,
  document: WireDocument,
  values: readonly (Scalar | readonly Scalar[])[],
): boolean {
  const valueAt = (index: number): Scalar | null => {
    const asked = values[index]
    return typeof asked === 'object' ? null : (asked ?? null)
  }
  if ('filters' in filter) {
    const { kind, filters } = filter
    return kind === 'and'
      ? filters.every((each) => holds(each, document, values))
      : filters.some((each) => holds(each, document, values))
  }
  const value = comparable(document, filter.attribute)
  if (filter.kind === 'null') return (value === null) !== filter.negated
  if (value === null) return false
  switch (filter.kind) {
    case 'compare': {
      const order = compareValues(value, valueAt(filter.value))
      switch (filter.comparison) {
        case '=':
          return order === 0
        case '<>':
          return order !== 0
        case '<':
          return order < 0
        case '<=':
          return order <= 0
        case '>':
          return order > 0
        case '>=':
          return order >= 0
      }
      break
    }
    case 'in':
      return [values[filter.value]].flat().some((each) => compareValues(value, each ?? null) === 0)
    case 'between': {
      const isBetween =
        compareValues(value, valueAt(filter.low)) >= 0 &&
        compareValues(value, valueAt(filter.high)) <= 0
      return isBetween !== filter.negated
    }
    case 'text': {
      const text = foldCase(String(value))
      const part = String(valueAt(filter.value))
      const isThere =
        filter.at === 'start'
          ? text.startsWith(part)
          : filter.at === 'end'
            ? text.endsWith(part)
            : text.includes(part)
      return isThere !== filter.negated
    }
  }
  return false
}

function compareBy(orders: readonly Order[], a: WireDocument, b: WireDocument): number {
  for (const { attribute, descending } of orders) {
    const order = compareValues(comparable(a, attribute), comparable(b, attribute))
    if (order !== 0) return descending ? -order : order
  }
  return compareValues(comparable(a, '$sequence'), comparable(b, '$sequence'))
}

/** Compares values: nulls first, texts by their bytes. */
function compareValues(a: Scalar | null, b: Scalar | null): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null)
  if (typeof a === 'string' && typeof b === 'string') {
    return Buffer.compare(Buffer.from(a), Buffer.from(b))
  }
  return Number(a) - Number(b)
}
