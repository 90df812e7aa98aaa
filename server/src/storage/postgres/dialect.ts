/** The SQL of PostgreSQL. */
import { sql } from 'kysely'
import type { Dialect } from '#storage/dialect.ts'
import { batchedFind, batchedInsert } from './batch.ts'
import { POSTGRES_TYPES } from '#storage/schema.ts'

export const dialect: Dialect = {
  name: 'postgres',
  lockRows: sql`for update`,
  // A weaker lock, because the foreign keys of documents read the user.
  lockUser: sql`for no key update`,
  insertEnd: sql`on conflict do nothing returning sequence`,
  isOneOf: (column, type, list) =>
    sql`${column} = any(${list}::${sql.raw(POSTGRES_TYPES[type])}[])`,
  listValue: (values) => values,
  // LIKE is not used: its time grows with the text's length to the power of the number of
  // wildcards.
  hasText: (text, part, at) =>
    ({
      anywhere: sql`(strpos(${text}, ${part}) > 0)`,
      start: sql`starts_with(${text}, ${part})`,
      end: sql`(right(${text}, length(${part})) = ${part})`,
    })[at],
  orderTerm(column, isDescending, isNullable) {
    const nulls = isDescending ? ' nulls last' : ' nulls first'
    return sql`${column} ${sql.raw((isDescending ? 'desc' : 'asc') + (isNullable ? nulls : ''))}`
  },
  joinTexts: (text, orderBy) => sql`string_agg(${text}, ',' ${orderBy})`,
  // `statement_timeout` limits the time instead.
  isInTime: null,
  // `plan_cache_mode` does this for all statements (`pool.ts`).
  plannedOnce: (query) => query,
  batchedFind,
  batchedInsert,
}
