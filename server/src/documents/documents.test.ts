import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { serverForFile, userForEach } from '@stint/testing/server-tests.ts'
import type { Reply } from '@stint/testing/test-app.ts'

const TASKS = '/databases/stint/collections/tasks/documents'
const SESSIONS = '/databases/stint/collections/timer_sessions/documents'
const ENTRIES = '/databases/stint/collections/time_entries/documents'
const TOGETHER = '/stint/collections/tasks/documents'
const server = serverForFile()
const ann = userForEach(server)

describe('create', () => {
  test('a new task has the defaults of its attributes and three permissions of its owner', async () => {
    const reply = await create(TASKS, 't1', { name: 'Write' })
    expect(reply).toMatchObject({
      status: 201,
      body: {
        $id: 't1',
        $sequence: expect.stringMatching(/^\d+$/),
        $createdAt: '2026-01-15T12:00:00.000+00:00',
        $updatedAt: '2026-01-15T12:00:00.000+00:00',
        $permissions: ['read', 'update', 'delete'].map((each) => `${each}("user:${ann.id}")`),
        $databaseId: 'stint',
        $collectionId: 'tasks',
        name: 'Write',
        userId: ann.id,
        isActive: true,
        category: 'Development',
        goalHours: 8,
        totalTime: 0,
        todayTime: 0,
        color: 'bg-blue-500',
      },
    })
    expect((await ann.call('GET', `${TASKS}/t1`)).body).toEqual(reply.body)
    expect((await ann.call('GET', TASKS)).body).toEqual({ total: 1, documents: [reply.body] })
  })

  test('unique() gets an id from the server, and an id that exists gets 409', async () => {
    const { body } = await create(TASKS, 'unique()', { name: 'Write' })
    expect(body.$id).toMatch(/^[0-9a-f]{20}$/)
    expect(await create(TASKS, body.$id, { name: 'Write' })).toMatchObject(
      failure(409, 'document_already_exists'),
    )
  })

  test('dates are returned in UTC with milliseconds', async () => {
    const { body } = await create(SESSIONS, 's1', {
      taskId: 't1',
      startTime: '2026-01-15 13:00:00+02:00',
    })
    expect(body).toMatchObject({
      startTime: '2026-01-15T11:00:00.000+00:00',
      endTime: null,
      pauses: null,
      pauseDurationSeconds: 0,
    })
  })

  test('system fields in the data are left out silently', async () => {
    const { body } = await create(TASKS, 't1', {
      name: 'Write',
      $id: 'other',
      $createdAt: '2001-01-01T00:00:00Z',
      $sequence: '999999',
      $permissions: ['read("any")'],
    })
    expect(body).toMatchObject({ $id: 't1', $createdAt: /^2026/ })
    expect(body.$sequence).not.toBe('999999')
    expect(body.$permissions).toHaveLength(3)
  })

  test('unusual text is returned as it was sent', async () => {
    const name = ' 👩‍💻 <script>alert(1)</script> "q" \\ \u202e ẞ '
    expect((await create(TASKS, 't1', { name })).body.name).toBe(name)
  })

  // The texts of refusals are in `refusals.test.ts`.
  test.each<[string, object, string?]>([
    ['an unusual blank as name', { name: ' \t\u00a0 ' }],
    ['256 characters', { name: 'x'.repeat(256) }],
    ['a NUL', { name: 'a\u0000b' }],
    ['half a surrogate pair', { name: 'a\ud800b' }],
    ['text as number', { name: 'x', totalTime: '1' }],
    ['a number too large', { name: 'x', totalTime: 2 ** 53 }],
    ['an object', { name: { $gt: '' } }],
    ['a list', { name: ['x'] }],
    ['1 as boolean', { name: 'x', isActive: 1 }],
    ['the key constructor', { name: 'x', constructor: 1 }],
    ['a time before 2000', { taskId: 't1', startTime: '1999-12-31T00:00:00Z' }, SESSIONS],
    ['a pause of more than a year', { taskId: 't1', pauseDurationSeconds: 31_536_001 }, SESSIONS],
  ])('a document with %s is refused', async (_, data, path = TASKS) => {
    const reply = await create(path, 'd1', { ...data })
    expect(reply).toMatchObject(failure(400, 'document_invalid_structure'))
    expect((await ann.call('GET', path)).body.total).toBe(0)
  })

  test.each([
    [
      '{"method":"arrayAppend","values":["a"]}',
      "Cannot apply arrayAppend operator to non-array field 'note'",
    ],
    [' { "values": [], "method": "toggle" }', "Cannot apply toggle operator to field 'note'"],
    [
      '{"method":"stringConcat","attribute":"","values":["x"]}',
      "Cannot apply stringConcat operator to field 'note'",
    ],
  ])('the operator %s is refused and not stored as text', async (note, message) => {
    await create(ENTRIES, 'e1', ENTRY)
    const refusal = {
      ...failure(400, 'document_invalid_structure'),
      body: { message: `Invalid document structure: ${message}` },
    }
    expect(await create(ENTRIES, 'e2', { ...ENTRY, note })).toMatchObject(refusal)
    const path = `${ENTRIES}/e1`
    expect(await ann.call('PATCH', path, { data: { note } })).toMatchObject(refusal)
    const data = { ...ENTRY, userId: ann.id, note }
    expect(await ann.call('PUT', path, { data })).toMatchObject(refusal)
    const number = '{"method":"increment","values":[1]}'
    expect(await ann.call('PATCH', path, { data: { durationSeconds: number } })).toMatchObject(
      failure(400, 'document_invalid_structure'),
    )
    expect((await ann.call('GET', path)).body.note).toBe(null)
  })

  test.each([
    '{"method":"dance","values":[]}',
    '{"method":"toggle","why":"notes hold any text"}',
    '{"method":"toggle","values":"x"}',
    '{"method": toggle}',
    '[{"method":"toggle"}]',
    'toggle',
  ])('the note %s is no operator and is stored', async (note) => {
    expect(await create(ENTRIES, 'e1', { ...ENTRY, note })).toMatchObject({
      status: 201,
      body: { note },
    })
  })

  test('Infinity, which JSON can encode as 1e999, is refused', async () => {
    const json = `{"documentId":"t1","data":{"name":"x","goalHours":1e999,"userId":"${ann.id}"}}`
    expect(await ann.call('POST', TASKS, json)).toMatchObject(
      failure(400, 'document_invalid_structure'),
    )
  })

  test('a start five minutes ahead is accepted because clocks differ', async () => {
    const data = { taskId: 't1', startTime: '2026-01-15T12:05:00Z' }
    expect((await create(SESSIONS, 's1', data)).status).toBe(201)
  })

  test('the duration of an entry may exceed its span by one second of rounding', async () => {
    const span = { startTime: '2026-01-15T11:00:00Z', endTime: '2026-01-15T11:00:10Z' }
    const entry = (seconds: number) =>
      create(ENTRIES, `e${seconds}`, { taskId: 't1', ...span, durationSeconds: seconds })
    expect((await entry(11)).status).toBe(201)
    expect(await entry(12)).toMatchObject(failure(400, 'document_invalid_structure'))
  })

  test.each([['text'], ['[]'], ['null'], [[1]], [1], [true]])(
    '%j is refused as data in Appwrite’s words',
    async (data) => {
      expect(await ann.call('POST', TASKS, { documentId: 't1', data })).toMatchObject({
        ...failure(400, 'general_argument_invalid'),
        body: { message: 'Invalid `data` param: Value must be a valid JSON object' },
      })
    },
  )

  test('creating a document without an id or data is refused', async () => {
    expect(await ann.call('POST', TASKS, {})).toMatchObject(failure(400, 'document_missing_data'))
    expect(await ann.call('POST', TASKS, { documentId: 't1', data: {} })).toMatchObject(
      failure(400, 'document_missing_data'),
    )
    expect(await ann.call('POST', TASKS, { data: { name: 'x' } })).toMatchObject(
      failure(400, 'document_missing_data'),
    )
    expect(
      await ann.call('POST', TASKS, { documentId: '../x', data: { name: 'x' } }),
    ).toMatchObject(failure(400, 'general_argument_invalid'))
  })

  test('another database and another collection are not found', async () => {
    const body = { documentId: 'x', data: { name: 'x' } }
    for (const [path, type] of [
      ['/databases/other/collections/tasks/documents', 'database_not_found'],
      ['/databases/stint/collections/users/documents', 'collection_not_found'],
      ['/databases/stint/collections/__proto__/documents', 'collection_not_found'],
    ] as const) {
      expect(await ann.call('POST', path, body)).toMatchObject(failure(404, type))
      expect(await ann.call('GET', path)).toMatchObject(failure(404, type))
    }
  })
})

describe('permissions', () => {
  test('the permission write stands for update and delete, for the owner only', async () => {
    const permissions = [`write("user:${ann.id}")`, `read("user:${ann.id}")`]
    const reply = await ann.call('POST', TASKS, {
      documentId: 't1',
      data: { name: 'x', userId: ann.id },
      permissions,
    })
    expect(reply.body.$permissions).toEqual(
      ['update', 'delete', 'read'].map((each) => `${each}("user:${ann.id}")`),
    )
  })

  test.each(['read("any")', 'write("users")', 'update("user:other")', 'read("team:t/owner")'])(
    'sharing by %s is refused',
    async (permission) => {
      const body = {
        documentId: 't1',
        data: { name: 'x', userId: ann.id },
        permissions: [permission],
      }
      expect(await ann.call('POST', TASKS, body)).toMatchObject(failure(401, 'user_unauthorized'))
      await create(TASKS, 't1', { name: 'x' })
      expect(await ann.call('PATCH', `${TASKS}/t1`, { permissions: [permission] })).toMatchObject(
        failure(401, 'user_unauthorized'),
      )
    },
  )

  test('every spelling of the owner’s full permissions is accepted', async () => {
    const [read, write, update, remove] = ['read', 'write', 'update', 'delete'].map(
      (action) => `${action}("user:${ann.id}")`,
    )
    const spellings = [
      [remove, read, update],
      [write, read],
      [read, read, write, update],
    ]
    for (const [index, permissions] of spellings.entries()) {
      const data = { name: 'x', userId: ann.id }
      const body = { documentId: `t${index}`, data, permissions }
      expect((await ann.call('POST', TASKS, body)).status).toBe(201)
      expect((await ann.call('PATCH', `${TASKS}/t0`, { permissions })).status).toBe(200)
    }
  })

  test('permissions that give the owner less are refused by every write', async () => {
    await create(TASKS, 't1', { name: 'x' })
    const own = (action: string) => `${action}("user:${ann.id}")`
    const refusal = failure(400, 'general_argument_invalid')
    for (const permissions of [[], [own('read')], [own('write')], [own('read'), own('update')]]) {
      const body = { data: { name: 'y', userId: ann.id }, permissions }
      const replies = [
        await ann.call('POST', TASKS, { documentId: 't2', ...body }),
        await ann.call('PATCH', `${TASKS}/t1`, body),
        await ann.call('PUT', `${TASKS}/t1`, body),
        await ann.call('PUT', `${TASKS}/t2`, body),
        await ann.call('PUT', TOGETHER, { documents: [{ documentId: 't1', ...body }] }),
        await ann.call('PUT', TOGETHER, { documents: [{ documentId: 't2', ...body }] }),
      ]
      for (const reply of replies) {
        expect(reply).toMatchObject(refusal)
        expect(reply.body.message).toContain("A document is its owner's alone.")
      }
    }
    const { body } = await ann.call('GET', TASKS)
    expect(body.documents).toMatchObject([{ $id: 't1', name: 'x' }])
  })

  test('a list of permissions that an earlier version stored is read and kept', async () => {
    await create(TASKS, 't1', { name: 'x' })
    const { db } = server
    await db.write((tx) =>
      tx.run(
        sql`update tasks set body = replace(body, ${`"update(\\"user:${ann.id}\\")",`}, '')`.compile(
          db.build,
        ),
      ),
    )
    const few = ['read', 'delete'].map((action) => `${action}("user:${ann.id}")`)
    expect((await ann.call('GET', `${TASKS}/t1`)).body.$permissions).toEqual(few)
    const changed = await ann.call('PATCH', `${TASKS}/t1`, { data: { name: 'y' } })
    expect(changed).toMatchObject({ status: 200, body: { name: 'y', $permissions: few } })
  })

  test.each([['create("any")'], ['read(any)'], [7], Array(101).fill('read("any")')])(
    'refuses the malformed list %j',
    async (...permissions) => {
      const body = { documentId: 't1', data: { name: 'x', userId: ann.id }, permissions }
      expect(await ann.call('POST', TASKS, body)).toMatchObject(
        failure(400, 'general_argument_invalid'),
      )
    },
  )

  test('a document with another user’s id is refused', async () => {
    const bob = await server.signedInUser()
    const data = { name: 'x', userId: bob.id }
    expect(await ann.call('POST', TASKS, { documentId: 't1', data })).toMatchObject(
      failure(401, 'user_unauthorized'),
    )
    await create(TASKS, 't1', { name: 'x' })
    expect(await ann.call('PATCH', `${TASKS}/t1`, { data })).toMatchObject(
      failure(401, 'user_unauthorized'),
    )
  })
})

describe('update', () => {
  beforeEach(() => create(TASKS, 't1', { name: 'Write' }))

  test('an update changes the sent attributes only', async () => {
    server.clock.advance(1000)
    const { status, body } = await ann.call('PATCH', `${TASKS}/t1`, { data: { isActive: false } })
    expect({ status, ...body }).toMatchObject({
      status: 200,
      name: 'Write',
      isActive: false,
      $createdAt: '2026-01-15T12:00:00.000+00:00',
      $updatedAt: '2026-01-15T12:00:01.000+00:00',
    })
  })

  test('an update that changes nothing writes nothing', async () => {
    server.clock.advance(1000)
    const { body } = await ann.call('PATCH', `${TASKS}/t1`, { data: { name: 'Write' } })
    expect(body.$updatedAt).toBe('2026-01-15T12:00:00.000+00:00')
  })

  test('each change has a later time than the one before, even if the clock is set back', async () => {
    server.clock.advance(-5000)
    const { body } = await ann.call('PATCH', `${TASKS}/t1`, { data: { name: 'Read' } })
    expect(body.$updatedAt).toBe('2026-01-15T12:00:00.001+00:00')
  })

  test('an update of a document that changed since the client read it is refused', async () => {
    server.clock.advance(1000)
    await ann.call('PATCH', `${TASKS}/t1`, { data: { name: 'Read' } })
    const since = { 'x-appwrite-timestamp': '2026-01-15T12:00:00Z' }
    const late = await ann.call('PATCH', `${TASKS}/t1`, { data: { name: 'Sleep' } }, since)
    expect(late).toMatchObject(failure(409, 'document_update_conflict'))
    expect(await ann.call('DELETE', `${TASKS}/t1`, {}, since)).toMatchObject(
      failure(409, 'document_update_conflict'),
    )
    expect((await ann.call('GET', `${TASKS}/t1`)).body.name).toBe('Read')
  })

  test('an invalid X-Appwrite-Timestamp is refused', async () => {
    const since = { 'x-appwrite-timestamp': 'yesterday' }
    expect(await ann.call('PATCH', `${TASKS}/t1`, { data: { name: 'Read' } }, since)).toMatchObject(
      {
        status: 400,
        body: {
          type: 'general_argument_invalid',
          message: 'Invalid X-Appwrite-Timestamp header value.',
        },
      },
    )
  })

  test('an update without data, with invalid data or of a missing document is refused', async () => {
    expect(await ann.call('PATCH', `${TASKS}/t1`, {})).toMatchObject(
      failure(400, 'document_missing_payload'),
    )
    expect(await ann.call('PATCH', `${TASKS}/nope`, { data: { name: 'x' } })).toMatchObject(
      failure(404, 'document_not_found'),
    )
    expect(await ann.call('PATCH', `${TASKS}/t1`, { data: { name: '  ' } })).toMatchObject(
      failure(400, 'document_invalid_structure'),
    )
  })

  test('PUT creates, then changes a document, and requires the required attributes both times', async () => {
    const put = (data: object) => ann.call('PUT', `${TASKS}/t2`, { data })
    expect(await put({ name: 'New', userId: ann.id })).toMatchObject({
      status: 200,
      body: { $id: 't2' },
    })
    expect(await put({ name: 'Newer', userId: ann.id, isActive: false })).toMatchObject({
      status: 200,
      body: { name: 'Newer', isActive: false },
    })
    expect(await put({ isActive: true })).toMatchObject(failure(400, 'document_invalid_structure'))
  })

  test('DELETE removes a document once', async () => {
    expect((await ann.call('DELETE', `${TASKS}/t1`, {})).status).toBe(204)
    expect(await ann.call('DELETE', `${TASKS}/t1`, {})).toMatchObject(
      failure(404, 'document_not_found'),
    )
    expect(await ann.call('GET', `${TASKS}/t1`)).toMatchObject(failure(404, 'document_not_found'))
  })
})

describe('increment and decrement', () => {
  beforeEach(() => create(TASKS, 't1', { name: 'Write', totalTime: 5 }))

  test('increment and decrement add and subtract within bounds', async () => {
    expect((await change('totalTime/increment')).body.totalTime).toBe(6)
    expect((await change('totalTime/increment', { value: 4, max: 10 })).body.totalTime).toBe(10)
    expect(await change('totalTime/increment', { max: 10 })).toMatchObject(
      failure(400, 'attribute_limit_exceeded'),
    )
    expect((await change('totalTime/decrement', { value: 10, min: 0 })).body.totalTime).toBe(0)
    expect(await change('totalTime/decrement')).toMatchObject(
      failure(400, 'attribute_limit_exceeded'),
    )
  })

  test('no increment is lost when a hundred arrive at once', async () => {
    await Promise.all(Array.from({ length: 100 }, () => change('totalTime/increment')))
    expect((await ann.call('GET', `${TASKS}/t1`)).body.totalTime).toBe(105)
  })

  test('increment and decrement refuse invalid amounts and attributes', async () => {
    expect(await change('totalTime/increment', { value: 0 })).toMatchObject(
      failure(400, 'general_argument_invalid'),
    )
    expect(await change('totalTime/increment', { value: '1' })).toMatchObject(
      failure(400, 'general_argument_invalid'),
    )
    expect(await change('totalTime/increment', { value: 1.5 })).toMatchObject(
      failure(400, 'attribute_type_invalid'),
    )
    expect(await change('name/increment')).toMatchObject(failure(400, 'attribute_type_invalid'))
    expect(await change('nope/increment')).toMatchObject(failure(404, 'attribute_not_found'))
    expect(await ann.call('PATCH', `${TASKS}/nope/totalTime/increment`, {})).toMatchObject(
      failure(404, 'document_not_found'),
    )
  })
})

describe('timer sessions', () => {
  const START = {
    taskId: 't1',
    startTime: '2026-01-15T11:00:00Z',
    isRunning: true,
    isPaused: false,
  }

  test('one timer session is active at a time, and a second start is refused', async () => {
    expect((await create(SESSIONS, 's1', START)).status).toBe(201)
    expect(await create(SESSIONS, 's2', START)).toMatchObject(
      failure(409, 'document_already_exists'),
    )
    const bob = await server.signedInUser()
    const data = { ...START, userId: bob.id }
    expect((await bob.call('POST', SESSIONS, { documentId: 's1', data })).status).toBe(201)
  })

  test('a paused session is active, and a stopped one is not', async () => {
    await create(SESSIONS, 's1', START)
    await ann.call('PATCH', `${SESSIONS}/s1`, { data: { isRunning: false, isPaused: true } })
    expect(await create(SESSIONS, 's2', START)).toMatchObject(
      failure(409, 'document_already_exists'),
    )
    const stop = { isRunning: false, isPaused: false, endTime: '2026-01-15T11:30:00Z' }
    await ann.call('PATCH', `${SESSIONS}/s1`, { data: stop })
    expect((await create(SESSIONS, 's2', START)).status).toBe(201)
    // An old session cannot be started again beside it.
    await create(SESSIONS, 's3', { ...START, isRunning: false })
    expect(await ann.call('PATCH', `${SESSIONS}/s3`, { data: { isRunning: true } })).toMatchObject(
      failure(409, 'document_already_exists'),
    )
  })

  test('when sixteen devices start a session at once, one succeeds', async () => {
    const replies = await Promise.all(
      Array.from({ length: 16 }, (_, index) => create(SESSIONS, `s${index}`, START)),
    )
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201,
      ...Array(15).fill(409),
    ])
  })

  test('a stopped session accepts the same stop again, more in its log, and no other change', async () => {
    await create(SESSIONS, 's1', START)
    const stop = { isRunning: false, isPaused: false, endTime: '2026-01-15T11:30:00Z' }
    expect((await ann.call('PATCH', `${SESSIONS}/s1`, { data: stop })).status).toBe(200)
    expect((await ann.call('PATCH', `${SESSIONS}/s1`, { data: stop })).status).toBe(200)
    const log = '[1,1768478400000,["a"],[[0,1,0,0,0,0,"pause"]]]'
    const { body } = await ann.call('PATCH', `${SESSIONS}/s1`, { data: { ...stop, log } })
    expect(body.log).toBe(log)
    for (const data of [
      { isRunning: true },
      { endTime: null },
      { endTime: '2026-01-15T11:45:00Z' },
      { pauseDurationSeconds: 5 },
    ]) {
      expect(await ann.call('PATCH', `${SESSIONS}/s1`, { data })).toMatchObject(
        failure(409, 'document_update_conflict'),
      )
    }
    expect(
      await ann.call('PATCH', `${SESSIONS}/s1/pauseDurationSeconds/increment`, {}),
    ).toMatchObject(failure(409, 'document_update_conflict'))
    expect((await ann.call('DELETE', `${SESSIONS}/s1`, {})).status).toBe(204)
  })

  test('the start of a running session may be changed', async () => {
    await create(SESSIONS, 's1', START)
    const data = { startTime: '2026-01-15T10:45:00Z' }
    expect((await ann.call('PATCH', `${SESSIONS}/s1`, { data })).body.startTime).toBe(
      '2026-01-15T10:45:00.000+00:00',
    )
  })
})

describe('other people', () => {
  test('other users cannot count or page by Ann’s documents, and can use the same ids', async () => {
    const bob = await server.signedInUser()
    await create(TASKS, 't1', { name: 'Ann’s' })
    const missing = await bob.call('GET', `${TASKS}/nope`)
    const hers = await bob.call('GET', `${TASKS}/t1`)
    expect(hers.status).toBe(404)
    expect(hers.body.message).toBe(missing.body.message.replace('nope', 't1'))

    const escape = JSON.stringify({
      method: 'or',
      values: [
        { method: 'equal', attribute: 'userId', values: [ann.id] },
        { method: 'isNotNull', attribute: '$id' },
      ],
    })
    expect(
      (await bob.call('GET', `${TASKS}?queries[0]=${encodeURIComponent(escape)}`)).body,
    ).toEqual({
      total: 0,
      documents: [],
    })
    const cursor = encodeURIComponent('{"method":"cursorAfter","values":["t1"]}')
    expect(await bob.call('GET', `${TASKS}?queries[0]=${cursor}`)).toMatchObject(
      failure(400, 'general_cursor_not_found'),
    )

    const put = await bob.call('PUT', `${TASKS}/t1`, { data: { name: 'Bob’s', userId: bob.id } })
    expect(put.body.name).toBe('Bob’s')
    expect((await ann.call('GET', `${TASKS}/t1`)).body.name).toBe('Ann’s')
  })

  test('guests get 401 before anything else is checked', async () => {
    const guest = server.newBrowser()
    for (const [method, path] of [
      ['GET', TASKS],
      ['POST', TASKS],
      ['GET', `${TASKS}/t1`],
      ['PATCH', `${TASKS}/t1`],
      ['PUT', `${TASKS}/t1`],
      ['DELETE', `${TASKS}/t1`],
      ['PATCH', `${TASKS}/t1/totalTime/increment`],
      ['GET', '/databases/other/collections/x/documents'],
    ] as const) {
      const body = method === 'GET' ? undefined : '{"broken'
      expect(await guest.call(method, path, body)).toMatchObject(
        failure(401, 'general_unauthorized_scope'),
      )
    }
  })
})

const ENTRY = {
  taskId: 't1',
  startTime: '2026-01-15T11:00:00Z',
  endTime: '2026-01-15T11:00:10Z',
  durationSeconds: 10,
}

function change(what: string, body: object = {}): Promise<Reply> {
  return ann.call('PATCH', `${TASKS}/t1/${what}`, body)
}

function create(path: string, documentId: string, data: Record<string, unknown>): Promise<Reply> {
  return ann.call('POST', path, { documentId, data: { userId: ann.id, ...data } })
}

function failure(status: number, type: string) {
  return { status, body: { code: status, type, version: '1.0.0' } }
}
