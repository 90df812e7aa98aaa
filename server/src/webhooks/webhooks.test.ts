import { createServer } from 'node:http'
import type { IncomingHttpHeaders, Server } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import type { Server as TcpServer } from 'node:net'
import { once } from 'node:events'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { openTestDatabase } from '@stint/testing/databases.ts'
import { startTestDns } from '@stint/testing/dns.ts'
import { createTestApp } from '@stint/testing/test-app.ts'
import type { Reply, TestApp, TestAppOptions, TestUser } from '@stint/testing/test-app.ts'
import * as users from '#accounts/users.ts'
import type { Database } from '#storage/database.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const USUAL = { config: { webhooksAllowPrivate: true } }

interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

let db: Database
let server: TestApp
let ann: TestUser
let receiver: Server
let received: Received[]
/** What the receiver answers but at `/well`; null: nothing, ever. */
let status: number | null
let url: string

// A server is for all tests; a person and a receiver for each. A test that restarts it otherwise leaves the next
// one to restart it as usual.
beforeAll(async () => {
  db = await openTestDatabase()
  server = await createTestApp({ db, ...USUAL })
})
beforeEach(async () => {
  received = []
  status = 204
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() })
      const answer = request.url === '/well' ? 204 : status
      if (answer !== null) response.writeHead(answer, { location: '/elsewhere' }).end()
    })
  })
  url = `http://127.0.0.1:${await portOf(receiver)}/hook`
  await db.write((tx) => tx.run(tx.build.deleteFrom('deliveries')))
  if (!server.config.webhooksAllowPrivate) await restart()
  server.clock.set(Date.now())
  ann = await server.signedInUser()
})
afterEach(() => {
  receiver.closeAllConnections()
  receiver.close()
})
afterAll(async () => {
  await server.close()
  await db.close()
})

/** Replaces the server by another one on its database, where Ann is still signed in. */
async function restart(options: TestAppOptions = USUAL, later = 0): Promise<void> {
  await server.close()
  server = await createTestApp({ db, now: server.clock.now() + later, ...options })
  ann = { ...ann, ...again(ann) }
}

test('a timer and its session are told, signed, in their order', async () => {
  const { secret } = await newWebhook()
  await create('tasks', 'write', { name: 'Write' })
  const start = wire(server.clock.now())
  await create('timer_sessions', 't', { taskId: 'write', startTime: start, note: 'first' })
  await change('timer_sessions', 't', { note: 'second' })
  await change('timer_sessions', 't', {
    isRunning: false,
    isPaused: true,
    currentPauseStart: start,
  })
  server.clock.advance(1000)
  await change('timer_sessions', 't', { isRunning: true, isPaused: false, currentPauseStart: null })
  const end = wire(server.clock.now())
  await change('timer_sessions', 't', { isRunning: false, endTime: end })
  const entry = { taskId: 'write', startTime: start, endTime: end, durationSeconds: 1 }
  await create('time_entries', 't', { ...entry, sessionId: 't' })
  await remove('timer_sessions', 't')
  server.clock.advance(1000)
  await change('time_entries', 't', { note: 'third' })
  await change('time_entries', 't', { deletedAt: end })
  await create('time_entries', 'm', { ...entry, entryType: 'manual' })
  await create('timer_sessions', 'u', { taskId: 'gone', startTime: end })
  await remove('timer_sessions', 'u')

  await vi.waitFor(() => expect(received).toHaveLength(9))
  const receiving = new Webhook(secret)
  // Throws for a wrong signature.
  for (const { body, headers } of received) receiving.verify(body, named(headers))
  const [first] = received
  expect(() => receiving.verify(`${first?.body} `, named(first?.headers ?? {}))).toThrow()
  const messages = received.map(({ body }) => JSON.parse(body))
  expect(messages.map(({ type }) => type)).toEqual([
    'timer.started',
    'timer.paused',
    'timer.resumed',
    'timer.stopped',
    'session.changed',
    'session.deleted',
    'session.created',
    'timer.started',
    'timer.discarded',
  ])
  const of = { id: 't', taskId: 'write', task: 'Write' }
  expect(messages[0]).toEqual({
    type: 'timer.started',
    timestamp: expect.any(String),
    data: { ...of, note: 'first', start },
  })
  const set = { note: 'third', billable: null, invoiced: null }
  expect(messages[4].data).toEqual({ ...of, ...set, start, end, seconds: 1 })
  expect(messages[7].data).toMatchObject({ taskId: 'gone', task: null })
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(9)
})

test('a stop that was undone is told again when its session is saved anew', async () => {
  await newWebhook()
  const start = wire(server.clock.now())
  server.clock.advance(1000)
  const end = wire(server.clock.now())
  const entry = { taskId: 'write', startTime: start, endTime: end, durationSeconds: 1 }
  await create('timer_sessions', 't', { taskId: 'write', startTime: start })
  await change('timer_sessions', 't', { isRunning: false, endTime: end })
  await create('time_entries', 't', { ...entry, sessionId: 't' })
  await remove('timer_sessions', 't')
  server.clock.advance(1000)
  await create('timer_sessions', 't', { taskId: 'write', startTime: start })
  await change('time_entries', 't', { deletedAt: end })
  await change('timer_sessions', 't', { isRunning: false, endTime: end })
  await change('time_entries', 't', { deletedAt: null })
  await remove('timer_sessions', 't')
  server.clock.advance(1000)
  await change('time_entries', 't', { note: 'later' })
  await vi.waitFor(() => expect(received).toHaveLength(6))
  expect(received.map(({ body }) => JSON.parse(body).type)).toEqual([
    'timer.started',
    'timer.stopped',
    'timer.started',
    'session.deleted',
    'timer.stopped',
    'session.changed',
  ])
})

test('a change of a log alone is told to nobody', async () => {
  await newWebhook()
  const start = wire(server.clock.now())
  server.clock.advance(1000)
  const end = wire(server.clock.now())
  const entry = { taskId: 'write', startTime: start, endTime: end, durationSeconds: 1 }
  await create('time_entries', 't', entry)
  server.clock.advance(1000)
  await change('time_entries', 't', { log: 'of a later version' })
  const bulk = { documentId: 't', data: { ...entry, userId: ann.id, log: null } }
  const path = '/stint/collections/time_entries/documents'
  expect((await ann.call('PUT', path, { documents: [bulk] })).status).toBe(200)
  await change('time_entries', 't', { log: 'of a later version', note: 'more' })
  await vi.waitFor(() => expect(received).toHaveLength(2))
  const messages = received.map(({ body }) => JSON.parse(body))
  expect(messages.map(({ type }) => type)).toEqual(['timer.stopped', 'session.changed'])
  expect(messages[1].data.note).toBe('more')
})

test('a message that fails is repeated with longer and longer waits, five times', async () => {
  status = 500
  const { path } = await newWebhook()
  await ann.call('POST', `${path}/test`, {})
  const waits = [30_000, 5 * MINUTE, 30 * MINUTE, 2 * HOUR]
  for (const [index, wait] of waits.entries()) {
    const nextTryAt = wire(server.clock.now() + wait)
    const tried = { status: 'waiting', tries: index + 1, answer: 'HTTP 500', nextTryAt }
    await expectLog(path, [tried])
    server.clock.advance(wait)
  }
  await expectLog(path, [{ status: 'failed', tries: 5, answer: 'HTTP 500', nextTryAt: null }])
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  expect(received).toHaveLength(5)
})

test('what waits is sent after a restart', async () => {
  status = 503
  const { path } = await newWebhook()
  await ann.call('POST', `${path}/test`, {})
  await expectLog(path, [{ status: 'waiting', tries: 1, answer: 'HTTP 503' }])
  status = 204
  await restart(USUAL, 30_000)
  await expectLog(path, [{ status: 'delivered', tries: 2, answer: 'HTTP 204' }])
  expect(received).toHaveLength(2)
})

test('a receiver that never answers delays nobody, and is tried again after a restart', async () => {
  status = null
  const { path } = await newWebhook()
  await ann.call('POST', `${path}/test`, {})
  await vi.waitFor(() => expect(received).toHaveLength(1))
  await create('tasks', 'write', { name: 'Write' })
  await create('timer_sessions', 't', { taskId: 'write' })
  status = 204
  // The claim of the server that stopped has ended.
  await restart(USUAL, 10 * MINUTE)
  await vi.waitFor(() => expect(received).toHaveLength(3))
  const ids = received.map(({ headers }) => headers['webhook-id'])
  expect(ids.filter((id) => id === ids[0])).toHaveLength(2)
})

test('two processes send each message once', async () => {
  const { path } = await newWebhook()
  const other = await createTestApp({ db, now: server.clock.now(), ...USUAL })
  for (let count = 0; count < 20; count++) {
    const user = { ...ann, ...again(ann, count % 2 === 0 ? server : other) }
    expect((await user.call('POST', `${path}/test`, {})).status).toBe(204)
  }
  await vi.waitFor(async () => {
    const { deliveries } = (await ann.call('GET', path)).body
    expect(deliveries.every((each: { status: string }) => each.status === 'delivered')).toBe(true)
    expect(deliveries).toHaveLength(20)
  })
  await other.close()
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(20)
  expect(received).toHaveLength(20)
})

test('a redirect is not followed', async () => {
  status = 302
  const { path } = await newWebhook()
  await ann.call('POST', `${path}/test`, {})
  await expectLog(path, [{ status: 'waiting', tries: 1, answer: 'HTTP 302' }])
  expect(received).toHaveLength(1)
})

test('a webhook waits with a hundred messages at most', async () => {
  status = null
  await newWebhook()
  await addSessions(150)
  await vi.waitFor(async () => expect(await waiting()).toBe(100))
  await create('tasks', 'write', { name: 'Write' })
  await create('timer_sessions', 't', { taskId: 'write' })
  expect((await ann.call('GET', '/account')).status).toBe(200)
  expect(await waiting()).toBe(100)
})

test.each([
  'http://127.0.0.1:1/',
  'https://127.0.0.1/',
  'https://localhost/',
  'https://[fe80::1]/',
])('the address %s is refused unless the operator allows it', async (address) => {
  await restart({})
  const key = await ann.call('POST', '/stint/keys', { name: 'Hook', access: 'read' })
  const path = `/stint/keys/${key.body.id}/webhook`
  const refused = await ann.call('PUT', path, { url: address })
  expect(refused).toMatchObject({ status: 400, body: { type: 'general_argument_invalid' } })
  expect(refused.body.message).toContain('https address on the public internet')
  expect((await ann.call('GET', path)).body).toEqual({ url: null, deliveries: [] })
})

test('a third name at once is refused, and another person’s is checked', async () => {
  const dns = await startTestDns((name) =>
    name === 'hook.example' ? { 4: [[127, 0, 0, 1]] } : null,
  )
  await restart({ nameServers: [dns.address] })
  const bob = await server.signedInUser()
  const paths = await Promise.all([1, 2, 3].map(() => newKeyPath()))
  const bobs = await newKeyPath(bob)
  const [first = '', second = '', third = ''] = paths
  const hanging = [first, second].map((path, index) =>
    ann.call('PUT', path, { url: `https://${index}.silent.example/` }),
  )
  await vi.waitFor(() => expect(new Set(dns.queries.map(({ name }) => name)).size).toBe(2))
  const refused = await ann.call('PUT', third, { url: 'https://3.silent.example/' })
  expect(refused).toMatchObject({ status: 429, body: { type: 'general_rate_limit_exceeded' } })
  expect(refused.headers.get('retry-after')).toBe('5')
  expect(await bob.call('PUT', bobs, { url: 'https://hook.example/' })).toMatchObject({
    status: 400,
    body: { type: 'general_argument_invalid' },
  })
  for (const reply of await Promise.all(hanging)) expect(reply.status).toBe(400)
  await dns.close()
})

test('a message goes to the address that DNS names, if it may', async () => {
  const dns = await startTestDns((name) =>
    name === 'hook.example' ? { 4: [[127, 0, 0, 1]] } : null,
  )
  const nameServers = [dns.address]
  await restart({ ...USUAL, nameServers })
  const { path } = await newWebhook(url.replace('127.0.0.1', 'hook.example'))
  await ann.call('POST', `${path}/test`, {})
  await expectLog(path, [{ status: 'delivered', answer: 'HTTP 204' }])
  const silent = await newWebhook('https://silent.example/')
  await ann.call('POST', `${silent.path}/test`, {})
  await expectLog(silent.path, [{ status: 'waiting', tries: 1, answer: 'ETIMEOUT' }])
  await restart({ nameServers })
  await ann.call('POST', `${path}/test`, {})
  const refused = { status: 'waiting', tries: 1, answer: 'private address' }
  await expectLog(path, [refused, { status: 'delivered' }])
  expect(received).toHaveLength(1)
  await dns.close()
})

test.each(['127.0.0.1', 'localhost'])(
  'nothing is sent to %s once the operator does not allow it any more',
  async (host) => {
    const { path } = await newWebhook(url.replace('127.0.0.1', host))
    await restart({})
    await ann.call('POST', `${path}/test`, {})
    await expectLog(path, [{ status: 'waiting', tries: 1, answer: 'private address' }])
    expect(received).toEqual([])
  },
)

test('only its owner’s changes are told, and none after it was removed or its key revoked', async () => {
  const { path, keyId } = await newWebhook()
  const other = await newWebhook()
  const bob = await server.signedInUser()
  await create('tasks', 'write', { name: 'Write' }, bob)
  await create('timer_sessions', 't', { taskId: 'write' }, bob)
  expect((await ann.call('DELETE', path)).status).toBe(204)
  expect((await ann.call('DELETE', other.path.replace('/webhook', ''))).status).toBe(204)
  await create('timer_sessions', 't', { taskId: 'write' })
  const last = await newWebhook()
  await ann.call('POST', `${last.path}/test`, {})
  await vi.waitFor(() => expect(received).toHaveLength(1))
  expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({ type: 'webhook.test' })
  expect((await ann.call('GET', `/stint/keys/${keyId}/webhook`)).body.url).toBe(null)
  const webhooks = db.build.selectFrom('webhooks').select('key_id')
  const rows = await db.read(webhooks.where('user_id', '=', ann.id))
  expect(rows).toEqual([{ key_id: last.keyId }])
})

test('a receiver that changes the protocol has failed, and the server still stops', async () => {
  const strange = createTcpServer((socket) => {
    socket.on('error', () => {})
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n')
  })
  const { path } = await newWebhook(`http://127.0.0.1:${await portOf(strange)}/`)
  await ann.call('POST', `${path}/test`, {})
  await expectLog(path, [{ status: 'waiting', tries: 1, answer: 'no connection' }])
  strange.close()
  await restart()
  expect(received).toEqual([])
})

test('nothing that was queued is sent after the key was revoked', async () => {
  status = null
  const { path } = await newWebhook()
  await addSessions(3)
  await vi.waitFor(() => expect(received).toHaveLength(1))
  expect((await ann.call('DELETE', path.replace('/webhook', ''))).status).toBe(204)
  status = 204
  // Ends the call in progress, after which the next of the claimed messages would be sent.
  receiver.closeAllConnections()
  const last = await newWebhook()
  await ann.call('POST', `${last.path}/test`, {})
  await expectLog(last.path, [{ status: 'delivered' }])
  expect(received).toHaveLength(2)
})

test('receivers that never answer delay the webhooks of their owner alone', async () => {
  status = null
  for (let count = 0; count < 20; count++) await newWebhook()
  await addSessions(10)
  await vi.waitFor(() => expect(received.length).toBeGreaterThan(0))
  const bob = await server.signedInUser()
  const { path } = await newWebhook(url.replace('/hook', '/well'), bob)
  await bob.call('POST', `${path}/test`, {})
  await expectLog(path, [{ status: 'delivered' }], bob)
})

test('seven people whose receivers never answer delay no other person', async () => {
  // No call ends by its time limit.
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(neverAborted)
  status = null
  for (let person = 0; person < 7; person++) {
    const silent = await server.signedInUser()
    for (let count = 0; count < 3; count++) {
      const { path } = await newWebhook(url, silent)
      for (let message = 0; message < 3; message++) await silent.call('POST', `${path}/test`, {})
    }
  }
  await vi.waitFor(() => expect(received).toHaveLength(20))
  for (const user of [await server.signedInUser(), await server.signedInUser()]) {
    const { path } = await newWebhook(url.replace('/hook', '/well'), user)
    await user.call('POST', `${path}/test`, {})
    await expectLog(path, [{ status: 'delivered' }], user)
  }
  // All calls to the silent ones are still underway, and nothing is claimed that is not sent.
  expect(received).toHaveLength(22)
  const claimed = db.build.selectFrom('deliveries').select('status').where('tries', '>', 0)
  const statuses = (await db.read(claimed)).map(({ status: each }) => each)
  expect(Object.groupBy(statuses, String)).toMatchObject({
    waiting: { length: 20 },
    delivered: { length: 2 },
  })
  timeout.mockRestore()
})

test('nothing is sent for a blocked account until it is unblocked', async () => {
  status = 500
  const { path } = await newWebhook()
  await ann.call('POST', `${path}/test`, {})
  await expectLog(path, [{ status: 'waiting', tries: 1, answer: 'HTTP 500' }])
  await db.write((tx) => users.change(tx, ann.id, { active: false }, server.clock.now()))
  status = 204
  server.clock.advance(30_000)
  const bob = await server.signedInUser()
  const other = await newWebhook(url, bob)
  await bob.call('POST', `${other.path}/test`, {})
  await expectLog(other.path, [{ status: 'delivered' }], bob)
  expect(received).toHaveLength(2)
  await db.write((tx) => users.change(tx, ann.id, { active: true }, server.clock.now()))
  await expectLog(path, [{ status: 'delivered', tries: 2 }])
})

function neverAborted(): AbortSignal {
  return new AbortController().signal
}

/** Returns the path of the webhook of a new key. */
async function newKeyPath(user: TestUser = ann): Promise<string> {
  const key = await user.call('POST', '/stint/keys', { name: 'Hook', access: 'read' })
  return `/stint/keys/${key.body.id}/webhook`
}

async function newWebhook(to = url, user: TestUser = ann) {
  const path = await newKeyPath(user)
  const { status: answered, body } = await user.call('PUT', path, { url: to })
  expect({ answered, body }).toMatchObject({ answered: 200, body: { url: to } })
  return { path, keyId: path.split('/')[3] ?? '', secret: String(body.secret) }
}

/** Waits for the log of a webhook. */
async function expectLog(path: string, log: object[], user: TestUser = ann): Promise<void> {
  await vi.waitFor(
    async () => expect((await user.call('GET', path)).body.deliveries).toMatchObject(log),
    15_000,
  )
}

/** Lets a server listen. */
async function portOf(listener: TcpServer): Promise<number | undefined> {
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  return typeof address === 'object' ? address?.port : undefined
}

async function waiting(): Promise<number> {
  const query = db.build.selectFrom('deliveries').select('id').where('next_try_at', 'is not', null)
  return (await db.read(query)).length
}

/** The browser of a person with the same cookies, at another server. */
function again(user: TestUser, at: TestApp = server) {
  const browser = at.newBrowser()
  for (const [name, value] of user.cookies) browser.cookies.set(name, value)
  return browser
}

function named(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}

async function create(
  collection: string,
  documentId: string,
  data: object,
  user: TestUser = ann,
): Promise<void> {
  const path = `/databases/stint/collections/${collection}/documents`
  const reply = await user.call('POST', path, { documentId, data: { ...data, userId: user.id } })
  expect(reply).toMatchObject({ status: 201 })
}

/** Adds sessions in one call. */
async function addSessions(count: number): Promise<void> {
  const documents = Array.from({ length: count }, (_, index) => ({
    documentId: `e${index}`,
    data: {
      taskId: 'x',
      userId: ann.id,
      startTime: wire(server.clock.now() - HOUR),
      endTime: wire(server.clock.now()),
      durationSeconds: 3600,
    },
    isNew: true,
  }))
  const path = '/stint/collections/time_entries/documents'
  expect((await ann.call('PUT', path, { documents })).status).toBe(200)
}

async function change(collection: string, id: string, data: object): Promise<void> {
  const reply: Reply = await ann.call('PATCH', documentPath(collection, id), { data })
  expect(reply).toMatchObject({ status: 200 })
}

async function remove(collection: string, id: string): Promise<void> {
  expect((await ann.call('DELETE', documentPath(collection, id))).status).toBe(204)
}

function documentPath(collection: string, id: string): string {
  return `/databases/stint/collections/${collection}/documents/${id}`
}

function wire(instant: number): string {
  return new Date(instant).toISOString()
}
