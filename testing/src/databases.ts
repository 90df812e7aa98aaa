/**
 * Creates a new database for a test, of the kind that TEST_DATABASE names: a SQLite file, or a
 * schema in the PostgreSQL server of TEST_POSTGRES_URL (`postgres.ts`).
 */
import { randomUUID } from 'node:crypto'
import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import type { Database } from '@stint/server/storage/database.ts'
import { openDatabase } from '@stint/server/storage/open.ts'
import { databaseFolder } from './database-folder.ts'
import { MAX_WAIT } from './waits.ts'

/** The URL of one database, which several servers may open. */
export interface TestDatabasePlace {
  readonly url: string
  remove(): Promise<void>
}

/** Options of a database that gives up nothing because the machine is busy. */
export const PATIENT = { maxSlowRead: MAX_WAIT, maxWait: MAX_WAIT }

/** Opens an empty database with the tables of today; closing it ends its use. */
export async function openTestDatabase(): Promise<Database> {
  const place = isPostgres() ? await emptySchema() : await newTestDatabase()
  const db = await openDatabase(place.url, PATIENT)
  return {
    ...db,
    async close() {
      await db.close()
      await place.remove()
    },
  }
}

/** Returns a place with an empty database with the tables of today, which nobody has opened. */
export async function newTestDatabase(): Promise<TestDatabasePlace> {
  if (isPostgres()) return migrated(await postgresPlace())
  const place = sqlitePlace()
  copyFileSync(await emptyFile(), fileURLToPath(place.url))
  return place
}

/**
 * PostgreSQL's schemas with the tables of today that tests of this process have closed: to empty one takes a fraction
 * of the time of the migrations. The run removes them at its end (`postgres.ts`).
 */
const emptySchemas: TestDatabasePlace[] = []

async function emptySchema(): Promise<TestDatabasePlace> {
  const place = emptySchemas.pop() ?? (await newTestDatabase())
  return {
    url: place.url,
    async remove() {
      await runOn(place.url, EMPTY)
      emptySchemas.push(place)
    },
  }
}

/** Only the quota has a row of its own in an empty database. */
const EMPTY = `do $$ begin
  execute (
    select 'truncate ' || string_agg(quote_ident(tablename), ', ') || ' restart identity'
    from pg_tables where schemaname = current_schema
      and tablename not in ('stint_schema', 'document_quota', 'kysely_migration', 'kysely_migration_lock')
  );
  update document_quota set documents = null, bytes = null;
end $$`

/** Returns a place without a database, for tests of what creates one. */
export async function newTestPlace(): Promise<TestDatabasePlace> {
  return isPostgres() ? postgresPlace() : sqlitePlace()
}

async function migrated(place: TestDatabasePlace): Promise<TestDatabasePlace> {
  await (await openDatabase(place.url)).close()
  return place
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
  const place = await migrated(sqlitePlace())
  process.once('exit', () => void place.remove())
  return fileURLToPath(place.url)
}

function isPostgres(): boolean {
  return process.env['TEST_DATABASE'] === 'postgres'
}

function sqlitePlace(): TestDatabasePlace {
  const folder = databaseFolder('stint-test-')
  return {
    url: `file:${join(folder, 'stint.db')}`,
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

async function postgresPlace(): Promise<TestDatabasePlace> {
  const server = process.env['TEST_POSTGRES_URL']
  if (server === undefined) throw new Error('No TEST_POSTGRES_URL: is the global setup missing?')
  const run = process.env['TEST_POSTGRES_RUN'] ?? ''
  const schema = `test_${run}_${randomUUID().replaceAll('-', '')}`
  await runOn(server, `create schema ${schema}`)
  const url = new URL(server)
  url.searchParams.set('options', `-c search_path=${schema}`)
  return { url: url.href, remove: () => runOn(server, `drop schema ${schema} cascade`) }
}

/** Runs statements on a connection of their own. */
async function runOn(url: string, text: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`set client_min_messages to warning; ${text}`)
  } finally {
    await client.end()
  }
}
