/** SQL as SQLite has it. */
import { sql } from 'kysely'
import type { Dialect } from '#storage/dialect.ts'

const NOTHING = sql``

export const dialect: Dialect = {
  name: 'sqlite',
  // There is one writer.
  lockRows: NOTHING,
  lockUser: NOTHING,
  // The connection knows the new row's number: without RETURNING and ON CONFLICT an INSERT takes a third less time.
  insertEnd: NOTHING,
  isOneOf: (column, _type, list) => sql`${column} in (select value from json_each(${list}))`,
  listValue: (values) => JSON.stringify(values),
  // Not LIKE: its time grows with the text's length to the power of the pattern's wildcards.
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
  // It keeps the order of the subquery; an ORDER BY here would sort the whole text.
  joinTexts: (text, orderBy, isOrdered) =>
    sql`group_concat(${text}, ',' ${isOrdered ? NOTHING : orderBy})`,
  // A function of ours (`slow-read-worker.ts`): SQLite cannot be interrupted from another thread.
  isInTime: sql`stint_in_time()`,
  // SQLite plans an ordered statement by its values and compiles it again for each run, which takes a third of the
  // time. It ignores values with a sign before them. These statements have question marks only for values.
  plannedOnce: (query) => ({ ...query, sql: query.sql.replaceAll('?', '+?') }),
  // There are no round trips to save; writes share a commit (`group-commit.ts`).
  batchedFind: () => undefined,
  batchedInsert: () => undefined,
}
