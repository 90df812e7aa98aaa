/** Reads the version of a database without opening it as a server does: nothing is migrated. */
import { DatabaseRefused } from './database.ts'
import { SCHEMA_VERSION } from './migrations.ts'
import { sqliteFile } from './open.ts'

export interface DatabaseFacts {
  readonly kind: 'SQLite' | 'PostgreSQL'
  /** The file or the address, without a password. */
  readonly place: string
  /** The version of its schema; null: there is no Stint database yet. */
  readonly schema: number | null
  readonly bytes: number
  /** How many accounts and sign-ins there are; null: there is no database of this schema. */
  readonly rows: { readonly users: number; readonly sessions: number } | null
}

/** Returns the facts about the database that a URL names. @throws DatabaseRefused if it cannot be read. */
export async function inspect(url: string): Promise<DatabaseFacts> {
  const file = sqliteFile(url)
  try {
    return file === null
      ? await (await import('#storage/postgres/inspect.ts')).inspectPostgres(url)
      : (await import('#storage/sqlite/inspect.ts')).inspectSqlite(file)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new DatabaseRefused(`The database cannot be read: ${reason}`, { cause: error })
  }
}

/** Returns a sentence on how the schema of a database relates to this version of Stint. */
export function compared(schema: number | null): string {
  if (schema === null) return 'There is no database yet. The server creates it at its first start.'
  if (schema === SCHEMA_VERSION) return 'The database fits this version of Stint.'
  return schema > SCHEMA_VERSION
    ? 'The database is NEWER than this version of Stint, which does not open it. Run the newer version, or restore a backup made by this one.'
    : 'The database is older than this version of Stint, which migrates it at its next start.'
}
