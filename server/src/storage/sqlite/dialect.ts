/** The SQL of SQLite. */
import { sql } from 'kysely'
import type { Dialect } from '#storage/dialect.ts'

const NOTHING = sql``

export const dialect: Dialect = {
  name: 'sqlite',
  // No lock is needed: there is one writer.
  lockRows: NOTHING,
  lockUser: NOTHING,
  // The connection returns the new row's number. RETURNING and ON CONFLICT would make an INSERT a
  // third slower.
  insertEnd: NOTHING,
  isOneOf: (column, _type, list) => sql`${column} in (select value from json_each(${list}))`,
  listValue: (values) => JSON.stringify(values),
  // LIKE is not used: its time grows with the text's length to the power of the number of
  // wildcards.
  hasText: (text, part, at) =>
    ({
      anywhere: sql`(instr(${text}, ${part}) > 0)`,
      start: sql`(substr(${text}, 1, length(${part})) = ${part})`,
      end: sql`(substr(${text}, length(${text}) - length(${part}) + 1) = ${part})`,
    })[at],
  orderTerm: (column, isDescending) => sql`${column} ${sql.raw(isDescending ? 'desc' : 'asc')}`,
  // The order of the subquery is kept; an ORDER BY here would sort the whole text.
  joinTexts: (text, orderBy, isOrdered) =>
    sql`group_concat(${text}, ',' ${isOrdered ? NOTHING : orderBy})`,
  // A function of the server (`slow-read-worker.ts`): SQLite cannot be interrupted from another
  // thread.
  isInTime: sql`stint_in_time()`,
  // SQLite plans an ordered statement by its values and compiles it again for each run, which takes
  // a third of the time. A sign before a value makes SQLite ignore it in planning. These statements
  // have question marks only for values.
  plannedOnce: (query) => ({ ...query, sql: query.sql.replaceAll('?', '+?') }),
  // Batches would save nothing: there are no round trips, and writes share a commit
  // (`group-commit.ts`).
  batchedFind: () => undefined,
  batchedInsert: () => undefined,
}
