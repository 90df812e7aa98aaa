/**
 * Query trees to SQL. Names come from a fixed map, values are bound by number, and the owner is
 * the first condition whatever the client asks.
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
import type { Filter, Order, QueryShape } from './query.ts'

/** A page's documents as JSON text with commas between, put together by the database; null: none. */
export interface Page {
  readonly documents: string | null
}

/** The statements of one shape. Their values: owner, the query's, limit, offset, the cursor's. */
export interface CompiledShape {
  readonly page: Bind<Page>
  /** How many bytes the documents of the page take. */
  readonly pageSize: Bind<{ bytes: number | null }>
  /** The page, and how many documents there are beyond limit, offset and cursor. */
  readonly pageAndTotal: Bind<Page & { total: number }>
  /** The cursor document's values in the order of `orders`; values: owner, id. */
  readonly cursor: Bind<Record<string, unknown>>
  /** The complete order, its tie-break included. */
  readonly orders: readonly Order[]
  /** How long the statements are. */
  readonly characters: number
}

/** How much of compiled shapes is kept, in characters of their statements and keys. */
const MAX_SHAPE_CHARACTERS = 1_000_000

/** Counting ends here, as Appwrite's does, so that a long history costs no more than a short one. */
export const MOST_COUNTED = 5000

/** Compiles shapes, each once as long as it is remembered; slow ones are for `readSlowly`. */
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
  const isOwn = sql`owner = ${slot(0)}`
  const conditions = sql.join(
    [
      isOwn,
      // Before the others: they are looked at in this order, and the time must be looked at for each row.
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
  const rows = sql`(select ${sql.join([...columns].map((each) => sql.ref(each)))}
      from ${table} where ${conditions} ${beyond} ${orderBy(isReversed)}
      limit ${slot(limitSlot)} offset ${slot(limitSlot + 1)}) as page`
  const text = sql`'{"$sequence":"' || sequence || '"' || body`
  const page = sql`select ${db.dialect.joinTexts(text, orderBy(false), !isReversed)} from ${rows}`

  const statements = {
    page: compile(sql<Page>`select (${page}) as documents`),
    pageSize: compile(
      sql<{
        bytes: number | null
      }>`select cast(sum(octet_length(body)) as bigint) as bytes from ${rows}`,
    ),
    pageAndTotal: compile(
      sql<Page & { total: number }>`select (${page}) as documents,
        (select count(*) from
          (select 1 from ${table} where ${conditions} limit ${sql.lit(MOST_COUNTED)}) as counted) as total`,
    ),
    cursor: compile(
      sql<Record<string, unknown>>`select ${sql.join(
        orders.map(
          ({ attribute }, index) =>
            sql`${column(collection, attribute)} as ${sql.ref(`value${index}`)}`,
        ),
      )} from ${table} where ${isOwn} and id = ${slot(1)}`,
    ),
  }
  return { ...statements, orders, characters }
}

/** What the client asked for, then the sequence: an order without ties. */
function completeOrder(orders: readonly Order[]): Order[] {
  const end = orders.findIndex(({ attribute }) => attribute === '$sequence')
  return end < 0
    ? [...orders, { attribute: '$sequence', descending: false }]
    : orders.slice(0, end + 1)
}

/** Whether the query looks for parts of texts. */
export function hasText({ filters }: Pick<QueryShape, 'filters'>): boolean {
  return filters.some((filter) => ('filters' in filter ? hasText(filter) : filter.kind === 'text'))
}

/**
 * Whether a query may look at every document of its owner, or sort them all: no index has its filters and
 * its order. What the app asks for is in an index: the newest, what changed since, the tasks in use, the
 * entries of one task.
 */
export function scans(collection: CollectionId, { filters, orders }: QueryShape): boolean {
  // One document at most.
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

/** The attribute that stands before the time of creation in an index. */
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

/** The rows strictly after (or before) the cursor document in the order, spelled out by column. */
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
  // Said again for the index: alone, the alternatives make the database read from the beginning.
  return isOneWay
    ? sql`${column(collection, leading.attribute)} ${sql.raw(
        isUpwards(leading) ? '>=' : '<=',
      )} ${slot(firstSlot)} and ${anyOf}`
    : anyOf

  function further(order: Order, index: number): RawBuilder<unknown> {
    const name = column(collection, order.attribute)
    const comparison = sql`${name} ${sql.raw(isUpwards(order) ? '>' : '<')} ${slot(firstSlot + index)}`
    // Nulls come first, so going down they come after every value.
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

/** The type of an attribute, the system's own included. */
function typeOf(collection: CollectionId, attribute: string): Attribute['type'] {
  if (attribute === '$sequence') return 'integer'
  return attributesOf(collection).get(attribute)?.type ?? 'string'
}

function columnName(collection: CollectionId, attribute: string): string {
  const name = SYSTEM_COLUMNS.get(attribute) ?? ATTRIBUTE_COLUMNS.get(collection)?.get(attribute)
  if (name === undefined) throw new Error(`No column for ${attribute}`)
  return name
}

/** The query's values follow the owner. */
function value(index: number): RawBuilder<unknown> {
  return slot(index + 1)
}
