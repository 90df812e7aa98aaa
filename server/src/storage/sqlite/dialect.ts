/** SQL as SQLite has it. */
import { sql } from 'kysely'
import type { Dialect } from '#storage/dialect.ts'

const NOTHING = sql``

export const dialect: Dialect = {
  name: 'sqlite',
  // There is one writer.
  lockRows: NOTHING,
  lockUser: NOTHING,
  // The connection knows the row's number by itself: without RETURNING and ON CONFLICT an INSERT takes a third less time.
  insertEnd: NOTHING,
  isOneOf: (column, _type, list) => sql`${column} in (select value from json_each(${list}))`,
  listValue: (values) => JSON.stringify(values),
  // Not by LIKE: the time that takes grows with the text's length to the power of the pattern's wildcards.
  hasText(text, part, at) {
    switch (at) {
      case 'anywhere':
        return sql`(instr(${text}, ${part}) > 0)`
      case 'start':
        return sql`(substr(${text}, 1, length(${part})) = ${part})`
      case 'end':
        return sql`(substr(${text}, length(${text}) - length(${part}) + 1) = ${part})`
    }
  },
  orderTerm: (column, isDescending) => sql`${column} ${sql.raw(isDescending ? 'desc' : 'asc')}`,
  // It keeps the order of the subquery; with an ORDER BY of its own it would sort the whole text.
  joinTexts: (text, orderBy, isOrdered) =>
    sql`group_concat(${text}, ',' ${isOrdered ? NOTHING : orderBy})`,
  // A function of ours (`slow-read-worker.ts`): SQLite cannot be interrupted from another thread.
  isInTime: sql`stint_in_time()`,
  // SQLite plans an ordered statement by the values it is given, so that it compiles it anew each time it
  // runs, which takes a third of the time. It does not look at what has a sign before it. No text of these
  // statements has a question mark but where a value goes.
  plannedOnce: (query) => ({ ...query, sql: query.sql.replaceAll('?', '+?') }),
  // There are no round trips to save; what many write shares a commit (`group-commit.ts`).
  batchedFind: () => undefined,
  batchedInsert: () => undefined,
}
