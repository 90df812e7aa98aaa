/** Parses the `queries` of a list call. */
import type { CollectionId } from '@stint/core/collections.ts'
import { SYSTEM_FIELDS } from '#documents/structure.ts'
import { apiError } from '#errors.ts'
import { isId } from '#id.ts'
import { FilterReader } from './filters.ts'
import type { DocumentQuery, Filter, Order } from './query.ts'
import { attributeOf, parseRawQuery } from './raw-query.ts'
import type { RawQuery } from './raw-query.ts'

const MAX_QUERIES = 100
const MAX_LIMIT = 5000
const MAX_OFFSET = 5000
const DEFAULT_LIMIT = 25

/**
 * Parses the JSON texts of a list call. Of several limits, offsets or cursors, the first counts.
 * @throws ApiError general_query_invalid, general_cursor_not_found, in Appwrite's words.
 */
export function parseQueries(collection: CollectionId, texts: readonly string[]): DocumentQuery {
  if (texts.length > MAX_QUERIES) {
    throw apiError('general_query_invalid.queries', { max: MAX_QUERIES })
  }
  const reader = new FilterReader(collection)
  const filters: Filter[] = []
  const orders: Order[] = []
  let limit: number | null = null
  let offset: number | null = null
  let cursor: { direction: 'after' | 'before'; id: string } | null = null
  let select: string[] | null = null

  for (const text of texts) {
    const query = parseRawQuery(text)
    switch (query.method) {
      case 'orderAsc':
      case 'orderDesc': {
        const order = readOrder(collection, query)
        // A second order by the same attribute has no effect.
        if (orders.every(({ attribute }) => attribute !== order.attribute)) orders.push(order)
        break
      }
      case 'limit':
        limit ??= readCount(query, 1, MAX_LIMIT)
        break
      case 'offset':
        offset ??= readCount(query, 0, MAX_OFFSET)
        break
      case 'cursorAfter':
      case 'cursorBefore':
        cursor ??= {
          direction: query.method === 'cursorAfter' ? 'after' : 'before',
          id: readCursor(query),
        }
        break
      case 'select':
        select = [...(select ?? []), ...readSelect(collection, query)]
        break
      default:
        filters.push(reader.read(query))
    }
  }
  return {
    shape: { filters, orders, cursor: cursor?.direction ?? null },
    values: reader.values,
    limit: limit ?? DEFAULT_LIMIT,
    offset: offset ?? 0,
    cursorId: cursor?.id ?? null,
    select: select === null || select.includes('*') ? null : select,
  }
}

function readOrder(collection: CollectionId, { method, attribute }: RawQuery): Order {
  return {
    attribute: attribute === '' ? '$sequence' : attributeOf(collection, attribute).name,
    descending: method === 'orderDesc',
  }
}

function readCount({ method, values }: RawQuery, min: number, max: number): number {
  const [value] = values
  if (
    values.length === 1 &&
    typeof value === 'number' &&
    Number.isInteger(value) &&
    value >= min &&
    value <= max
  ) {
    return value
  }
  throw apiError('general_query_invalid.range', { method, min, max: max.toLocaleString('en-US') })
}

function readCursor({ values }: RawQuery): string {
  const [id] = values
  if (values.length === 1 && isId(id)) return id
  throw apiError('general_cursor_not_found.document', {
    id: typeof id === 'string' ? id.slice(0, 36) : '',
  })
}

function readSelect(collection: CollectionId, { values }: RawQuery): string[] {
  if (values.length === 0) throw apiError('general_query_invalid.select')
  return values.map((value) => {
    const name = typeof value === 'string' ? value : ''
    return name === '*' || SYSTEM_FIELDS.has(name) ? name : attributeOf(collection, name).name
  })
}
