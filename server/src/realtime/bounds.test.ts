/** Sockets that exceed their share, with the limits of a default installation. */
import { connect } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createTestApp } from '@stint/testing/test-app.ts'
import type { TestApp, TestUser } from '@stint/testing/test-app.ts'
import { testSockets } from '@stint/testing/test-sockets.ts'
import type { TestSocket } from '@stint/testing/test-sockets.ts'

const TOO_LARGE = { code: 1013, message: 'Too many or too large subscriptions.' }
const sockets = testSockets()
let server: TestApp
let ann: TestUser

beforeAll(async () => {
  server = await createTestApp({ config: { rateLimits: true } })
  await server.app.listen({ host: '127.0.0.1', port: 0 })
})
// A server is for all tests; a person for each, in an hour whose limits nobody has used.
beforeEach(async () => {
  server.clock.advance(3_600_000)
  ann = await server.signedInUser()
})
afterEach(() => sockets.closeAll())
afterAll(() => server.close())

test('fifty guests who subscribe to 60 KB each are refused, and the owner still receives events', async () => {
  const laptop = await sockets.subscribed(server, ann, ['documents'])
  const guests = await Promise.all(many(50, () => greeted(null)))
  const queries = many(15, () => query('equal', 'x'.repeat(3900)))
  const channels = many(15, (index) => `${index}`.padEnd(3900, 'x'))
  for (const [index, guest] of guests.entries()) {
    for (let count = 0; count < 4; count++) {
      guest.send(subscribe(`q${count}`, ['documents'], queries))
      guest.send(subscribe(`c${count}`, index % 2 === 0 ? channels : channels.slice(0, 2)))
    }
  }
  for (const guest of guests) {
    for (let count = 0; count < 8; count++) {
      expect(await guest.next()).toMatchObject({ type: 'error' })
    }
    // A small subscription is accepted.
    guest.send(subscribe('small', ['documents', 'account']))
    expect(await guest.next()).toMatchObject({ data: { to: 'subscribe', success: true } })
  }
  await ann.call('POST', '/databases/stint/collections/tasks/documents', {
    documentId: 't1',
    data: { name: 'Write', userId: ann.id },
  })
  expect(await laptop.next()).toMatchObject({ data: { payload: { $id: 't1' } } })
})

test.each([
  [
    'queries of a guest',
    null,
    ['a'],
    [query('isNull')],
    'Invalid query: Guests cannot use queries. Sign in first.',
  ],
  [
    '101 values',
    'ann',
    ['a'],
    [query('equal', ...many(101, String))],
    'Invalid query: More than 100 values',
  ],
  [
    '101 values in parts',
    'ann',
    ['a'],
    [`{"method":"or","values":[${many(10, () => query('equal', ...many(10, String))).join()}]}`],
    'Invalid query: More than 100 values',
  ],
  ['a list as a value', 'ann', ['a'], [query('equal', ['x'])], 'Invalid query: Syntax error'],
  [
    'a query of 5000 characters',
    'ann',
    ['a'],
    [query('equal', 'x'.repeat(5000))],
    'queries is not a valid array.',
  ],
  ['101 channels', 'ann', many(101, String), [], 'channels is not a valid array.'],
  [
    'ten queries of 1000 characters',
    'ann',
    ['a'],
    many(10, () => query('equal', 'x'.repeat(1000))),
    'A subscription has too many or too long channels and queries.',
  ],
])('a socket refuses %s and stays open', async (_, who, channels, queries, message) => {
  const socket = await greeted(who === null ? null : ann)
  socket.send(subscribe('s1', channels, queries))
  expect(await socket.next()).toEqual({ type: 'error', data: { code: 1003, message } })
  socket.send({ type: 'ping' })
  expect(await socket.next()).toEqual({ type: 'pong' })
})

test('the subscriptions of a socket are bounded, and removing or replacing one makes room', async () => {
  const socket = await greeted(ann)
  const outcomes = []
  for (let count = 0; count < 5; count++) {
    socket.send(subscribe(`s${count}`, largeChannels()))
    outcomes.push((await socket.next()).type)
  }
  expect(outcomes).toEqual(['response', 'response', 'response', 'response', 'error'])
  socket.send(subscribe('s0', largeChannels()))
  expect(await socket.next()).toMatchObject({ type: 'response' })
  socket.send({ type: 'unsubscribe', data: [{ subscriptionId: 's1' }] })
  await socket.next()
  socket.send(subscribe('s4', largeChannels()))
  expect(await socket.next()).toMatchObject({ type: 'response' })
  // A message that exceeds the bounds has no effect.
  socket.send({
    type: 'subscribe',
    data: [
      { subscriptionId: 's9', channels: ['documents'] },
      { subscriptionId: 's10', channels: largeChannels() },
    ],
  })
  expect(await socket.next()).toEqual({ type: 'error', data: TOO_LARGE })
  socket.send({ type: 'unsubscribe', data: [{ subscriptionId: 's9' }] })
  expect((await socket.next()).data.subscriptions).toEqual([
    { subscriptionId: 's9', removed: false },
  ])
})

test('a user has at most 128 sockets, independently of other users', async () => {
  const bob = await server.signedInUser()
  await Promise.all(many(127, () => greeted(ann)))
  server.clock.advance(60_000)
  const last = await greeted(ann)
  const refused = await sockets.connect(server, ann)
  expect(await refused.next()).toEqual({
    type: 'error',
    data: { code: 1013, message: 'Too many connections.' },
  })
  expect(await refused.closed).toBe(1013)
  const guest = await greeted(null)
  guest.send({ type: 'authentication', data: { session: ann.cookies.get('a_session_stint') } })
  expect(await guest.next()).toMatchObject({ data: { message: 'Too many connections.' } })
  expect((await (await sockets.connect(server, bob)).next()).data.user.$id).toBe(bob.id)
  last.close()
  await last.closed
  expect((await (await sockets.connect(server, ann)).next()).data.user.$id).toBe(ann.id)
})

test('a client that continues to connect after refusals gets no socket at all', async () => {
  const foreign = { origin: 'https://evil.example.com' }
  for (let count = 0; count < 256; count += 64) {
    const refused = await Promise.all(many(64, () => sockets.connect(server, null, foreign)))
    for (const socket of refused) expect(await socket.closed).toBe(1008)
  }
  const { port } = new URL(server.app.listeningOrigin)
  const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/realtime?project=stint`)
  const status = await new Promise((done) => {
    socket.on('unexpected-response', (_request, response) => done(response.statusCode))
  })
  expect(status).toBe(429)
})

test('a client that does not confirm the closing of a refused socket is disconnected', async () => {
  const { host, port } = new URL(server.app.listeningOrigin)
  const client = connect(Number(port), '127.0.0.1')
  const closed = new Promise((done) => client.on('close', done))
  let received = ''
  client.on('data', (bytes) => void (received += String(bytes)))
  client.write(
    [
      'GET /v1/realtime?project=other HTTP/1.1',
      `Host: ${host}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      '\r\n',
    ].join('\r\n'),
  )
  await closed
  expect(received).toContain('Missing or unknown project ID')
})

test('a socket whose message arrives in a thousand parts is disconnected', async () => {
  const socket = new WebSocket(
    `${server.app.listeningOrigin.replace('http', 'ws')}/v1/realtime?project=stint`,
  )
  await new Promise((done) => socket.on('open', done))
  for (let part = 0; part < 1000; part++) socket.send('x', { fin: false })
  expect(await new Promise((done) => socket.on('close', done))).toBe(1008)
})

async function greeted(browser: TestUser | null): Promise<TestSocket> {
  const socket = await sockets.connect(server, browser)
  expect((await socket.next()).type).toBe('connected')
  return socket
}

/** Returns a socket of Ann's that uses nearly all of its bytes. */
/** Returns channels of nearly the size of the largest subscription. */
function largeChannels(): string[] {
  return ['x'.repeat(3900), 'y'.repeat(3900)]
}

function subscribe(
  subscriptionId: string,
  channels: readonly string[],
  queries: readonly string[] = [],
) {
  return { type: 'subscribe', data: [{ subscriptionId, channels, queries }] }
}

function query(method: string, ...values: unknown[]): string {
  return JSON.stringify({ method, attribute: 'name', values })
}

function many<Value>(count: number, make: (index: number) => Value): Value[] {
  return Array.from({ length: count }, (_, index) => make(index))
}
