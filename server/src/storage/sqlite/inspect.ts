/** Reads the version and the size of a SQLite file. */
import { existsSync } from 'node:fs'
import SqliteConnection from 'better-sqlite3'
import type { DatabaseFacts } from '#storage/inspect.ts'
import { SCHEMA_VERSION } from '#storage/migrations.ts'
import { sizeOf } from './file.ts'

export function inspectSqlite(file: string): DatabaseFacts {
  const facts = { kind: 'SQLite', place: file, schema: null, bytes: 0, rows: null } as const
  if (!existsSync(file)) return facts
  const connection = new SqliteConnection(file, { readonly: true })
  try {
    const schema = Number(connection.pragma('user_version', { simple: true }))
    const count = (table: string): number =>
      Number(connection.prepare(`select count(*) from ${table}`).pluck().get())
    return {
      ...facts,
      schema,
      bytes: sizeOf(file) + sizeOf(`${file}-wal`),
      rows:
        schema === SCHEMA_VERSION ? { users: count('users'), sessions: count('sessions') } : null,
    }
  } finally {
    connection.close()
  }
}
