/** The connection of a thread, apart from the builder of queries, which the thread of slow reads does not need. */
import SqliteConnection from 'better-sqlite3'

/** Opens the file of a running server. */
export function connectReadOnly(file: string): SqliteConnection.Database {
  const connection = new SqliteConnection(file, { readonly: true })
  connection.pragma('query_only = on')
  connection.pragma('temp_store = memory')
  return connection
}
