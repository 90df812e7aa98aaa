/**
 * Compiles queries to SQL. Column names come from a fixed map and values are bound by index. The
 * first condition is always the owner, whatever the client sends.
 */
import type { Attribute, CollectionId } from '@stint/core/collections.ts'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { boundedCache } from '#bounded-cache.ts'
import type { Database } from '#storage/database.ts'
import type { Dialect } from '#storage/dialect.ts'
import { ATTRIBUTE_COLUMNS, attributesOf, SYSTEM_COLUMNS } from '#storage/schema.ts'
import { slot, statement } from '#storage/statement.ts'
import type { Bind } from '#storage/statement.ts'
import { isOwned } from '#documents/ownership.ts'
import type { Filter, Order, QueryShape } from './query.ts'

/** A page's documents as JSON text, joined with commas by the database; null if there are none. */
export interface Page {
  readonly documents: string | null
}

export interface PageAndTotal extends Page {
  /**
   * How many documents match, regardless of limit, offset and cursor; not exact above `MAX_TOTAL`.
   */
  readonly total: number
}

/** The statements of one shape. Their values: the owner, the query's values, limit, offset, the cursor's values. */
export interface CompiledShape {
  readonly page: Bind<Page>
  /** The size of the page's documents in bytes. */
  readonly pageSize: Bind<{ bytes: number | null }>
  readonly pageAndTotal: Bind<PageAndTotal>
  /** The cursor document's values in the order of `orders`. The statement's values: owner, id. */
  readonly cursor: Bind<Record<string, unknown>>
  /** The complete order, its tie-break included. */
  readonly orders: readonly Order[]
  /** The length of the statements. */
  readonly characters: number
}

/** The size of the cache of compiled shapes, in characters of SQL. */
const MAX_SHAPE_CHARACTERS = 1_000_000

/** The count ends here, as in Appwrite, so that its cost is bounded. */
export const MAX_TOTAL = 5000

/**
 * Returns a function that compiles shapes and caches them. The statements depend on the shape only,
 * so the cache needs no invalidation. Slow ones (`isSlow`) must be run with `readSlowly`.
 */
export function shapeCompiler(db: Database) {
  const compiled = boundedCache<CompiledShape>(MAX_SHAPE_CHARACTERS)
  return (
    collection: CollectionId,
    shape: QueryShape,
    valueCount: number,
    isSlow: boolean,
  ): CompiledShape => {
    const key = `${collection} ${valueCount} ${isSlow} ${JSON.stringify(shape)}`
    let found = compiled.get(key)
    if (found === undefined) {
      found = compileShape(db, collection, shape, valueCount, isSlow)
      compiled.set(key, found, found.characters)
    }
    return found
  }
}

function compileShape(
  db: Database,
  collection: CollectionId,
  shape: QueryShape,
  valueCount: number,
  isSlow: boolean,
): CompiledShape {
  const table = sql.table(collection)
  const orders = completeOrder(shape.orders)
  const limitSlot = valueCount + 1
  const conditions = sql.join(
    [
      isOwned,
      // Comes before the filters: conditions are evaluated in order, and the time must be checked
      // for each row.
      ...(isSlow && db.dialect.isInTime !== null ? [db.dialect.isInTime] : []),
      ...shape.filters.map((filter) => condition(db.dialect, collection, filter)),
    ],
    sql` and `,
  )
  const beyond =
    shape.cursor === null
      ? sql``
      : sql`and ${beyondCursor(collection, orders, shape.cursor, limitSlot + 2)}`
  let characters = 0
  const compile = <Row>(query: RawBuilder<Row>): Bind<Row> => {
    const compiled = db.dialect.plannedOnce(query.compile(db.build))
    characters += compiled.sql.length
    return statement<Row>({ compile: () => ({ ...compiled, isClientShaped: true }) })
  }

  const orderBy = (isReversed: boolean) =>
    sql`order by ${sql.join(orders.map((order) => orderTerm(db.dialect, collection, order, isReversed)))}`
  const isReversed = shape.cursor === 'before'
  const columns = new Set([
    'sequence',
    'body',
    ...orders.map(({ attribute }) => columnName(collection, attribute)),
  ])
  const names = [...columns].map((each) => sql.ref(each))
  const rowsWith = (selection: RawBuilder<unknown>) => sql`(select ${selection}
      from ${table} where ${conditions} ${beyond} ${orderBy(isReversed)}
      limit ${slot(limitSlot)} offset ${slot(limitSlot + 1)}) as page`
  const rows = rowsWith(sql.join(names))
  const text = sql`'{"$sequence":"' || sequence || '"' || body`
  const documents = db.dialect.joinTexts(text, orderBy(false), !isReversed)
  const count = sql`(select count(*) from
    (select 1 from ${table} where ${conditions} limit ${sql.lit(MAX_TOTAL)}) as counted)`
  // If the end of the list is on the page, the total is known; only other pages need a count.
  const offset = slot(limitSlot + 1)
  const total =
    shape.cursor === null
      ? sql`case when count(*) < ${slot(limitSlot)} and (count(*) > 0 or ${offset} = 0)
          then count(*) + ${offset} else ${count} end`
      : count

  const statements = {
    page: compile(sql<Page>`select ${documents} as documents from ${rows}`),
    pageSize: compile(
      sql<{
        bytes: number | null
      }>`select cast(sum(bytes) as bigint) as bytes from ${rowsWith(sql`octet_length(body) as bytes`)}`,
    ),
    pageAndTotal: compile(
      sql<PageAndTotal>`select ${documents} as documents, ${total} as total from ${rows}`,
    ),
    cursor: compile(
      sql<Record<string, unknown>>`select ${sql.join(
        orders.map(
          ({ attribute }, index) =>
            sql`${column(collection, attribute)} as ${sql.ref(`value${index}`)}`,
        ),
      )} from ${table} where ${isOwned} and id = ${slot(1)}`,
    ),
  }
  return { ...statements, orders, characters }
}

/** Returns the requested order, followed by the sequence, so that there are no ties. */
function completeOrder(orders: readonly Order[]): Order[] {
  const end = orders.findIndex(({ attribute }) => attribute === '$sequence')
  return end < 0
    ? [...orders, { attribute: '$sequence', descending: false }]
    : orders.slice(0, end + 1)
}

/** Returns whether the query searches texts. */
export function hasText({ filters }: Pick<QueryShape, 'filters'>): boolean {
  return filters.some((filter) => ('filters' in filter ? hasText(filter) : filter.kind === 'text'))
}

/**
 * Returns whether a query may read or sort every document of its owner, because no index covers its
 * filters and its order. Indexes cover the app's queries: the newest, those changed since an
 * instant, the active tasks, the entries of a task.
 */
export function scans(collection: CollectionId, { filters, orders }: QueryShape): boolean {
  // At most one document matches.
  if (
    filters.some(
      (filter) => 'attribute' in filter && filter.attribute === '$id' && isEquality(filter),
    )
  ) {
    return false
  }
  const leading = orders[0]?.attribute
  if (leading !== '$createdAt' && leading !== '$updatedAt') return true
  const equalTo = EQUAL_IN_INDEX[collection]
  return !filters.every(
    (filter) =>
      'attribute' in filter &&
      ((filter.attribute === leading && isRange(filter)) ||
        (leading === '$createdAt' && filter.attribute === equalTo && isEquality(filter))),
  )
}

/** The attribute that comes before the time of creation in an index. */
const EQUAL_IN_INDEX: Readonly<Record<CollectionId, string | null>> = {
  tasks: 'isActive',
  timer_sessions: null,
  time_entries: 'taskId',
}

function isEquality(filter: Filter): boolean {
  return filter.kind === 'compare' && filter.comparison === '='
}

function isRange(filter: Filter): boolean {
  return filter.kind === 'compare'
    ? filter.comparison !== '<>'
    : filter.kind === 'between' && !filter.negated
}

function condition(
  dialect: Dialect,
  collection: CollectionId,
  filter: Filter,
): RawBuilder<unknown> {
  switch (filter.kind) {
    case 'compare':
      return sql`${name(filter)} ${sql.raw(filter.comparison)} ${value(filter.value)}`
    case 'in':
      return dialect.isOneOf(
        name(filter),
        typeOf(collection, filter.attribute),
        value(filter.value),
      )
    case 'between':
      return filter.negated
        ? sql`(${name(filter)} < ${value(filter.low)} or ${name(filter)} > ${value(filter.high)})`
        : sql`${name(filter)} between ${value(filter.low)} and ${value(filter.high)}`
    case 'null':
      return filter.negated ? sql`${name(filter)} is not null` : sql`${name(filter)} is null`
    case 'text':
      return filter.negated ? sql`not ${holdsText(filter)}` : holdsText(filter)
    case 'and':
    case 'or': {
      const parts = filter.filters.map((each) => condition(dialect, collection, each))
      return sql`(${sql.join(parts, filter.kind === 'and' ? sql` and ` : sql` or `)})`
    }
  }

  function name({ attribute }: { readonly attribute: string }): RawBuilder<unknown> {
    return column(collection, attribute)
  }

  function holdsText(filter: Extract<Filter, { kind: 'text' }>): RawBuilder<unknown> {
    return dialect.hasText(sql`lower(${name(filter)})`, value(filter.value), filter.at)
  }
}

/**
 * Returns the condition for rows strictly after (or before) the cursor document, column by column.
 */
function beyondCursor(
  collection: CollectionId,
  orders: readonly Order[],
  direction: 'after' | 'before',
  firstSlot: number,
): RawBuilder<unknown> {
  const alternatives = orders.map((order, index) => {
    const ties = orders
      .slice(0, index)
      .map((tie, at) => sql`${column(collection, tie.attribute)} = ${slot(firstSlot + at)}`)
    return sql`(${sql.join([...ties, further(order, index)], sql` and `)})`
  })
  const [leading] = orders
  const isOneWay =
    leading !== undefined && orders.length > 1 && !isNullable(collection, leading.attribute)
  const anyOf = sql`(${sql.join(alternatives, sql` or `)})`
  // Implied by the alternatives, but only with this condition does the database start in the index.
  return isOneWay
    ? sql`${column(collection, leading.attribute)} ${sql.raw(
        isUpwards(leading) ? '>=' : '<=',
      )} ${slot(firstSlot)} and ${anyOf}`
    : anyOf

  function further(order: Order, index: number): RawBuilder<unknown> {
    const name = column(collection, order.attribute)
    const comparison = sql`${name} ${sql.raw(isUpwards(order) ? '>' : '<')} ${slot(firstSlot + index)}`
    // Nulls come first in ascending order, so in descending order they follow every value.
    return !isUpwards(order) && isNullable(collection, order.attribute)
      ? sql`(${comparison} or ${name} is null)`
      : comparison
  }

  function isUpwards({ descending }: Order): boolean {
    return descending === (direction === 'before')
  }
}

function orderTerm(
  dialect: Dialect,
  collection: CollectionId,
  { attribute, descending }: Order,
  reversed: boolean,
): RawBuilder<unknown> {
  return dialect.orderTerm(
    column(collection, attribute),
    descending !== reversed,
    isNullable(collection, attribute),
  )
}

function isNullable(collection: CollectionId, attribute: string): boolean {
  const declared = attributesOf(collection).get(attribute)
  return declared !== undefined && !declared.required && !('default' in declared)
}

function column(collection: CollectionId, attribute: string): RawBuilder<unknown> {
  return sql.ref(columnName(collection, attribute))
}

/** Returns the type of an attribute, system attributes included. */
function typeOf(collection: CollectionId, attribute: string): Attribute['type'] {
  if (attribute === '$sequence') return 'integer'
  return attributesOf(collection).get(attribute)?.type ?? 'string'
}

function columnName(collection: CollectionId, attribute: string): string {
  const name = SYSTEM_COLUMNS.get(attribute) ?? ATTRIBUTE_COLUMNS.get(collection)?.get(attribute)
  if (name === undefined) throw new Error(`No column for ${attribute}`)
  return name
}

/** Returns a placeholder for a value of the query; the owner is the first value. */
function value(index: number): RawBuilder<unknown> {
  return slot(index + 1)
}
