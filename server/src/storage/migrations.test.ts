import { COLLECTION_IDS, COLLECTIONS } from '@stint/core/collections.ts'
import type { Attribute } from '@stint/core/collections.ts'
import SqliteConnection from 'better-sqlite3'
import { Kysely, sql, SqliteDialect } from 'kysely'
import { Migrator } from 'kysely/migration'
import { Client, Pool } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { migrationsFor } from './migrations.ts'
import { MigrationDialect } from '#storage/postgres/migrate.ts'
import { ATTRIBUTE_COLUMNS } from './schema.ts'
import { newTestPlace } from '@stint/testing/databases.ts'
import type { TestDatabasePlace } from '@stint/testing/databases.ts'

const isPostgres = process.env['TEST_DATABASE'] === 'postgres'
const dialect = isPostgres ? 'postgres' : 'sqlite'

let place: TestDatabasePlace
let db: Kysely<unknown>

beforeEach(async () => {
  place = await newTestPlace()
  db = isPostgres ? postgres(place.url) : sqlite(place.url)
})
afterEach(async () => {
  await db.destroy()
  await place.remove()
})

test('every migration still results in the schema that it had when it was released', async () => {
  const migrator = migratorOf()
  const shown: string[] = []
  let before: readonly string[] = []
  for (const name of Object.keys(migrationsFor(dialect))) {
    const { error } = await migrator.migrateTo(name)
    expect(error).toBeUndefined()
    const after = await schema()
    shown.push(`-- ${name}`, ...changedLines(before, after), '')
    before = after
  }
  await expect(
    shown.join('\n'),
    `A new migration is a new part of the snapshot: run "${UPDATE}". Released parts must not change.`,
  ).toMatchFileSnapshot(`./migrations/schema.${dialect}.txt`)
})

// The path comes first, because Vitest reads what follows -u as its value.
const UPDATE = 'npx vitest run server/src/storage/migrations.test.ts -u'

/** Returns the lines that a migration removes and those that it adds. */
function changedLines(before: readonly string[], after: readonly string[]): string[] {
  return [
    ...before.filter((line) => !after.includes(line)).map((line) => `- ${line}`),
    ...after.filter((line) => !before.includes(line)).map((line) => `+ ${line}`),
  ]
}

test('every attribute of a document has a column, so a new one needs a migration', async () => {
  const { error } = await migratorOf().migrateToLatest()
  expect(error).toBeUndefined()
  for (const collection of COLLECTION_IDS) {
    const columns = await columnsOf(collection)
    const attributes: [string, Attribute][] = Object.entries(COLLECTIONS[collection])
    for (const [name, attribute] of attributes) {
      const column = columns.find(
        (each) => each.name === ATTRIBUTE_COLUMNS.get(collection)?.get(name),
      )
      expect(
        column && { type: TYPES[dialect][attribute.type], isNullable: isNullable(attribute) },
        `The column of ${collection}.${name} is missing: add a migration.`,
      ).toEqual({ type: column?.type, isNullable: column?.isNullable })
    }
  }
})

test('a migration completes the documents of a user who has used up the storage', async () => {
  await migratorOf().migrateTo('0004-quota')
  const at = '2026-01-01T00:00:00.000+00:00'
  const run = (statement: string) => sql.raw(statement).execute(db)
  await run(`insert into users values
    ('ann', 'ann@example.com', '', '', '${at}', false, true, '{}', '${at}', '${at}', '${at}')`)
  await run(`insert into timer_sessions
    (owner, id, created_at, updated_at, task_id, is_running, is_paused, pause_duration_seconds, body)
    values ('ann', 'one', '${at}', '${at}', 'write', true, false, 0, ',"device":"é"}')`)
  await run(`insert into tasks (owner, id, created_at, updated_at, name, is_active, category,
      goal_hours, total_time, today_time, color, body)
    values ('ann', 'write', '${at}', '${at}', 'Write', true, '', 8, 0, 0, '', ',"name":"Write"}')`)
  await run(`insert into time_entries (owner, id, created_at, updated_at, task_id, start_time,
      end_time, entry_type, duration_seconds, body)
    values ('ann', 'two', '${at}', '${at}', 'write', '${at}', '${at}', 'timer', 0, ',"note":"é"}')`)
  for (const name of Object.keys(migrationsFor(dialect))) {
    if (name <= '0004-quota') continue
    // The server sets the quota whenever it starts, so each migration may be the first after it.
    await run('update document_quota set bytes = 1')
    const { error } = await migratorOf().migrateTo(name)
    expect(error, `${name} changes documents: set the quota aside, as 0005 does`).toBeUndefined()
  }
  const session = await sql`select body, note from timer_sessions`.execute(db)
  expect(session.rows).toEqual([{ body: ',"device":"é","note":null,"log":null}', note: null }])
  const usage = await sql<{ counted: string; bytes: string }>`
    select (select sum(bytes) from document_usage) as counted, sum(octet_length(body)) as bytes from (
      select body from tasks
      union all select body from timer_sessions
      union all select body from time_entries) as documents`.execute(db)
  const [{ counted, bytes } = { counted: '', bytes: '0' }] = usage.rows
  expect(counted).toBe(bytes)
  expect(Number(bytes)).toBeGreaterThan(40)
})

/** The types of columns as the databases report them. */
const TYPES = {
  sqlite: {
    string: 'text',
    datetime: 'text',
    integer: 'integer',
    double: 'real',
    boolean: 'boolean',
  },
  postgres: {
    string: 'text',
    datetime: 'text',
    integer: 'bigint',
    double: 'double precision',
    boolean: 'boolean',
  },
}

interface Column {
  readonly name: string
  readonly type: string
  /** SQLite reports 0 and 1. */
  readonly isNullable: boolean | number
}

async function columnsOf(table: string) {
  const query = isPostgres
    ? sql<Column>`select column_name as name, data_type as type, is_nullable = 'YES' as "isNullable"
        from information_schema.columns where table_schema = current_schema() and table_name = ${table}`
    : sql<Column>`select name, lower(type) as type, "notnull" = 0 as "isNullable"
        from pragma_table_info(${table})`
  const { rows } = await query.execute(db)
  return rows.map((row) => ({ ...row, isNullable: Boolean(row.isNullable) }))
}

function isNullable(attribute: Attribute): boolean {
  return !attribute.required && !('default' in attribute)
}

function migratorOf(): Migrator {
  return new Migrator({
    db,
    ...(isPostgres ? { migrationTableSchema: schemaOf(place.url) } : {}),
    provider: { getMigrations: async () => migrationsFor(dialect) },
  })
}

/**
 * Returns everything that the migrations have created, one line each, without the Migrator's own
 * tables.
 */
async function schema(): Promise<string[]> {
  if (!isPostgres) {
    const connection = new SqliteConnection(fileOf(place.url), { readonly: true })
    const rows: unknown[] = connection
      .prepare(
        `select sql from sqlite_master where sql is not null and name not like 'sqlite_%'
           and tbl_name not like 'kysely_%' order by type, name`,
      )
      .pluck()
      .all()
    const version = connection.pragma('user_version', { simple: true })
    connection.close()
    return [...rows.map(oneLine), `user_version ${String(version)}`]
  }
  const client = new Client({ connectionString: place.url })
  await client.connect()
  try {
    const { rows } = await client.query<{ line: string }>(`
      select line from (
        select 1 as part, table_name || '.' || lpad(ordinal_position::text, 2, '0') || ' ' || column_name
          || ' ' || data_type || ' ' || coalesce(collation_name, '') || ' ' || is_nullable || ' '
          || coalesce(identity_generation, '') as line
        from information_schema.columns where table_schema = current_schema()
          and table_name not like 'kysely_%'
        union all select 2, indexdef from pg_indexes where schemaname = current_schema()
          and tablename not like 'kysely_%'
        union all select 3, conrelid::regclass || ' ' || pg_get_constraintdef(oid) from pg_constraint
          where connamespace = current_schema()::regnamespace and conrelid::regclass::text not like 'kysely_%'
            and contype <> 'n'
        union all select 4, pg_get_triggerdef(oid) from pg_trigger
          where not tgisinternal and tgrelid in
            (select oid from pg_class where relnamespace = current_schema()::regnamespace)
        union all select 5, pg_get_functiondef(oid) from pg_proc
          where pronamespace = current_schema()::regnamespace
        union all select 6, 'stint_schema ' || version from stint_schema
      ) as parts order by part, line`)
    const name = schemaOf(place.url)
    return rows.map(({ line }) => oneLine(line).replaceAll(`${name}.`, ''))
  } finally {
    await client.end()
  }
}

function oneLine(text: unknown): string {
  return String(text).replaceAll(/\s+/g, ' ').trim()
}

function fileOf(url: string): string {
  return url.slice('file:'.length)
}

function schemaOf(url: string): string {
  return /search_path=(\w+)/.exec(decodeURIComponent(url))?.[1] ?? ''
}

function sqlite(url: string): Kysely<unknown> {
  return new Kysely({
    dialect: new SqliteDialect({ database: new SqliteConnection(fileOf(url)) }),
  })
}

function postgres(url: string): Kysely<unknown> {
  return new Kysely({
    dialect: new MigrationDialect({
      pool: new Pool({ connectionString: url, max: 1 }),
      schema: schemaOf(url),
    }),
  })
}
