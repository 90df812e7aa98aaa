/** Opens the database that a URL names. Only this file chooses between the two. */
import { statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Database, DatabaseReader } from './database.ts'
import { DatabaseRefused } from './database.ts'
import { makePrivate, makePrivateFolder, openMode } from '#storage/private-files.ts'
import type { StorageOptions } from './options.ts'

export interface OpenOptions extends StorageOptions {
  /** `DATA_DIR`: Stint's own folder. Other users lose access to it if it contains the database. */
  readonly dataDirectory?: string
}

/**
 * Opens the database that a URL names: `file:…` is SQLite, `postgres://…` is PostgreSQL. Only the
 * driver in use is loaded.
 * @throws DatabaseRefused with a message for the operator.
 */
export async function openDatabase(url: string, options: OpenOptions = {}): Promise<Database> {
  const file = sqliteFile(url)
  if (file === null)
    return (await import('#storage/postgres/postgres.ts')).openPostgres(url, options)
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory() === true) {
    throw new DatabaseRefused(`${file} is a folder. Name a file in DATABASE_URL.`)
  }
  prepareFolder(dirname(file), options)
  return (await import('#storage/sqlite/sqlite.ts')).openSqlite(file, options)
}

/** Opens a database that a server has open, only to read, in any thread. @throws DatabaseUnavailable. */
export async function openReader(url: string): Promise<DatabaseReader> {
  const file = sqliteFile(url)
  return file === null
    ? (await import('#storage/postgres/postgres.ts')).openPostgresReader(url)
    : (await import('#storage/sqlite/read-only.ts')).openSqliteReader(file)
}

/** Returns the path in a `file:` URL, or null for another kind of database. */
export function sqliteFile(url: string): string | null {
  return url.startsWith('file:') ? resolve(url.slice('file:'.length)) : null
}

function prepareFolder(folder: string, { dataDirectory, warn }: OpenOptions): void {
  try {
    makePrivateFolder(folder)
  } catch (error) {
    throw new DatabaseRefused(`The data folder ${folder} cannot be created.`, { cause: error })
  }
  if (dataDirectory !== undefined && resolve(dataDirectory) === folder) makePrivate(folder)
  const mode = openMode(folder)
  if (mode !== null) {
    warn?.(
      `Other users of this machine can read ${folder} (mode ${mode}). Unless others need it, run: chmod 700 ${folder}`,
    )
  }
}
