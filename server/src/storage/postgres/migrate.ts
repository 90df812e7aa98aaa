/** Migrates a PostgreSQL database. */
import { Kysely, PostgresDialect, sql } from 'kysely'
import type { DatabaseIntrospector } from 'kysely'
import { Pool } from 'pg'
import { migrate } from '#storage/migrations.ts'

/**
 * Runs the migrations on a connection without timeouts: rewriting a large table may take minutes. Connecting may
 * take `maxConnect` milliseconds.
 */
export async function migratePostgres(
  url: string,
  schema: string,
  maxConnect: number,
): Promise<void> {
  const pool = new Pool({ connectionString: url, max: 1, connectionTimeoutMillis: maxConnect })
  const db = new Kysely<unknown>({ dialect: new MigrationDialect({ pool, schema }) })
  try {
    await migrate(db, 'postgres', schema)
  } finally {
    await db.destroy()
  }
}

/**
 * Kysely's own introspection reads the tables of all schemas, and fails when one of them is dropped during the read.
 * The Migrator needs its own tables only.
 */
export class MigrationDialect extends PostgresDialect {
  readonly #schema: string

  constructor({ pool, schema }: { readonly pool: Pool; readonly schema: string }) {
    super({ pool })
    this.#schema = schema
  }

  override createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    const schema = this.#schema
    return {
      getSchemas: async () => [{ name: schema }],
      async getTables() {
        const { rows } = await sql<{ name: string }>`select table_name as name
          from information_schema.tables where table_schema = ${schema}`.execute(db)
        return rows.map(({ name }) => ({
          name,
          schema,
          isView: false,
          isForeign: false,
          columns: [],
        }))
      },
    }
  }
}
