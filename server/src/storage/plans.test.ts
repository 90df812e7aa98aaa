/**
 * The query plans of all statements of the product: each finds its rows by an index, and none that
 * people wait for reads more rows when their history is longer.
 */
import SqliteConnection from 'better-sqlite3'
import type { Compilable, CompiledQuery } from 'kysely'
import { Client, escapeLiteral } from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { isScalar } from '#documents/document.ts'
import { documentBody } from '#documents/document.ts'
import { withDefaults } from '#documents/structure.ts'
import { isPlainObject } from '#json.ts'
import { callEveryRoute } from '@stint/testing/api-calls.ts'
import { callTool, PROPOSAL } from '@stint/testing/mcp.ts'
import { callEveryPasskeyRoute } from '@stint/testing/passkeys.ts'
import { subscriptionAt } from '@stint/testing/push-service.ts'
import { codeOf, turnOn } from '@stint/testing/second-factor.ts'
import { createTestApp } from '@stint/testing/test-app.ts'
import type { TestApp, TestUser } from '@stint/testing/test-app.ts'
import type { Database, Statements } from './database.ts'
import { openDatabase, sqliteFile } from './open.ts'
import { batchParameter, isBatchable } from '#storage/postgres/batch.ts'
import { PLANNING } from '#storage/postgres/pool.ts'
import { newTestPlace, PATIENT } from '@stint/testing/databases.ts'
import type { TestDatabasePlace } from '@stint/testing/databases.ts'

const COLLECTIONS = ['tasks', 'timer_sessions', 'time_entries'] as const
const NOW = '2026-01-15T12:00:00.000+00:00'
const isSqlite = process.env['TEST_DATABASE'] !== 'postgres'

interface Asked {
  readonly text: string
  readonly values: readonly unknown[]
}

let place: TestDatabasePlace
let server: TestApp
let asked: Asked[]

beforeAll(async () => {
  place = await newTestPlace()
  asked = []
  const db = recording(await openDatabase(place.url, PATIENT))
  server = await createTestApp({ db, config: { rateLimits: true, webhooksAllowPrivate: true } })
})
afterAll(async () => {
  await server.close()
  await server.db.close()
  await place.remove()
})

test('every statement of the product finds its rows by an index', async () => {
  const ann = await server.signedInUser('Ann')
  await useEverything(ann)
  const statements = [...new Map(asked.map((each) => [each.text, each])).values()]
  expect(statements.length).toBeGreaterThan(40)
  const explain = await explainer()
  const wrong: string[] = []
  for (const each of statements) {
    const plan = await explain.plan(each)
    if (plan.some(readsAll)) wrong.push(`${each.text}: ${plan.join(', ')}`)
    // No list is sorted: the index has its order. For lists of changes, only ties are sorted.
    const [, page] =
      /from \(select .* order by "(created_at" desc|updated_at" asc), "sequence" asc\s/s.exec(
        each.text,
      ) ?? []
    const isInOrder = isSqlite ? page !== undefined : page === 'created_at" desc'
    if (isInOrder && plan.some(sorts)) wrong.push(`${each.text}: ${plan.join(', ')}`)
  }
  await explain.close()
  expect(wrong).toEqual([])
})

// PostgreSQL decides by itself to keep a plan for all values.
test.skipIf(!isSqlite)('no list is compiled again for each request', async () => {
  asked.length = 0
  await useEverything(await server.signedInUser('Ann of the lists'))
  const lists = [...new Map(asked.map((each) => [each.text, each])).values()].filter(({ text }) =>
    text.includes('group_concat'),
  )
  expect(lists.length).toBeGreaterThan(5)
  const file = new SqliteConnection(sqliteFile(place.url) ?? '', { readonly: true })
  expect(lists.filter((list) => compilations(file, list) > 0)).toEqual([])
  const plain = lists.map(({ text, values }) => ({ text: text.replaceAll('+?', '?'), values }))
  expect(plain.map((list) => compilations(file, list))).toContain(2)
  file.close()
})

/**
 * Returns how often SQLite compiles a statement when it runs twice more. Each time better-sqlite3
 * makes a new function for its rows, of which there must be one.
 */
function compilations(file: SqliteConnection.Database, { text, values }: Asked): number {
  const statement = file.prepare(text)
  const bound = values.map(bindable)
  statement.all(...bound)
  const makesRows = vi.spyOn(globalThis, 'Function')
  statement.all(...bound)
  statement.all(...bound)
  const count = makesRows.mock.calls.length
  makesRows.mockRestore()
  return count
}

test('the check of the plans finds a statement without an index', async () => {
  const explain = await explainer()
  const plan = await explain.plan({
    text: "select id from time_entries where note = 'x'",
    values: [],
  })
  await explain.close()
  expect(plan.some(readsAll)).toBe(true)
})

// SQLite reports plans, but not how many rows it has read.
test.skipIf(isSqlite)('ten times as many entries do not add one row to read', async () => {
  const explain = await explainer()
  const touched: number[][] = []
  for (const [name, entries] of [
    ['Few', 600],
    ['Many', 6000],
  ] as const) {
    const user = await server.signedInUser(name)
    await fill(user, entries)
    await explain.analyze()
    asked.length = 0
    for (const queries of [NEWEST, CHANGES])
      await user.call('GET', list(user, 'time_entries', queries, '&total=false'))
    await user.call('GET', `${documents('time_entries')}/e5`)
    await user.call('PATCH', `${documents('time_entries')}/e5`, { data: { note: 'x' } })
    await user.call('DELETE', `${documents('time_entries')}/e6`)
    const ofEntries = asked.filter(({ text }) => text.includes('time_entries'))
    const rows: number[] = []
    for (const each of ofEntries) rows.push(await explain.rowsRead(each))
    touched.push(rows)
  }
  await explain.close()
  const [few = [], many = []] = touched
  expect(few.length).toBeGreaterThan(4)
  expect([100, 101]).toContain(Math.max(...few))
  expect(many).toEqual(few)
})

// The state after an import: PostgreSQL analyses a table when a tenth of it is new, with a delay.
test.skipIf(isSqlite)(
  'what a table holds of others, and since when, is no reason to read more',
  async () => {
    const explain = await explainer()
    const since = new Date(Date.UTC(2025, 0, 1) + 2950 * 60_000).toISOString()
    const changes = CHANGES.map((each) => each.replace(NOW, since))
    const created = changes.map((each) => each.replace('updatedAt', 'createdAt'))
    const far: string[] = []
    for (const name of ['First', 'Second']) {
      const user = await server.signedInUser(name)
      await fill(user, 3000)
      asked.length = 0
      for (const queries of [changes, created])
        await user.call('GET', list(user, 'time_entries', queries))
      await user.call('GET', `${documents('time_entries')}/e5`)
      await user.call('PATCH', `${documents('time_entries')}/e5`, { data: { note: 'x' } })
      await user.call('DELETE', `${documents('time_entries')}/e6`)
      for (const each of asked.filter(({ text }) => text.includes('time_entries'))) {
        const rows = await explain.rowsRead(each)
        if (rows > 51) far.push(`${name}, ${rows} rows: ${each.text}`)
      }
      await explain.analyze()
    }
    // A user who has just begun, beside users with long histories.
    const user = await server.signedInUser('Third')
    await fill(user, 20)
    asked.length = 0
    await user.call('GET', list(user, 'time_entries', NEWEST))
    for (const each of asked) {
      const rows = await explain.rowsRead(each)
      if (rows > 20) far.push(`Third, ${rows} rows: ${each.text}`)
    }
    await explain.close()
    expect(far).toEqual([])
  },
)

const NEWEST = [
  '{"method":"orderDesc","attribute":"$createdAt"}',
  '{"method":"limit","values":[100]}',
]
const CHANGES = [
  `{"method":"greaterThanEqual","attribute":"$updatedAt","values":["${NOW}"]}`,
  '{"method":"orderAsc","attribute":"$updatedAt"}',
  '{"method":"limit","values":[100]}',
]

/** Makes all requests of the app and of other clients of the Appwrite API. */
async function useEverything(user: TestUser): Promise<void> {
  const other = [
    ['{"method":"equal","attribute":"isActive","values":[true]}', NEWEST[0] ?? ''],
    ['{"method":"equal","attribute":"taskId","values":["t1"]}', NEWEST[0] ?? ''],
  ]
  const data = {
    tasks: { name: 'x' },
    timer_sessions: { taskId: 't1' },
    time_entries: {
      taskId: 't1',
      startTime: '2026-01-15T10:00:00.000Z',
      endTime: '2026-01-15T11:00:00.000Z',
      durationSeconds: 3600,
    },
  }
  const key = await user.call('POST', '/stint/keys', { name: 'Key', access: 'read' })
  const webhook = `/stint/keys/${key.body.id}/webhook`
  // Nothing listens there.
  await user.call('PUT', webhook, { url: 'http://127.0.0.1:9/' })
  await user.call('POST', `${webhook}/test`, {})
  const device = { ...subscriptionAt('http://127.0.0.1:9/device'), withNames: true }
  await user.call('PUT', '/stint/push', device)
  await user.call('GET', '/stint/push')
  for (const collection of COLLECTIONS) {
    const at = documents(collection)
    for (const documentId of ['d1', 'd2', 'unique()']) {
      await user.call('POST', at, { documentId, data: { ...data[collection], userId: user.id } })
      if (collection === 'timer_sessions') break
    }
    for (const queries of [NEWEST, CHANGES]) {
      for (const further of [
        [],
        ['{"method":"cursorAfter","values":["d1"]}'],
        ['{"method":"select","values":["$id"]}'],
      ]) {
        await user.call('GET', list(user, collection, [...queries, ...further]))
      }
      await user.call('GET', list(user, collection, queries, '&total=false'))
    }
    await user.call('GET', `${at}/d1`)
    await user.call('PUT', `${at}/d1`, { data: { ...data[collection], userId: user.id } })
    await user.call('PATCH', `${at}/d1`, {
      data: collection === 'tasks' ? { color: 'red' } : { taskId: 't2' },
    })
  }
  await user.call('GET', list(user, 'tasks', other[0] ?? []))
  await user.call('GET', list(user, 'time_entries', other[1] ?? []))
  await user.call('PATCH', `${documents('tasks')}/d1/totalTime/increment`, { value: 5 })
  for (const collection of COLLECTIONS) await user.call('DELETE', `${documents(collection)}/d1`)
  await callEveryRoute(await server.program(user))
  const { id, secret } = (await user.call('POST', '/stint/keys', { name: 'A', access: 'write' }))
    .body
  const proposed = await callTool(server.newBrowser(), secret, 'propose_changes', PROPOSAL)
  await user.call('GET', '/stint/proposals')
  await user.call('DELETE', `/stint/proposals/${proposed.id}`)
  await user.call('GET', '/stint/keys')
  await user.call('DELETE', `/stint/keys/${id}`)
  await user.call('GET', '/account')
  await user.call('GET', '/account/prefs')
  await user.call('GET', '/account/sessions')
  await user.call('PATCH', '/account/name', { name: 'Anna' })
  await user.call('PATCH', '/account/prefs', { prefs: { theme: 'dark' } })
  await vi.waitFor(async () => {
    const { deliveries } = (await user.call('GET', webhook)).body
    expect(deliveries.length).toBeGreaterThan(4)
    expect(deliveries.every(({ answer }: { answer: string | null }) => answer !== null)).toBe(true)
  })
  await user.call('DELETE', webhook)
  const press = { id: 'some-press', session: 'd1', press: 'stop', age: 0 }
  await user.call('POST', '/stint/push/presses', press)
  await user.call('DELETE', '/stint/push/current')
  await user.call('DELETE', `/stint/keys/${key.body.id}`)
  await callEveryPasskeyRoute(server, user)
  await user.call('GET', '/stint/passkeys')
  const { secret: ofApp } = await turnOn(user, server.clock.now())
  await user.call('GET', '/stint/second-factor')
  const next = codeOf(ofApp, server.clock.now() + 30_000)
  await user.call('POST', '/stint/second-factor/removal', { code: next })
  await user.call('GET', '/stint/feed')
  const feed = await user.call('PUT', '/stint/feed', {})
  expect((await user.fetch(feed.body.path)).status).toBe(200)
  await user.call('DELETE', '/stint/feed')
  const { password } = user
  await user.call('PATCH', '/account/email', { email: 'anna@example.com', password })
  await user.call('PATCH', '/account/password', {
    password: 'correct horse 2',
    oldPassword: password,
  })
  await user.call('PATCH', '/account/sessions/current', {})
  await user.call('PUT', '/account/recovery', { userId: user.id, secret: 'x', password })
  server.clock.advance(25 * 3_600_000)
  const again = server.newBrowser()
  await again.call('POST', '/account/sessions/email', {
    email: 'anna@example.com',
    password: 'wrong horse 1',
  })
  await again.call('POST', '/account/sessions/email', {
    email: 'anna@example.com',
    password: 'correct horse 2',
  })
  await again.call('GET', '/account')
  await again.call('DELETE', '/account/sessions/current')
  await again.call('DELETE', '/account/sessions')
}

function documents(collection: string): string {
  return `/databases/stint/collections/${collection}/documents`
}

function list(user: TestUser, collection: string, queries: readonly string[], more = ''): string {
  const own = `{"method":"equal","attribute":"userId","values":["${user.id}"]}`
  const search = [own, ...queries].map(
    (text, index) => `queries[${index}]=${encodeURIComponent(text)}`,
  )
  return `${documents(collection)}?${search.join('&')}${more}`
}

/** Inserts so many entries, one a minute, directly into the database. */
async function fill(user: TestUser, entries: number): Promise<void> {
  const { db } = server
  const rows = Array.from({ length: entries }, (_, index) => {
    const id = `e${index}`
    const at = new Date(Date.UTC(2025, 0, 1) + index * 60_000).toISOString().replace('Z', '+00:00')
    const attributes = withDefaults('time_entries', {
      userId: user.id,
      taskId: 't',
      startTime: at,
      endTime: at,
      durationSeconds: 0,
    })
    const document = { id, createdAt: at, updatedAt: at, permissions: [], attributes }
    return {
      owner: user.id,
      id,
      created_at: at,
      updated_at: at,
      body: documentBody('time_entries', document),
      task_id: 't',
      start_time: at,
      end_time: at,
      entry_type: 'timer',
      duration_seconds: 0,
    }
  })
  await db.write(async (tx) => {
    for (let start = 0; start < entries; start += 200) {
      const some = rows.slice(start, start + 200)
      await tx.run(tx.build.insertInto('time_entries').values(some))
    }
  })
}

/** Wraps the database and records its queries. */
function recording(db: Database): Database {
  return {
    ...db,
    read(query) {
      note(query)
      return db.read(query)
    },
    write: (work) => db.write((tx) => work(noting(tx))),
    autocommit: (work) => db.autocommit((statements) => work(noting(statements))),
  }
}

function noting<Some extends Statements>(statements: Some): Some {
  return {
    ...statements,
    run(query: Compilable | CompiledQuery) {
      note(query)
      return statements.run(query)
    },
  }
}

function note(query: Compilable | CompiledQuery): void {
  const { sql: text, parameters } = 'compile' in query ? query.compile() : query
  asked.push({ text, values: parameters })
  if (isBatchable(query)) {
    asked.push({ text: query.batch.text, values: [batchParameter([query, query])] })
  }
}

function readsAll(step: string): boolean {
  return /^SCAN (?:users|sessions|tokens|throttles|tasks|timer_sessions|time_entries)|^Seq Scan|without condition/.test(
    step,
  )
}

function sorts(step: string): boolean {
  return /^USE TEMP B-TREE|Sort/.test(step)
}

interface Explainer {
  plan(asked: Asked): Promise<string[]>
  /** Returns how many rows the plan of a statement has read. */
  rowsRead(asked: Asked): Promise<number>
  analyze(): Promise<void>
  close(): Promise<void>
}

async function explainer(): Promise<Explainer> {
  const file = sqliteFile(place.url)
  return file === null ? postgresExplainer(place.url) : sqliteExplainer(file)
}

function bindable(value: unknown): unknown {
  return typeof value === 'boolean' ? Number(value) : value
}

function sqliteExplainer(file: string): Explainer {
  const connection = new SqliteConnection(file)
  return {
    async plan({ text, values }) {
      const steps = connection.prepare(`explain query plan ${text}`).all(...values.map(bindable))
      return steps.map((step) => (isPlainObject(step) ? String(step['detail']) : ''))
    },
    rowsRead: async () => NaN,
    analyze: async () => void connection.exec('analyze'),
    close: async () => void connection.close(),
  }
}

async function postgresExplainer(url: string): Promise<Explainer> {
  const client = new Client({ connectionString: url })
  await client.connect()
  // The planner settings of the product.
  await client.query(PLANNING)
  const nodes = async (how: string, { text, values }: Asked) => {
    await client.query('begin')
    await client.query(`prepare asked as ${text}`)
    const given = values.map((value) => (isScalar(value) ? escapeLiteral(String(value)) : 'null'))
    const { rows } = await client.query(
      `explain (${how}, format json) execute asked${given.length > 0 ? `(${given.join(', ')})` : ''}`,
    )
    await client.query('rollback')
    await client.query('deallocate asked')
    return nodesOf(rows[0]?.['QUERY PLAN']?.[0]?.Plan)
  }
  return {
    async plan(each) {
      return (await nodes('costs off', each)).map((node) => {
        const type = String(node['Node Type'])
        if (type === 'Sort' || type === 'Incremental Sort')
          return type === 'Sort' ? `Sort on ${String(node['Sort Key'])}` : type
        const isIndex = /Index/.test(type)
        return isIndex && node['Index Cond'] === undefined ? `${type} without condition` : type
      })
    },
    async rowsRead(each) {
      const read = await nodes('analyze, timing off, summary off', each)
      return Math.max(
        0,
        ...read
          .filter((node) => /Scan/.test(String(node['Node Type'])))
          .map((node) => Number(node['Actual Rows']) + Number(node['Rows Removed by Filter'] ?? 0)),
      )
    },
    analyze: async () => void (await client.query('analyze')),
    close: () => client.end(),
  }
}

function nodesOf(plan: unknown): Record<string, unknown>[] {
  if (!isPlainObject(plan)) return []
  const parts: unknown = plan['Plans']
  return [plan, ...(Array.isArray(parts) ? parts.flatMap(nodesOf) : [])]
}
