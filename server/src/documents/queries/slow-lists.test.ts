import SqliteConnection from 'better-sqlite3'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Database } from '#storage/database.ts'
import { openDatabase, sqliteFile } from '#storage/open.ts'
import { newTestDatabase, openTestDatabase } from '@stint/testing/databases.ts'
import type { TestDatabasePlace } from '@stint/testing/databases.ts'
import { createTestApp } from '@stint/testing/test-app.ts'
import type { TestApp, TestUser } from '@stint/testing/test-app.ts'
import { hasText, shapeCompiler } from './compile.ts'
import { parseQueries } from './parse.ts'

const ENTRIES = '/databases/stint/collections/time_entries/documents'
const isSqlite = process.env['TEST_DATABASE'] !== 'postgres'
/** A pattern that took LIKE half a minute: it almost matches at each position of the text. */
const NEARLY = `${'a'.repeat(63)}b`
const ALL_NEARLY = contains('note', ...Array<string>(20).fill(NEARLY))
const MAX_SLOW_READ = 1500
const ROWS = 1000

let place: TestDatabasePlace
let db: Database
let server: TestApp
let ann: TestUser

// A server is for all tests, and a person for each, whom no other one meets.
beforeAll(async () => {
  place = await newTestDatabase()
  db = await openDatabase(place.url, { maxSlowRead: MAX_SLOW_READ })
  server = await createTestApp({ db })
})
beforeEach(async () => {
  ann = await server.signedInUser()
})
afterAll(async () => {
  await server.close()
  await db.close()
  await place.remove()
})

test('a list that searches too much text is ended, and no other request waits for it', async () => {
  const bob = await server.signedInUser()
  await fill(ann, 20_000, 'a'.repeat(2000))
  // More than PostgreSQL has connections, and more than may wait: some are refused at once.
  const ended: (number | 'bob')[] = []
  const lists = Array.from({ length: 14 }, async () => {
    const reply = await ann.call('GET', listOf(ALL_NEARLY))
    ended.push(reply.status)
    return reply
  })
  expect((await bob.call('GET', ENTRIES)).status).toBe(200)
  ended.push('bob')
  const replies = await Promise.all(lists)
  // Bob's list came while Ann's first one was read, although it was asked for later.
  expect(ended.indexOf('bob')).toBeLessThan(ended.indexOf(408))
  expect(new Set(ended)).toEqual(new Set([408, 503, 'bob']))
  for (const { body } of replies.filter(({ status }) => status === 408)) {
    expect(body).toMatchObject({
      type: 'database_timeout',
      message: expect.stringContaining('takes too long'),
    })
  }
  // A smaller list succeeds again.
  expect((await ann.call('GET', listOf(contains('taskId', 'none')))).body.total).toBe(0)
})

test('a list that searches texts contains what was just saved', async () => {
  const found = async () => (await ann.call('GET', listOf(contains('note', 'NEW')))).body.total
  const start = '2026-01-15T10:00:00.000Z'
  const data = { taskId: 't', userId: ann.id, startTime: start, endTime: start, durationSeconds: 0 }
  for (let index = 1; index <= 20; index++) {
    const entry = { documentId: `e${index}`, data: { ...data, note: `a new one, ${index}` } }
    await ann.call('POST', ENTRIES, entry)
    expect(await found()).toBe(index)
  }
  await ann.call('DELETE', `${ENTRIES}/e1`, {})
  expect(await found()).toBe(19)
})

// PostgreSQL cancels its statements by itself.
test.skipIf(!isSqlite)(
  'SQLite looks at the time for each row, whatever else it looks at',
  async () => {
    await fill(ann, 500, 'a')
    const file = new SqliteConnection(sqliteFile(place.url) ?? '', { readonly: true })
    let looks = 0
    file.function('stint_in_time', { deterministic: false }, () => ++looks && 1)
    const compile = shapeCompiler(db)
    const ordered = '{"method":"orderDesc","attribute":"$createdAt"}'
    for (const queries of [
      [contains('note', 'b')],
      [ordered, contains('note', 'b')],
      [
        '{"method":"equal","attribute":"taskId","values":["other"]}',
        contains('note', 'b'),
        ordered,
      ],
      ['{"method":"isNotNull","attribute":"deletedAt"}', contains('note', 'b')],
      ['{"method":"lessThan","attribute":"durationSeconds","values":[0]}', contains('$id', 'b')],
      [`{"method":"or","values":[${contains('note', 'b')},${contains('taskId', 'b')}]}`],
    ]) {
      const query = parseQueries('time_entries', queries)
      const compiled = compile('time_entries', query.shape, query.values.length, true)
      expect(hasText(query.shape)).toBe(true)
      const { sql: text, parameters } = compiled.page([ann.id, ...query.values, 25, 0])
      const steps: unknown[] = file.prepare(`explain query plan ${text}`).all(...parameters)
      // The rows it reads: those of the task through its index, else all of the owner's.
      const expected = JSON.stringify(steps).includes('task_id=?') ? 0 : 500
      looks = 0
      file.prepare(text).all(...parameters)
      expect([queries, looks >= expected]).toEqual([queries, true])
    }
    file.close()
  },
)

test('a database that is closed reads nothing more', async () => {
  const other = await openTestDatabase()
  const text = sql`select ${'x'} as x`.compile(other.build)
  expect(await other.readSlowly('a', text)).toEqual([{ x: 'x' }])
  await other.close()
  await expect(other.readSlowly('a', text)).rejects.toThrow(/closed|after calling end/)
})

function contains(attribute: string, ...values: string[]): string {
  return JSON.stringify({ method: 'contains', attribute, values })
}

function listOf(...queries: string[]): string {
  const search = queries.map((text, index) => `queries[${index}]=${encodeURIComponent(text)}`)
  return `${ENTRIES}?${search.join('&')}`
}

/** Inserts so many entries with this note directly into the database, in statements that end in time. */
async function fill({ id: owner }: TestUser, entries: number, note: string): Promise<void> {
  const at = '2026-01-01T00:00:00.000+00:00'
  for (let first = 1; first <= entries; first += ROWS) {
    const last = sql.lit(Math.min(first + ROWS - 1, entries))
    const number = isSqlite
      ? sql`with recursive n (n) as (select ${sql.lit(first)} union all select n + 1 from n where n < ${last}) select n from n`
      : sql`select generate_series(${sql.lit(first)}::int, ${last}) as n`
    await db.write((tx) =>
      tx.run(
        sql`insert into time_entries
            (owner, id, created_at, updated_at, task_id, start_time, end_time, entry_type, duration_seconds, note, body)
          select ${owner}, 'e' || n, ${at}, ${at}, 't', ${at}, ${at}, 'timer', 0, ${note}, ${`,"$id":"e"}`}
          from (${number}) as numbers`.compile(db.build),
      ),
    )
  }
}
