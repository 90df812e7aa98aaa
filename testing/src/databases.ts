/**
 * Creates a new database for a test, of the kind that TEST_DATABASE names: a SQLite file, or a
 * schema in the PostgreSQL server of TEST_POSTGRES_URL (`postgres.ts`).
 */
import { randomUUID } from 'node:crypto'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import type { Database } from '@stint/server/storage/database.ts'
import { openDatabase } from '@stint/server/storage/open.ts'
import { MAX_WAIT } from './waits.ts'

/** The URL of one database, which several servers may open. */
export interface TestDatabasePlace {
  readonly url: string
  remove(): Promise<void>
}

/** Options of a database that gives up nothing because the machine is busy. */
export const PATIENT = { maxSlowRead: MAX_WAIT, maxWait: MAX_WAIT }

/** Opens an empty database; closing it removes it. */
export async function openTestDatabase(): Promise<Database> {
  const place = await newTestDatabase()
  if (!isPostgres()) copyFileSync(await emptyFile(), fileURLToPath(place.url))
  const db = await openDatabase(place.url, PATIENT)
  return {
    ...db,
    async close() {
      await db.close()
      await place.remove()
    },
  }
}

let emptyFileMade: Promise<string> | undefined

/**
 * Returns the path of an empty SQLite database with the tables of today, which this process makes once: to
 * copy it takes a tenth of the time of the migrations.
 */
function emptyFile(): Promise<string> {
  emptyFileMade ??= makeEmptyFile()
  return emptyFileMade
}

async function makeEmptyFile(): Promise<string> {
  const place = sqlitePlace()
  await (await openDatabase(place.url)).close()
  process.once('exit', () => void place.remove())
  return fileURLToPath(place.url)
}

/** Returns a place without opening a database there. */
export async function newTestDatabase(): Promise<TestDatabasePlace> {
  return isPostgres() ? postgresPlace() : sqlitePlace()
}

function isPostgres(): boolean {
  return process.env['TEST_DATABASE'] === 'postgres'
}

function sqlitePlace(): TestDatabasePlace {
  const folder = mkdtempSync(join(tmpdir(), 'stint-test-'))
  return {
    url: `file:${join(folder, 'stint.db')}`,
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

async function postgresPlace(): Promise<TestDatabasePlace> {
  const server = process.env['TEST_POSTGRES_URL']
  if (server === undefined) throw new Error('No TEST_POSTGRES_URL: is the global setup missing?')
  const schema = `test_${randomUUID().replaceAll('-', '')}`
  await run(server, `create schema ${schema}`)
  const url = new URL(server)
  url.searchParams.set('options', `-c search_path=${schema}`)
  return { url: url.href, remove: () => run(server, `drop schema ${schema} cascade`) }
}

async function run(url: string, text: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`set client_min_messages to warning; ${text}`)
  } finally {
    await client.end()
  }
}
