/** The database of a thread, which only reads. */
import type { DatabaseReader } from '#storage/database.ts'
import { dialect } from './dialect.ts'
import { sqliteBuilders } from './query-builders.ts'
import { connectReadOnly } from './read-only-connection.ts'
import { executor } from './statements.ts'

/** Opens the file of a running server as a database that only reads. */
export function openSqliteReader(file: string): DatabaseReader {
  const run = executor(connectReadOnly(file))
  return { dialect, build: sqliteBuilders().build, read: async (query) => run(query) }
}
