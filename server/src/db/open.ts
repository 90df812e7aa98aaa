/** The only file that knows which database there is. */
import { existsSync, mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Database } from './database.ts'
import { DatabaseRefused } from './database.ts'
import type { SqliteOptions } from './sqlite.ts'

export type OpenOptions = SqliteOptions

/**
 * Opens the database a URL names: `file:…` is SQLite, `postgres://…` is PostgreSQL. Only the
 * one that is used is loaded.
 * @throws DatabaseRefused with a message for the operator.
 */
export async function openDatabase(url: string, options: OpenOptions = {}): Promise<Database> {
  const file = sqliteFile(url)
  if (file === null) return (await import('./postgres.ts')).openPostgres(url, options)
  prepareFolder(dirname(file))
  return (await import('./sqlite.ts')).openSqlite(file, options)
}

/** The path in a `file:` URL, or null for another kind of database. */
export function sqliteFile(url: string): string | null {
  return url.startsWith('file:') ? resolve(url.slice('file:'.length)) : null
}

function prepareFolder(folder: string): void {
  try {
    makeFolder(folder)
  } catch (error) {
    throw new DatabaseRefused(`The data folder ${folder} cannot be created.`, { cause: error })
  }
}

/** Not mkdir's own `recursive`, which never ends in places like /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  mkdirSync(folder)
}
