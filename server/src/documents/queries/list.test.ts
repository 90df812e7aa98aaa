import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Database } from '#storage/database.ts'
import { serverForFile, userForEach } from '@stint/testing/server-tests.ts'
import type { TestUser } from '@stint/testing/test-app.ts'
import { documentBody } from '../document.ts'
import { withDefaults } from '../structure.ts'
import { documentLister } from './list.ts'
import { parseQueries } from './parse.ts'

const TASKS = '/databases/stint/collections/tasks/documents'
const ENTRIES = '/databases/stint/collections/time_entries/documents'
const server = serverForFile()
const ann = userForEach(server)

test('simultaneous lists with different queries get their own results', async () => {
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

test('the total is the same whatever part of the list a page has', async () => {
  for (const name of ['a', 'b', 'c', 'd', 'e']) await create(ann, name)
  for (const [queries, length] of [
    [[], 5],
    [[limit(2)], 2],
    [[limit(5)], 5],
    [[limit(6)], 5],
    [[limit(2), offset(3)], 2],
    [[limit(2), offset(4)], 1],
    [[limit(2), offset(5)], 0],
    [[limit(2), offset(100)], 0],
    [[limit(2), after('b')], 2],
    [[limit(9), after('b')], 3],
    [[limit(9), after('e')], 0],
  ] as const) {
    const search = queries.map((query, index) => `queries[${index}]=${encodeURIComponent(query)}`)
    const { body } = await ann.call('GET', `${TASKS}?${search.join('&')}`)
    expect([queries, body.total, body.documents.length]).toEqual([queries, 5, length])
  }
})

test('a total is at most 5000, even if the page shows that there are more', async () => {
  await fill(server.db, ann, 5003, 10)
  for (const [start, length] of [
    [0, 25],
    [4990, 13],
    [5000, 3],
  ] as const) {
    const { body } = await ann.call(
      'GET',
      `${ENTRIES}?queries[0]=${encodeURIComponent(offset(start))}`,
    )
    expect([start, body.total, body.documents.length]).toEqual([start, 5000, length])
  }
})

test('a list that is requested after a change was acknowledged contains it, whatever else is running', async () => {
  const asking: Promise<string[]>[] = []
  for (let count = 1; count <= 30; count++) {
    asking.push(names(ann))
    await create(ann, String(count).padStart(2, '0'))
    expect(await names(ann)).toHaveLength(Math.min(count, 25))
  }
  await Promise.all(asking)
})

test('a page that would fill the memory is refused, and a smaller one is returned', async () => {
  await fill(server.db, ann, 300, 60_000)
  const { status, body } = await ann.call('GET', entriesUpTo(300))
  expect({ status, type: body.type }).toEqual({ status: 400, type: 'general_query_invalid' })
  expect(body.message).toMatch(
    /^Invalid query: Invalid limit: the page takes \d+ bytes of at most 16777216$/,
  )
  expect((await ann.call('GET', entriesUpTo(200))).body.documents).toHaveLength(200)
  expect((await ann.call('GET', entriesUpTo(100))).body.documents).toHaveLength(100)
})

test('a list that may read all of a long history is a slow read with the same result', async () => {
  await fill(server.db, ann, 10_001, 10)
  let slow = 0
  const list = documentLister({
    ...server.db,
    readSlowly: (owner, query) => (slow++, server.db.readSlowly(owner, query)),
  })
  const total = async (...queries: string[]) => {
    const page = await list(ann.id, 'time_entries', parseQueries('time_entries', queries), true)
    page.release()
    return page.total
  }
  const newest = '{"method":"orderDesc","attribute":"$createdAt"}'
  expect(await total(newest)).toBe(5000)
  expect(await total(newest, '{"method":"equal","attribute":"taskId","values":["t"]}')).toBe(5000)
  expect(slow).toBe(0)
  expect(await total('{"method":"lessThan","attribute":"durationSeconds","values":[0]}')).toBe(0)
  expect(await total()).toBe(5000)
  expect(slow).toBe(2)
})

// SQLite's statements are in a cache of bounded size; PostgreSQL's last as long as their
// connection.
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
    // Each connection has statements of its own. On a busy machine more than one was used.
    const sizes = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const [kept] = await server.db.read(size.compile(server.db.build))
        return Number(kept?.size)
      }),
    )
    expect(Math.max(...sizes)).toBeGreaterThan(10_000)
    expect(Math.max(...sizes)).toBeLessThan(110_000)
  },
)

function limit(count: number): string {
  return `{"method":"limit","values":[${count}]}`
}

function offset(count: number): string {
  return `{"method":"offset","values":[${count}]}`
}

function after(id: string): string {
  return `{"method":"cursorAfter","values":["${id}"]}`
}

/** Returns the path of a page with the newest entries of this length. */
function entriesUpTo(limit: number): string {
  return `${ENTRIES}?queries[0]=${encodeURIComponent(`{"method":"limit","values":[${limit}]}`)}`
}

/** Inserts so many entries with `pauses` of this length directly into the database. */
async function fill(into: Database, { id: owner }: TestUser, entries: number, length: number) {
  const at = '2026-01-01T00:00:00.000+00:00'
  const attributes = withDefaults('time_entries', {
    userId: owner,
    taskId: 't',
    startTime: at,
    endTime: at,
    durationSeconds: 0,
    pauses: 'x'.repeat(length),
  })
  const document = { createdAt: at, updatedAt: at, permissions: [], attributes }
  const rows = Array.from({ length: entries }, (_, index) => ({
    owner,
    id: `e${index}`,
    created_at: at,
    updated_at: at,
    body: documentBody('time_entries', { id: `e${index}`, ...document }),
    task_id: 't',
    start_time: at,
    end_time: at,
    entry_type: 'timer',
    duration_seconds: 0,
  }))
  for (let start = 0; start < rows.length; start += 500) {
    await into.write((tx) =>
      tx.run(into.build.insertInto('time_entries').values(rows.slice(start, start + 500))),
    )
  }
}

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
