import { COLLECTION_IDS } from '@stint/core/collections.ts'
import SqliteConnection from 'better-sqlite3'
import { sql } from 'kysely'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Database } from '#storage/database.ts'
import * as tables from '#storage/migrations/0001-tables.ts'
import * as newestFirst from '#storage/migrations/0002-newest-first.ts'
import * as orderOfCreation from '#storage/migrations/0003-order-of-creation.ts'
import { sqliteFile } from '#storage/open.ts'
import { newTestDatabase, newTestPlace } from '@stint/testing/databases.ts'
import type { TestDatabasePlace } from '@stint/testing/databases.ts'
import { createTestApp, TEST_PASSWORD } from '@stint/testing/test-app.ts'
import type { Reply, TestApp, TestUser } from '@stint/testing/test-app.ts'
import type { Quota } from './quota.ts'

const TASKS = documentsOf('tasks')
const TOGETHER = '/stint/collections/tasks/documents'
const isSqlite = process.env['TEST_DATABASE'] !== 'postgres'
const NONE: Quota = { documents: null, bytes: null }
const REFUSED = { status: 403, body: { code: 403, type: 'stint_quota_exceeded' } }

let place: TestDatabasePlace
let servers: TestApp[]

beforeEach(async () => {
  place = await newTestDatabase()
  servers = []
})
afterEach(async () => {
  for (const server of servers) await server.close()
  await place.remove()
})

test('every way to create is refused beyond the quota of documents, and deleting makes room', async () => {
  const { server, ann } = await startWith({ ...NONE, documents: 3 })
  const bob = await server.signedInUser('Bob')
  const create = (user: TestUser, documentId: string) =>
    user.call('POST', TASKS, { documentId, data: { userId: user.id, name: 'x' } })
  for (const id of ['a', 'b', 'c']) expect((await create(ann, id)).status).toBe(201)

  const data = { userId: ann.id, name: 'x' }
  const timer = { documentId: 's', data: { userId: ann.id, taskId: 'a' } }
  const refused = [
    await create(ann, 'd'),
    await ann.call('PUT', `${TASKS}/d`, { data }),
    await ann.call('POST', documentsOf('timer_sessions'), timer),
    await ann.call('PUT', TOGETHER, { documents: [{ documentId: 'd', data }] }),
  ]
  for (const reply of refused) {
    expect(reply).toMatchObject(REFUSED)
    expect(reply.body.message).toContain('QUOTA_DOCUMENTS')
  }
  // A taken id gets either refusal, and existing documents may change and grow.
  expect((await create(ann, 'a')).body.type).toMatch(/document_already_exists|quota/)
  const change = { data: { name: 'a longer name' } }
  expect((await ann.call('PATCH', `${TASKS}/a`, change)).status).toBe(200)
  // A refused create does not affect creates of another user at the same time.
  const replies = await Promise.all([create(ann, 'd'), create(bob, 'a'), create(bob, 'b')])
  expect(replies.map(({ status }) => status)).toEqual([403, 201, 201])

  // A bulk write creates all or nothing.
  await ann.call('DELETE', `${TASKS}/c`, {})
  const two = ['d', 'e'].map((documentId) => ({ documentId, data }))
  expect(await ann.call('PUT', TOGETHER, { documents: two })).toMatchObject(REFUSED)
  expect((await ann.call('GET', TASKS)).body.total).toBe(2)
  expect((await create(ann, 'd')).status).toBe(201)
  expect(await usageOf(server.db, ann)).toEqual(await countedOf(server.db, ann))
})

test('a write that grows beyond the quota of bytes is refused, and one that shrinks is not', async () => {
  const { server, ann } = await startWith({ ...NONE, bytes: 1000 })
  const create = (id: string, name: string) =>
    ann.call('POST', TASKS, { documentId: id, data: { userId: ann.id, name } })
  expect((await create('a', 'ä'.repeat(200))).status).toBe(201)
  const refused = [
    await create('b', 'x'.repeat(250)),
    await ann.call('PATCH', `${TASKS}/a`, {
      data: { color: 'x'.repeat(64), name: '👍'.repeat(200) },
    }),
    await ann.call('PUT', TOGETHER, {
      documents: [{ documentId: 'a', data: { name: '👍'.repeat(200) } }],
    }),
  ]
  for (const reply of refused) {
    expect(reply).toMatchObject(REFUSED)
    expect(reply.body.message).toContain('QUOTA_BYTES')
  }
  expect((await ann.call('GET', `${TASKS}/a`)).body.name).toBe('ä'.repeat(200))

  // The quota is lower than the existing data: nothing is lost, and shrinking is always allowed.
  const { server: strict } = await startWith({ ...NONE, bytes: 10 }, server)
  const elsewhere = sameBrowser(strict, ann)
  const change = (name: string) => elsewhere.call('PATCH', `${TASKS}/a`, { data: { name } })
  expect(await change('ä'.repeat(201))).toMatchObject(REFUSED)
  expect((await change('ö'.repeat(200))).status).toBe(200)
  expect((await change('short')).status).toBe(200)
  expect((await elsewhere.call('DELETE', `${TASKS}/a`, {})).status).toBe(204)
  expect(await usageOf(strict.db, ann)).toEqual([0, 0])
})

test('of forty simultaneous creates, exactly as many succeed as the quota allows', async () => {
  const { server, ann } = await startWith({ ...NONE, documents: 25 })
  const browsers = [ann]
  // Several processes share a PostgreSQL database; a SQLite file has one.
  if (!isSqlite) {
    const { server: other } = await startWith({ ...NONE, documents: 25 })
    browsers.push(sameBrowser(other, ann))
  }
  const data = { userId: ann.id, name: 'x' }
  const one = (index: number): Promise<Reply> => {
    const browser = browsers[index % browsers.length] ?? ann
    const id = `t${index}`
    if (index % 4 === 1) return browser.call('PUT', `${TASKS}/${id}`, { data })
    return index % 4 === 2
      ? browser.call('PUT', TOGETHER, { documents: [{ documentId: id, data }] })
      : browser.call('POST', TASKS, { documentId: id, data })
  }
  const statuses = (await Promise.all(Array.from({ length: 40 }, (_, index) => one(index)))).map(
    ({ status }) => (status === 201 ? 200 : status),
  )
  expect(statuses.filter((status) => status === 200)).toHaveLength(25)
  expect(statuses.filter((status) => status === 403)).toHaveLength(15)
  expect(await usageOf(server.db, ann)).toEqual(await countedOf(server.db, ann))
})

test('the count is right after any simultaneous writes', async () => {
  const { server, ann } = await startWith({ ...NONE, documents: 60 })
  const bob = await server.signedInUser('Bob')
  for (let round = 0; round < 5; round++) {
    await Promise.all(
      Array.from({ length: 60 }, (_, index) => {
        const user = index % 3 === 0 ? bob : ann
        const id = `t${(index * 7 + round * 11) % 40}`
        const data = { userId: user.id, name: 'é'.repeat(1 + ((index * 31 + round) % 200)) }
        switch ((index + round) % 5) {
          case 0:
            return user.call('POST', TASKS, { documentId: id, data })
          case 1:
            return user.call('PATCH', `${TASKS}/${id}`, { data })
          case 2:
            return user.call('DELETE', `${TASKS}/${id}`, {})
          case 3:
            return user.call('PATCH', `${TASKS}/${id}/totalTime/increment`, { value: 1000 })
          default: {
            const documents = [id, `u${index}`].map((documentId) => ({ documentId, data }))
            return user.call('PUT', TOGETHER, { documents })
          }
        }
      }),
    )
    for (const user of [ann, bob]) {
      const counted = await countedOf(server.db, user)
      expect(counted[0]).toBeGreaterThan(0)
      expect(await usageOf(server.db, user)).toEqual(counted)
    }
  }
})

test('documents of an older version are counted in the migration', async () => {
  await place.remove()
  place = await newTestPlace()
  await openAsBefore()
  const { server, ann } = await startWith({ ...NONE, documents: 4 }, undefined, 'ann')
  const later = Buffer.byteLength(
    ',"note":null,"log":null,"log":null,"billable":null,"invoiced":null',
  )
  expect(await usageOf(server.db, ann)).toEqual([3, 20 + 21 + later + 22])
  const create = (documentId: string) =>
    ann.call('POST', TASKS, { documentId, data: { userId: ann.id, name: 'x' } })
  expect((await create('one')).status).toBe(201)
  expect(await create('more')).toMatchObject(REFUSED)
})

test('deleting an account deletes its count, and a new account with the same id begins at 0', async () => {
  const { server, ann } = await startWith({ ...NONE, documents: 2 })
  await fill(ann)
  const body = { email: ann.email, password: TEST_PASSWORD }
  expect((await ann.call('POST', '/stint/account/deletion', body)).status).toBe(204)
  const rows = await server.db.read(server.db.build.selectFrom('document_usage').selectAll())
  expect(rows).toEqual([])
  await ann.call('POST', '/account', { userId: ann.id, ...body })
  await ann.call('POST', '/account/sessions/email', body)
  await fill(ann)
})

/**
 * Starts a server with this quota, on the database of `other` if given; on SQLite it replaces
 * `other`, since a file has one server.
 */
async function startWith(quota: Quota, other?: TestApp, userId?: string) {
  if (other !== undefined && isSqlite) {
    servers = servers.filter((each) => each !== other)
    await other.close()
  }
  const server = await createTestApp({
    url: place.url,
    config: { quota },
  })
  servers.push(server)
  if (userId === undefined && servers.length === 1 && other === undefined) {
    return { server, ann: await server.signedInUser('Ann') }
  }
  const browser = server.newBrowser()
  const email = 'ann@example.com'
  const ann: TestUser = { ...browser, id: userId ?? '', email, password: TEST_PASSWORD }
  if (userId !== undefined) {
    await server.browser.call('POST', '/account/sessions/email', { email, password: TEST_PASSWORD })
    for (const [name, value] of server.browser.cookies) browser.cookies.set(name, value)
  }
  return { server, ann }
}

function sameBrowser(server: TestApp, user: TestUser): TestUser {
  const browser = server.newBrowser()
  for (const [name, value] of user.cookies) browser.cookies.set(name, value)
  return { ...user, ...browser }
}

/** Returns the documents and bytes that the database has counted. */
async function usageOf(db: Database, { id }: TestUser): Promise<[number, number]> {
  const query = sql<{ documents: number; bytes: number }>`select
    sum(documents) as documents, sum(bytes) as bytes from document_usage where owner = ${id}`
  const [row] = await db.read(query.compile(db.build))
  return [Number(row?.documents), Number(row?.bytes)]
}

/** Returns the documents and bytes that exist. */
async function countedOf(db: Database, { id }: TestUser): Promise<[number, number]> {
  const bodies = await Promise.all(
    COLLECTION_IDS.map((collection) =>
      db.read(db.build.selectFrom(collection).select('body').where('owner', '=', id)),
    ),
  )
  const texts = bodies.flat().map(({ body }) => body)
  return [texts.length, texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)]
}

/**
 * Creates the database of the version before quotas, with a user and a document in each collection.
 */
async function openAsBefore(): Promise<void> {
  const template = await createTestApp()
  const { id } = await template.signedInUser('Ann')
  const [user] = await template.db.read(
    template.db.build.selectFrom('users').selectAll().where('id', '=', id),
  )
  await template.close()
  const at = '2026-01-01T00:00:00.000+00:00'
  const columns = Object.keys(user ?? {}).join(', ')
  const system = quoted(['ann', 'd', at, at])
  const rows = [
    `insert into users (${columns}) values (${quoted(Object.values({ ...user, id: 'ann' }))})`,
    `insert into tasks (owner, id, created_at, updated_at, name, is_active, category, goal_hours, total_time, today_time, color, body)
      values (${system}, 'x', true, '', 8, 0, 0, '', ',"$id":"d","n":"é"}')`,
    `insert into timer_sessions (owner, id, created_at, updated_at, task_id, is_running, is_paused, pause_duration_seconds, body)
      values (${system}, 't', false, false, 0, ',"$id":"d","n":"éx"}')`,
    `insert into time_entries (owner, id, created_at, updated_at, task_id, start_time, end_time, entry_type, duration_seconds, body)
      values (${system}, 't', '${at}', '${at}', 'timer', 0, ',"$id":"d","n":"éxy"}')`,
  ]
  const file = sqliteFile(place.url)
  const { name } = template.db.dialect
  const before = [tables, newestFirst, orderOfCreation].flatMap((migration) => migration[name])
  if (file !== null) {
    const connection = new SqliteConnection(file)
    for (const line of [...before, ...rows]) connection.exec(line)
    connection.pragma('user_version = 3')
    connection.close()
    return
  }
  const client = new Client({ connectionString: place.url })
  await client.connect()
  for (const line of [...before, ...rows]) await client.query(line)
  await client.query('create table stint_schema (version integer not null)')
  await client.query('insert into stint_schema values (3)')
  await client.end()
}

async function fill(user: TestUser): Promise<void> {
  for (const documentId of ['a', 'b']) {
    const data = { userId: user.id, name: 'x' }
    expect((await user.call('POST', TASKS, { documentId, data })).status).toBe(201)
  }
}

function quoted(values: readonly unknown[]): string {
  return values.map((each) => (typeof each === 'string' ? `'${each}'` : String(each))).join(', ')
}

function documentsOf(collection: string): string {
  return `/databases/stint/collections/${collection}/documents`
}
