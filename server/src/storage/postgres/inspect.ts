/** Reads the version and the size of a PostgreSQL database. */
import { Client } from 'pg'
import { SCHEMA_VERSION } from '#storage/migrations.ts'
import type { DatabaseFacts } from '#storage/inspect.ts'

export async function inspectPostgres(url: string): Promise<DatabaseFacts> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string | null; bytes: string }>(
      `select to_regclass('stint_schema') as name, pg_database_size(current_database()) as bytes`,
    )
    const exists = rows[0]?.name !== null
    const versions = exists
      ? await client.query<{ version: number }>('select version from stint_schema')
      : { rows: [] }
    const schema = versions.rows[0]?.version ?? null
    const counts =
      schema === SCHEMA_VERSION
        ? await client.query<{ users: number; sessions: number }>(
            `select (select count(*)::int from users) as users, (select count(*)::int from sessions) as sessions`,
          )
        : null
    return {
      kind: 'PostgreSQL',
      place: `${client.host}:${client.port}/${client.database}`,
      schema,
      bytes: Number(rows[0]?.bytes ?? 0),
      rows: counts?.rows[0] ?? null,
    }
  } finally {
    await client.end()
  }
}
