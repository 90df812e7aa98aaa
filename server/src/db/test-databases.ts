/** A fresh database for a test, on the database that TEST_DATABASE names. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from './database.ts'
import { openSqlite } from './sqlite.ts'

/** Opens an empty database; closing it removes it. */
export async function openTestDatabase(): Promise<Database> {
  const folder = mkdtempSync(join(tmpdir(), 'stint-test-'))
  const db = openSqlite(join(folder, 'stint.db'))
  return {
    ...db,
    async close() {
      await db.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
