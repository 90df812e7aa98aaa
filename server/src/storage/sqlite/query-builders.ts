/** Kysely for SQLite. */
import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { queryBuilders } from '#storage/query-builder.ts'
import type { QueryBuilders } from '#storage/query-builder.ts'

/** Returns the query builders of SQLite's SQL. */
export function sqliteBuilders(): QueryBuilders {
  return queryBuilders({
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  })
}
