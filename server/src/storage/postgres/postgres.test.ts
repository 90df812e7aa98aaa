/** Several processes on one PostgreSQL, and the same replies from both databases. */
import * as fc from 'fast-check'
import { Client } from 'pg'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp } from '@stint/testing/test-app.ts'
import { MAX_TEST } from '@stint/testing/waits.ts'
import type { TestApp, TestUser } from '@stint/testing/test-app.ts'
import { testSockets } from '@stint/testing/test-sockets.ts'
import { documentStores } from '#documents/store.ts'
import type { Database } from '#storage/database.ts'
import { SCHEMA_VERSION } from '#storage/migrations.ts'
import { openDatabase } from '#storage/open.ts'
import { newTestPlace } from '@stint/testing/databases.ts'
import type { TestDatabasePlace } from '@stint/testing/databases.ts'

const SEQUENCES = Number(process.env['SEQUENCE_RUNS'] ?? 40)
const TASKS = '/databases/stint/collections/tasks/documents'
const SESSIONS = '/databases/stint/collections/timer_sessions/documents'

describe.runIf(process.env['TEST_DATABASE'] === 'postgres')('on PostgreSQL', () => {
  let place: TestDatabasePlace
  let servers: TestApp[]

  // Both start at once, on nothing. Each test has users of its own.
  beforeAll(async () => {
    place = await newTestPlace()
    servers = await Promise.all([1, 2].map(async () => createTestApp({ url: place.url })))
  })
  afterAll(async () => {
    for (const server of servers) await server.close()
    await place.remove()
  })

  test('two processes that start at once migrate once, and see the same data', async () => {
    const [one, two] = pair()
    const ann = await one.signedInUser()
    const elsewhere = sameBrowser(two, ann)
    await ann.call('POST', TASKS, { documentId: 't1', data: { name: 'x', userId: ann.id } })
    expect((await elsewhere.call('GET', `${TASKS}/t1`)).body.name).toBe('x')
  })

  test('a process of an older version can write without undoing a newer schema', async () => {
    const [{ db }] = pair()
    await db.write((tx) => tx.run(sql`update stint_schema set version = 99`.compile(db.build)))
    await db.check()
    const schema = sql<{ version: number }>`select version from stint_schema`
    expect(await db.read(schema.compile(db.build))).toEqual([{ version: 99 }])
    await expect(openDatabase(place.url)).rejects.toThrow('The database has schema 99')
    await db.write((tx) =>
      tx.run(sql.raw(`update stint_schema set version = ${SCHEMA_VERSION}`).compile(db.build)),
    )
  })

  test('a setting that can lose data is reported at the start', async () => {
    const url = new URL(place.url)
    url.searchParams.set('options', `${url.searchParams.get('options')} -c synchronous_commit=off`)
    const warnings: string[] = []
    const db = await openDatabase(url.href, { warn: (text) => void warnings.push(text) })
    await db.close()
    expect(warnings).toContain(
      'PostgreSQL runs with synchronous_commit=off: saved data may be lost in a crash.',
    )
  })

  test('events and ends of sessions reach the sockets of the other process', async () => {
    const [one, two] = pair()
    await two.app.listen({ host: '127.0.0.1', port: 0 })
    const ann = await one.signedInUser()
    const sockets = testSockets()
    const socket = await sockets.subscribed(two, ann, ['documents', 'account'])
    await ann.call('POST', TASKS, { documentId: 't1', data: { name: 'far', userId: ann.id } })
    // The notice of Ann's sign-in may arrive only now.
    let event = await socket.next()
    if (event.data.events.some((name: string) => name.includes('.sessions.'))) {
      event = await socket.next()
    }
    expect(event).toMatchObject({
      type: 'event',
      data: { payload: { $id: 't1', name: 'far' } },
    })
    // Longer than a notice can be: clients get the id and fetch the document.
    const long = { taskId: 't', userId: ann.id, pauses: 'x'.repeat(20_000) }
    await ann.call('POST', SESSIONS, { documentId: 's1', data: long })
    expect((await socket.next()).data.payload).toMatchObject({ $id: 's1' })
    await ann.call('PATCH', '/account/prefs', { prefs: { list: 'x'.repeat(20_000) } })
    expect((await socket.next()).data).toMatchObject({
      events: expect.arrayContaining([`users.${ann.id}.update.prefs`]),
      payload: { $id: ann.id },
    })
    await ann.call('DELETE', '/account/sessions')
    expect(await socket.closed).toBe(4401)
  })

  test('a hundred increments through two processes all count', async () => {
    const [one, two] = pair()
    const ann = await one.signedInUser()
    const browsers = [ann, sameBrowser(two, ann)]
    await ann.call('POST', TASKS, { documentId: 't1', data: { name: 'x', userId: ann.id } })
    await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        (browsers[index % 2] ?? ann).call('PATCH', `${TASKS}/t1/totalTime/increment`, {}),
      ),
    )
    expect((await ann.call('GET', `${TASKS}/t1`)).body.totalTime).toBe(100)
  })

  test('creates that arrive together are one batch, and each caller gets its own result', async () => {
    const [one, two] = pair()
    const ann = await one.signedInUser()
    const bob = await one.signedInUser()
    const again = sameBrowser(two, ann)
    const create = (user: TestUser, documentId: string, name: string) =>
      user.call('POST', TASKS, { documentId, data: { name, goalHours: 0.1, userId: user.id } })
    const replies = await Promise.all([
      create(ann, 'a', 'first'),
      create(ann, 'a', 'second'),
      create(bob, 'a', 'of Bob'),
      create(ann, 'b', 'B'),
      ...Array.from({ length: 150 }, (_, index) => create(ann, `n${index}`, `N${index}`)),
    ])
    const [first, second, ofBob, b] = replies.map(({ status }) => status)
    // Either of two requests for one id may be served first: one succeeds, the other gets 409.
    expect(new Set([first, second])).toEqual(new Set([201, 409]))
    expect([ofBob, b]).toEqual([201, 201])
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(153)
    const created = replies.filter(({ status }) => status === 201).map(({ body }) => body)
    expect(created.every(({ goalHours, isActive }) => goalHours === 0.1 && isActive)).toBe(true)
    const found = await Promise.all(
      ['a', 'b', 'c', 'n149'].map((id) => again.call('GET', `${TASKS}/${id}`)),
    )
    const kept = first === 201 ? 'first' : 'second'
    expect(found.map(({ body }) => body.name)).toEqual([kept, 'B', undefined, 'N149'])
    expect((await bob.call('GET', `${TASKS}/a`)).body.name).toBe('of Bob')
    const session = { taskId: 't', userId: ann.id }
    const starts = await Promise.all(
      ['s1', 's2', 's3'].map((documentId) =>
        ann.call('POST', SESSIONS, { documentId, data: session }),
      ),
    )
    expect(starts.map(({ status }) => status).filter((status) => status === 409)).toHaveLength(2)
  })

  test('a refused create of a batch does not fail the others', async () => {
    const [one] = pair()
    const ann = await one.signedInUser()
    const insert = taskInserter(one.db)
    const results = await Promise.allSettled([
      insert(ann.id, 'a'),
      insert('nobody', 'b'),
      insert(ann.id, 'c'),
    ])
    expect(results).toMatchObject([
      { status: 'fulfilled', value: { sequence: expect.any(Number) } },
      { status: 'rejected', reason: { name: 'UserGone' } },
      { status: 'fulfilled', value: { sequence: expect.any(Number) } },
    ])
    expect((await ann.call('GET', TASKS)).body.total).toBe(2)
  })

  test('a batch whose connection is lost fails as a whole and is not repeated', async () => {
    const [one] = pair()
    const { db } = one
    const ann = await one.signedInUser()
    // A sequence is not rolled back: it counts the attempted statements.
    for (const statement of [
      'create sequence tried',
      `create function cut_off() returns trigger language plpgsql as
        $$ begin perform nextval('tried'); perform pg_terminate_backend(pg_backend_pid()); return null; end $$`,
      'create trigger cut_off before insert on tasks execute function cut_off()',
    ]) {
      await db.write((tx) => tx.run(sql.raw(statement).compile(tx.build)))
    }
    const insert = taskInserter(db)
    const results = await Promise.allSettled(['a', 'b', 'c'].map((id) => insert(ann.id, id)))
    expect(results).toMatchObject(
      results.map(() => ({ status: 'rejected', reason: { name: 'DatabaseUnavailable' } })),
    )
    const tried = sql<{ last_value: number }>`select last_value from tried`.compile(db.build)
    expect(await db.read(tried)).toEqual([{ last_value: 1 }])
    expect((await ann.call('GET', TASKS)).body.total).toBe(0)
    const gone = sql.raw('drop function cut_off cascade')
    await db.write((tx) => tx.run(gone.compile(tx.build)))
  })

  test('guesses at a password are counted together across processes', async () => {
    const [one, two] = await Promise.all(
      [1, 2].map(async () => createTestApp({ url: place.url, config: { rateLimits: true } })),
    )
    if (one === undefined || two === undefined) throw new Error('Two servers are needed')
    const ann = await one.signedInUser()
    const guess = (server: TestApp, password: string) =>
      server.newBrowser().call('POST', '/account/sessions/email', { email: ann.email, password })
    for (let attempt = 0; attempt < 10; attempt++) {
      expect((await guess(attempt % 2 === 0 ? one : two, 'wrong horse 1')).status).toBe(401)
    }
    for (const server of [one, two]) {
      expect((await guess(server, ann.password)).status).toBe(429)
      await server.close()
    }
  })

  test('two transactions that wait for each other both succeed', async () => {
    const [{ db }] = pair()
    for (const bucket of ['a', 'b']) {
      await db.write((tx) =>
        tx.run(tx.build.insertInto('throttles').values({ bucket, resets_at: 0, hits: 0 })),
      )
    }
    // Each locks its first row, then waits for the other's: PostgreSQL must choose a victim.
    const met = Promise.withResolvers<void>()
    let tries = 0
    let waiting = 0
    const transfer = (from: string, to: string) =>
      db.write(async (tx) => {
        tries++
        await tx.run(increment(from))
        if (++waiting === 2) met.resolve()
        await met.promise
        await tx.run(increment(to))
      })
    await Promise.all([transfer('a', 'b'), transfer('b', 'a')])
    const both = db.build.selectFrom('throttles').select('hits').where('bucket', 'in', ['a', 'b'])
    const rows = await db.read(both)
    expect(rows).toEqual([{ hits: 2 }, { hits: 2 }])
    expect(tries).toBeGreaterThan(2)

    function increment(bucket: string) {
      return db.build
        .updateTable('throttles')
        .set((eb) => ({ hits: eb('hits', '+', 1) }))
        .where('bucket', '=', bucket)
    }
  })

  test('a locked row and an exhausted pool are answered with 503 and recover', async () => {
    const hasty = await createTestApp({ db: await openDatabase(place.url) })
    const ann = await hasty.signedInUser()
    await ann.call('POST', TASKS, { documentId: 't1', data: { name: 'x', userId: ann.id } })
    const holder = new Client({ connectionString: place.url })
    await holder.connect()
    await holder.query("begin; select * from tasks where id = 't1' for update")
    const replies = await Promise.all(
      Array.from({ length: 14 }, () =>
        ann.call('PATCH', `${TASKS}/t1`, { data: { name: 'changed' } }),
      ),
    )
    expect(replies.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual(
      replies.map(() => [503, '2']),
    )
    await holder.end()
    const reply = await ann.call('PATCH', `${TASKS}/t1`, { data: { name: 'changed' } })
    expect(reply).toMatchObject({ status: 200, body: { name: 'changed' } })
    await hasty.close()
    await hasty.db.close()
  })

  test(
    'SQLite and PostgreSQL give the same replies to any sequence of requests',
    { timeout: MAX_TEST + SEQUENCES * 200 },
    async () => {
      const kind = process.env['TEST_DATABASE']
      process.env['TEST_DATABASE'] = 'sqlite'
      const sqlite = await createTestApp()
      process.env['TEST_DATABASE'] = kind
      const [postgres] = pair()
      let runs = 0
      await fc.assert(
        fc.asyncProperty(fc.array(anyCall, { minLength: 5, maxLength: 30 }), async (calls) => {
          const name = `U${runs++}`
          const users = [await sqlite.signedInUser(name), await postgres.signedInUser(name)]
          const histories = await Promise.all(users.map((user) => history(user, calls)))
          expect(histories[1]).toEqual(histories[0])
        }),
        { numRuns: SEQUENCES },
      )
      await sqlite.close()
    },
  )

  function pair(): [TestApp, TestApp] {
    const [one, two] = servers
    if (one === undefined || two === undefined) throw new Error('Two servers are needed')
    return [one, two]
  }
})

/** Inserts tasks as the server does; calls of one turn of the event loop are a batch. */
function taskInserter(db: Database) {
  const { tasks } = documentStores(db)
  const createdAt = '2026-01-15T12:00:00.000+00:00'
  const attributes = {
    name: 'x',
    isActive: true,
    category: '',
    goalHours: 8,
    totalTime: 0,
    todayTime: 0,
    color: '',
  }
  return (owner: string, id: string) =>
    db.autocommit((statements) =>
      tasks.insert(statements, owner, {
        id,
        createdAt,
        updatedAt: createdAt,
        permissions: [],
        attributes: { ...attributes, userId: owner },
      }),
    )
}

/** Returns the same user's browser at another process. */
function sameBrowser(server: TestApp, user: TestUser) {
  const browser = server.newBrowser()
  for (const [name, value] of user.cookies) browser.cookies.set(name, value)
  return browser
}

interface Call {
  readonly method: string
  readonly path: string
  readonly data: Record<string, unknown>
}

/** Returns the replies, with variable parts (ids of users, sequences) made equal. */
async function history(user: TestUser, calls: readonly Call[]) {
  const replies = []
  for (const { method, path, data } of calls) {
    const id = path.split('/').at(-1)
    const body = method === 'POST' ? { documentId: data['$id'] ?? id } : {}
    const reply = await user.call(
      method,
      path,
      method === 'GET' ? undefined : { ...body, data: { ...data, userId: user.id } },
    )
    const text = JSON.stringify({ status: reply.status, body: reply.body })
    replies.push(text.replaceAll(user.id, 'ME').replace(/"\$sequence":"\d+"/g, ''))
  }
  return replies
}

const anyOf = <Value>(...values: readonly Value[]) => fc.constantFrom(...values)
const anyId = anyOf('a', 'b', 'c')
const anyTask = fc.record(
  {
    name: anyOf<unknown>('Write', 'ärgern', ' ', 7, 'x'.repeat(255)),
    isActive: anyOf<unknown>(true, false, null, 1),
    totalTime: anyOf<unknown>(0, 2_147_483_647, 2_147_483_648, 1.5, -1),
    goalHours: anyOf<unknown>(0.1, 1000, 8.25),
  },
  { requiredKeys: ['name'] },
)
const anySession = fc.record(
  {
    taskId: anyOf<unknown>('t1', 't2'),
    isRunning: fc.boolean(),
    isPaused: fc.boolean(),
    startTime: anyOf<unknown>('2026-01-15T11:00:00Z', '2026-01-15 13:30:00+02:00', null, 'x'),
    endTime: anyOf<unknown>('2026-01-15T11:30:00Z', null),
    pauseDurationSeconds: fc.integer({ min: -1, max: 100 }),
  },
  { requiredKeys: ['taskId'] },
)
const anyWrite = fc
  .tuple(anyOf('POST', 'PUT', 'PATCH', 'DELETE', 'GET'), anyId, fc.oneof(anyTask, anySession))
  .map(([method, id, data]): Call => {
    const place = 'name' in data ? TASKS : SESSIONS
    return method === 'POST'
      ? { method, path: place, data: { ...data, $id: id } }
      : { method, path: `${place}/${id}`, data }
  })
const anyList = anyOf(
  '{"method":"orderDesc","attribute":"startTime"}',
  '{"method":"orderAsc","attribute":"endTime"}',
  '{"method":"equal","attribute":"isRunning","values":[false]}',
  '{"method":"cursorAfter","values":["b"]}',
  '{"method":"contains","attribute":"taskId","values":["T1"]}',
).map((query): Call => ({
  method: 'GET',
  path: `${SESSIONS}?queries[0]=${encodeURIComponent(query)}`,
  data: {},
}))
const anyIncrement = fc.tuple(anyOf('increment', 'decrement'), anyId).map(([way, id]): Call => ({
  method: 'PATCH',
  path: `${TASKS}/${id}/totalTime/${way}`,
  data: {},
}))
const anyCall = fc.oneof(
  { weight: 6, arbitrary: anyWrite },
  { weight: 2, arbitrary: anyList },
  { weight: 1, arbitrary: anyIncrement },
)
