/** Connections of threads, which only read. */
import SqliteConnection from 'better-sqlite3'
import type { DatabaseReader } from '#storage/database.ts'
import { dialect } from './dialect.ts'
import { sqliteBuilders } from './query-builders.ts'
import { executor } from './statements.ts'

/** Opens the file of a running server. */
export function connectReadOnly(file: string): SqliteConnection.Database {
  const connection = new SqliteConnection(file, { readonly: true })
  connection.pragma('query_only = on')
  connection.pragma('temp_store = memory')
  return connection
}

/** Opens the file of a running server as a database that only reads. */
export function openSqliteReader(file: string): DatabaseReader {
  const run = executor(connectReadOnly(file))
  return { dialect, build: sqliteBuilders().build, read: async (query) => run(query) }
}
