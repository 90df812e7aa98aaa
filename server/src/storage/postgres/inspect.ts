/** Reads the version and the size of a PostgreSQL database. */
import { Client } from 'pg'
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
    return {
      kind: 'PostgreSQL',
      place: `${client.host}:${client.port}/${client.database}`,
      schema: versions.rows[0]?.version ?? null,
      bytes: Number(rows[0]?.bytes ?? 0),
    }
  } finally {
    await client.end()
  }
}
