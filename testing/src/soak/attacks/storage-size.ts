/** Measures the disk space of a database and the rows of its table of limits. */
import SqliteDatabase from 'better-sqlite3'
import { existsSync, statSync } from 'node:fs'
import { Client } from 'pg'
import { sqliteFile } from '@stint/server/storage/open.ts'

export interface StorageSize {
  bytes(): Promise<number>
  throttleRows(): Promise<number>
  close(): Promise<void>
}

/** Reads the size of a database while a server uses it. */
export async function storageSize(databaseUrl: string): Promise<StorageSize> {
  const file = sqliteFile(databaseUrl)
  if (file === null) return sizeOfPostgres(databaseUrl)
  return {
    bytes: async () =>
      ['', '-wal']
        .map((suffix) => file + suffix)
        .reduce((sum, path) => sum + (existsSync(path) ? statSync(path).size : 0), 0),
    async throttleRows() {
      const db = new SqliteDatabase(file, { readonly: true })
      try {
        return Number(db.prepare('select count(*) from throttles').pluck().get())
      } finally {
        db.close()
      }
    },
    close: async () => {},
  }
}

async function sizeOfPostgres(url: string): Promise<StorageSize> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const number = async (text: string): Promise<number> => {
    const { rows } = await client.query<{ number: string }>(text)
    return Number(rows[0]?.number)
  }
  return {
    bytes: () =>
      number(
        `select sum(pg_total_relation_size(c.oid)) as number from pg_class c
           where relnamespace = current_schema()::regnamespace and relkind = 'r'`,
      ),
    throttleRows: () => number('select count(*) as number from throttles'),
    close: () => client.end(),
  }
}
