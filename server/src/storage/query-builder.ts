/** Kysely as a query builder, restricted to the types of `database.ts`. */
import { DummyDriver, Kysely } from 'kysely'
import type { Dialect as KyselyDialect } from 'kysely'
import type { AccountChanges, QueryBuilder } from './database.ts'
import type { Schema } from './schema.ts'

export interface QueryBuilders {
  readonly build: QueryBuilder
  readonly accountChanges: AccountChanges
}

/** Returns the query builders of a database's SQL. They have no connection. */
export function queryBuilders(parts: Omit<KyselyDialect, 'createDriver'>): QueryBuilders {
  const kysely = new Kysely<Schema>({
    dialect: { ...parts, createDriver: () => new DummyDriver() },
  })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same builder, of fewer tables
  const narrower = kysely as unknown as AccountChanges & QueryBuilder
  return { build: narrower, accountChanges: narrower }
}
