import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Database } from '#db/database.ts'
import { openTestDatabase } from '#db/test-databases.ts'
import { createTestApp } from '#test-app.ts'
import type { TestApp, TestUser } from '#test-app.ts'
import { documentLister } from './list.ts'
import { parseQueries } from './query.ts'

const TASKS = '/databases/stint/collections/tasks/documents'
let db: Database
let server: TestApp
let ann: TestUser
let bob: TestUser

beforeEach(async () => {
  db = await openTestDatabase()
  server = await createTestApp({ db })
  ann = await server.signedInUser('Ann')
  bob = await server.signedInUser('Bob')
})
afterEach(async () => {
  await server.close()
  await db.close()
})

test('those who ask at the same time are told the same, and each person their own', async () => {
  await create(ann, 'a')
  await create(bob, 'b')
  let reads = 0
  const lister = documentLister({ ...db, read: (query) => (reads++, db.read(query)) })
  const ask = ({ id }: TestUser) => lister.list(id, 'tasks', parseQueries('tasks', []), true)
  const [bobs, ...anns] = await Promise.all([bob, ...Array<TestUser>(20).fill(ann)].map(ask))
  const told = [bobs, ...new Set(anns)].map((json) => JSON.parse(json ?? '').documents)
  expect(told).toMatchObject([[{ name: 'Task b' }], [{ name: 'Task a' }]])
  // Alone with its file, it answers the first before anybody else can ask, and remembers that.
  expect(db.isAlone ? 2 : reads).toBe(2)
  lister.stop()
})

test('different questions at the same time get different answers', async () => {
  await create(ann, 'a')
  await create(ann, 'b')
  const one = encodeURIComponent('{"method":"limit","values":[1]}')
  const [all, limited, uncounted] = await Promise.all([
    ann.call('GET', TASKS),
    ann.call('GET', `${TASKS}?queries[0]=${one}`),
    ann.call('GET', `${TASKS}?total=false`),
  ])
  expect(all.body).toMatchObject({ total: 2, documents: [{ name: 'Task a' }, { name: 'Task b' }] })
  expect(limited.body).toMatchObject({ total: 2, documents: [{ name: 'Task a' }] })
  expect(uncounted.body).toMatchObject({
    total: 0,
    documents: [{ name: 'Task a' }, { name: 'Task b' }],
  })
})

test('whoever asks after a change was answered hears of it, whatever else is being asked', async () => {
  const asking: Promise<string[]>[] = []
  for (let count = 1; count <= 30; count++) {
    asking.push(names(ann))
    await create(ann, String(count).padStart(2, '0'))
    expect(await names(ann)).toHaveLength(Math.min(count, 25))
  }
  await Promise.all(asking)
})

test('a question that fails fails for all who ask it, and for nobody after them', async () => {
  const cursor = encodeURIComponent('{"method":"cursorAfter","values":["a"]}')
  const ask = () => ann.call('GET', `${TASKS}?queries[0]=${cursor}`)
  const replies = await Promise.all([ask(), ask(), ask()])
  expect(replies.map(({ body }) => body.type)).toEqual(
    Array<string>(3).fill('general_cursor_not_found'),
  )
  await create(ann, 'a')
  expect((await ask()).status).toBe(200)
})

// SQLite's statements are in a cache of bounded size; PostgreSQL's stay as long as their connection.
test.skipIf(process.env['TEST_DATABASE'] !== 'postgres')(
  'ever new lists do not fill the connections with statements',
  async () => {
    const methods = ['lessThan', 'lessThanEqual', 'greaterThan', 'greaterThanEqual', 'notEqual']
    for (let shape = 0; shape < 400; shape++) {
      const queries = Array.from({ length: 8 }, (_, place) => {
        const method = methods[Math.floor(shape / methods.length ** (place % 4)) % methods.length]
        const query = JSON.stringify({ method, attribute: 'totalTime', values: [1] })
        return `queries[${place}]=${encodeURIComponent(query)}`
      })
      expect((await ann.call('GET', `${TASKS}?${queries.join('&')}`)).status).toBe(200)
    }
    const size = sql<{ size: number }>`select sum(length(statement)) as size
      from pg_prepared_statements where statement like '%string_agg%'`
    const [kept] = await db.read(size.compile(db.build))
    expect(Number(kept?.size)).toBeGreaterThan(10_000)
    expect(Number(kept?.size)).toBeLessThan(110_000)
  },
)

async function create(person: TestUser, name: string): Promise<void> {
  const reply = await person.call('POST', TASKS, {
    documentId: name,
    data: { userId: person.id, name: `Task ${name}` },
  })
  expect(reply.status).toBe(201)
}

async function names(person: TestUser): Promise<string[]> {
  const { body } = await person.call('GET', TASKS)
  return body.documents.map(({ name }: { name: string }) => name.slice(5))
}
