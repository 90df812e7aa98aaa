import { afterEach, beforeAll, expect, test } from 'vitest'
import { serverForFile, userForEach } from '@stint/testing/server-tests.ts'
import { createTestApp } from '@stint/testing/test-app.ts'
import type { TestApp, TestUser } from '@stint/testing/test-app.ts'
import { testSockets } from '@stint/testing/test-sockets.ts'

const TASKS = '/databases/stint/collections/tasks/documents'
const SESSIONS = '/databases/stint/collections/timer_sessions/documents'
const CHANNEL = 'databases.stint.collections.tasks.documents'
const DAY = 86_400_000
const server = serverForFile()
const ann = userForEach(server)
const sockets = testSockets()

beforeAll(() => server.app.listen({ host: '127.0.0.1', port: 0 }))
afterEach(() => sockets.closeAll())

test('a signed-in user is greeted with the account, and a guest without one', async () => {
  expect(await (await connect(ann)).next()).toMatchObject({
    type: 'connected',
    data: { channels: [], subscriptions: [], user: { $id: ann.id } },
  })
  expect(await (await connect(null)).next()).toMatchObject({ data: { user: null } })
})

test('the owner receives every event of a document, from create to delete', async () => {
  const socket = await subscribed(ann, [CHANNEL])
  await create('t1')
  const event = await socket.next()
  expect(event).toMatchObject({
    type: 'event',
    data: {
      timestamp: '2026-01-15T12:00:00.000+00:00',
      payload: { $id: 't1', name: 'Write' },
      subscriptions: ['s1'],
    },
  })
  expect(event.data.events[0]).toBe(`${CHANNEL}.t1.create`)
  expect(event.data.channels).toEqual(
    ['documents', CHANNEL, `${CHANNEL}.t1`]
      .flatMap((each) => [each])
      .concat(['documents.create', `${CHANNEL}.create`, `${CHANNEL}.t1.create`]),
  )
  await ann.call('PATCH', `${TASKS}/t1`, { data: { name: 'Read' } })
  expect(await socket.next()).toMatchObject({ data: { payload: { name: 'Read' } } })
  // A change without effect is no event; the next event is the deletion.
  await ann.call('PATCH', `${TASKS}/t1`, { data: { name: 'Read' } })
  await ann.call('DELETE', `${TASKS}/t1`, {})
  expect((await socket.next()).data.events[0]).toBe(`${CHANNEL}.t1.delete`)
})

test('nobody else receives an event, whatever they subscribe to', async () => {
  const bob = await server.signedInUser()
  const channels = ['documents', CHANNEL, `${CHANNEL}.t1`, 'account', `account.${ann.id}`, '*']
  const [bobs, guests] = [await subscribed(bob, channels), await subscribed(null, channels)]
  await create('t1')
  await bob.call('POST', TASKS, { documentId: 'b1', data: { name: 'Bob’s', userId: bob.id } })
  // The first event is Bob's own: Ann's event was not sent to him.
  expect(await bobs.next()).toMatchObject({ data: { payload: { $id: 'b1' } } })
  guests.send({ type: 'ping' })
  expect(await guests.next()).toEqual({ type: 'pong' })
})

test('a client subscribes to one action, with conditions, under its own id, and replaces the subscription', async () => {
  const socket = await subscribed(
    ann,
    [`${CHANNEL}.create`],
    ['{"method":"equal","attribute":"name","values":["Wanted"]}'],
  )
  await create('t1', 'Other')
  await create('t2', 'Wanted')
  await ann.call('PATCH', `${TASKS}/t2`, { data: { isActive: false } })
  expect(await socket.next()).toMatchObject({ data: { payload: { $id: 't2', isActive: true } } })
  socket.send({ type: 'subscribe', data: [{ subscriptionId: 's1', channels: ['documents'] }] })
  expect(await socket.next()).toMatchObject({
    type: 'response',
    data: { to: 'subscribe', success: true, subscriptions: [{ subscriptionId: 's1' }] },
  })
  await create('t3')
  expect(await socket.next()).toMatchObject({ data: { subscriptions: ['s1'] } })
  const gone = { type: 'unsubscribe', data: [{ subscriptionId: 's1' }] }
  socket.send(gone)
  expect((await socket.next()).data.subscriptions).toEqual([
    { subscriptionId: 's1', removed: true },
  ])
  socket.send(gone)
  expect((await socket.next()).data.subscriptions).toEqual([
    { subscriptionId: 's1', removed: false },
  ])
})

test('an unsubscribe with one bad entry is refused as a whole, and the socket stays open and subscribed', async () => {
  const socket = await subscribed(ann, ['documents'])
  for (const bad of [{}, { subscriptionId: '' }, { subscriptionId: 1 }, null, 's1']) {
    socket.send({ type: 'unsubscribe', data: [{ subscriptionId: 's1' }, bad] })
    expect(await socket.next()).toEqual({
      type: 'error',
      data: {
        code: 1003,
        message: 'Each unsubscribe payload must include a non-empty subscriptionId.',
      },
    })
  }
  await create('t1')
  expect(await socket.next()).toMatchObject({ data: { subscriptions: ['s1'] } })
  socket.send({ type: 'unsubscribe', data: [{ subscriptionId: 's1' }, { subscriptionId: 's2' }] })
  expect((await socket.next()).data.subscriptions).toEqual([
    { subscriptionId: 's1', removed: true },
    { subscriptionId: 's2', removed: false },
  ])
})

test('a session that is sent as a message applies to the subscription right after it', async () => {
  const socket = await connect(null)
  await socket.next()
  socket.send({ type: 'authentication', data: { session: ann.cookies.get('a_session_stint') } })
  socket.send({ type: 'subscribe', data: [{ subscriptionId: 's1', channels: ['account'] }] })
  expect(await socket.next()).toMatchObject({
    data: { to: 'authentication', success: true, user: { $id: ann.id } },
  })
  expect((await socket.next()).data.subscriptions[0].channels).toEqual([
    'account',
    `account.${ann.id}`,
  ])
})

test.each([
  ['{"broken', 1003, 'Message format is not valid.'],
  ['{}', 1003, 'Message format is not valid.'],
  ['[]', 1003, 'Message format is not valid.'],
  ['"text"', 1003, 'Message format is not valid.'],
  ['{"data":[]}', 1003, 'Message type is not valid.'],
  ['{"type":"presence"}', 1003, 'Message type is not valid.'],
  ['{"type":"authentication"}', 1003, 'Payload is not valid. Session is required'],
  ['{"type":"authentication","data":{"session":"x"}}', 1003, 'Session is not valid.'],
  ['{"type":"subscribe","data":{}}', 1003, 'Payload is not valid.'],
  ['{"type":"subscribe","data":[1]}', 1003, 'Each subscribe payload must be an object.'],
  ['{"type":"subscribe","data":[{}]}', 1003, 'channels is not present in payload.'],
  ['{"type":"subscribe","data":[{"channels":"a"}]}', 1003, 'channels is not a valid array.'],
  [
    '{"type":"subscribe","data":[{"channels":[],"queries":{}}]}',
    1003,
    'queries is not a valid array.',
  ],
  ['{"type":"unsubscribe"}', 1003, 'Payload is not valid.'],
  [
    '{"type":"subscribe","data":[{"channels":["a"],"queries":["{\\"method\\":\\"regex\\",\\"attribute\\":\\"a\\"}"]}]}',
    1003,
    "Invalid query: Query method 'regex' is not supported in Realtime queries. Allowed query methods are: equal, notEqual, lessThan, lessThanEqual, greaterThan, greaterThanEqual, isNull, isNotNull, and, or, select",
  ],
  [
    '{"type":"subscribe","data":[{"channels":["a"],"queries":["{\\"method\\":\\"select\\",\\"values\\":[\\"name\\"]}"]}]}',
    1003,
    'Invalid query: Only select("*") is allowed in Realtime queries. select("*") means "listen to all events".',
  ],
])('a socket answers %s with an error and stays open', async (text, code, message) => {
  const socket = await connect(ann)
  await socket.next()
  socket.raw(text)
  expect(await socket.next()).toEqual({ type: 'error', data: { code, message } })
  socket.send({ type: 'ping' })
  expect(await socket.next()).toEqual({ type: 'pong' })
})

test.each([
  ['an unknown project', { query: 'project=other' }, 'Missing or unknown project ID'],
  [
    'a foreign page',
    { origin: 'https://evil.example.com' },
    'Invalid Origin. Register your new client (evil.example.com) as a new Web platform on your project console dashboard',
  ],
  [
    'a page that DNS leads to us',
    { origin: 'http://evil.example.com', host: 'evil.example.com' },
    'Invalid Origin. Register your new client (evil.example.com) as a new Web platform on your project console dashboard',
  ],
  [
    'a page of ours by another scheme',
    { origin: 'https://localhost:3000' },
    'Invalid Origin. Register your new client (localhost) as a new Web platform on your project console dashboard',
  ],
])('a socket of %s is refused', async (_, options, message) => {
  const socket = await connect(ann, options)
  expect((await socket.next()).data).toEqual({ code: 1008, message })
  expect(await socket.closed).toBe(1008)
})

test('the sockets of a session that is ended are closed, and no others', async () => {
  const phone = server.newBrowser()
  await phone.call('POST', '/account/sessions/email', ann)
  const phones = await subscribed(phone, ['documents'])
  const laptops = await subscribed(ann, ['documents'])
  await phone.call('DELETE', '/account/sessions/current')
  expect(await phones.closed).toBe(4401)
  await create('t1')
  expect(await laptops.next()).toMatchObject({ data: { payload: { $id: 't1' } } })
  await ann.call('DELETE', '/account/sessions')
  expect(await laptops.closed).toBe(4401)
})

test('the sockets of the oldest session are closed at once when an eleventh begins', async () => {
  const oldest = await subscribed(ann, ['documents'])
  server.clock.advance(1000)
  for (let count = 0; count < 10; count++) {
    await server.newBrowser().call('POST', '/account/sessions/email', ann)
  }
  expect(await oldest.closed).toBe(4401)
})

test('the sockets of a session that expires are closed within a second', async () => {
  const socket = await subscribed(ann, ['documents'])
  server.clock.advance(29 * DAY)
  await ann.call('GET', '/account')
  // The session was used in the meantime, so it goes on, though the socket was not told.
  server.clock.advance(29 * DAY)
  await create('t1')
  expect(await socket.next()).toMatchObject({ data: { payload: { $id: 't1' } } })
  server.clock.advance(31 * DAY)
  expect(await socket.closed).toBe(4401)
})

test('a client that sends too many messages, or one that is too large, is disconnected', async () => {
  const flooder = await connect(ann)
  await flooder.next()
  for (let count = 0; count < 200; count++) flooder.send({ type: 'ping' })
  expect(await flooder.closed).toBe(1008)
  const giant = await connect(ann)
  await giant.next()
  giant.raw('x'.repeat(70_000))
  expect(await giant.closed).toBe(1009)
})

test('a client that does not read is disconnected, and others still receive events', async () => {
  const deaf = await subscribed(ann, ['documents'])
  const attentive = await subscribed(ann, ['documents'])
  deaf.stopReading()
  const data = { taskId: 't', userId: ann.id, pauses: '' }
  await ann.call('POST', SESSIONS, { documentId: 's1', data })
  expect(await attentive.next()).toMatchObject({ data: { payload: { $id: 's1' } } })
  // More than the buffers of the system and of the server.
  for (let count = 0; count < 400; count++) {
    const pauses = String(count).padEnd(50_000, 'x')
    await ann.call('PATCH', `${SESSIONS}/s1`, { data: { pauses } })
    expect((await attentive.next()).data.payload.pauses).toBe(pauses)
  }
  deaf.readOn()
  expect(await deaf.closed).toBe(1006)
})

test('an address may connect 128 times a minute', async () => {
  const strict = await listening(true)
  const first = await Promise.all(Array.from({ length: 128 }, () => connect(null, {}, strict)))
  for (const socket of first) expect((await socket.next()).type).toBe('connected')
  const refused = await connect(null, {}, strict)
  expect(await refused.next()).toEqual({
    type: 'error',
    data: { code: 1013, message: 'Too many requests' },
  })
  expect(await refused.closed).toBe(1013)
  strict.clock.advance(60_000)
  expect((await (await connect(null, {}, strict)).next()).type).toBe('connected')
  await strict.close()
})

test('every socket is closed with 1012 when the server stops, so that clients connect again', async () => {
  const stopping = await listening()
  const socket = await sockets.subscribed(stopping, await stopping.signedInUser(), ['documents'])
  await stopping.close()
  expect(await socket.closed).toBe(1012)
})

async function listening(rateLimits = false): Promise<TestApp> {
  const started = await createTestApp({ config: { rateLimits } })
  await started.app.listen({ host: '127.0.0.1', port: 0 })
  return started
}

function create(id: string, name = 'Write') {
  return ann.call('POST', TASKS, { documentId: id, data: { name, userId: ann.id } })
}

function connect(
  browser: Pick<TestUser, 'cookies'> | null,
  options: { query?: string; origin?: string } = {},
  to = server,
) {
  return sockets.connect(to, browser, options)
}

function subscribed(
  browser: Pick<TestUser, 'cookies'> | null,
  channels: string[],
  queries: string[] = [],
) {
  return sockets.subscribed(server, browser, channels, queries)
}
