import webPush from 'web-push'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { openTestDatabase } from '@stint/testing/databases.ts'
import { startPushService } from '@stint/testing/push-service.ts'
import type { PushService, TestSubscription } from '@stint/testing/push-service.ts'
import { createTestApp, TEST_PASSWORD } from '@stint/testing/test-app.ts'
import type { Program, TestApp, TestAppOptions, TestUser } from '@stint/testing/test-app.ts'
import type { Database } from '#storage/database.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const DAY = 24 * 60 * MINUTE
const USUAL = { config: { webhooksAllowPrivate: true } }

let db: Database
let server: TestApp
let service: PushService
let ann: TestUser
let program: Program

// A server is for all tests; a person and a push service for each.
beforeAll(async () => {
  db = await openTestDatabase()
  server = await createTestApp({ db, ...USUAL })
})
beforeEach(async () => {
  service = await startPushService()
  if (!server.config.webhooksAllowPrivate || !server.config.push.isOn) await restart()
  server.clock.set(Date.now())
  ann = await server.signedInUser()
  program = await server.program(ann)
})
afterEach(() => service.close())
afterAll(async () => {
  await server.close()
  await db.close()
})

/** Replaces the server by another one on its database, where Ann is still signed in. */
async function restart(options: TestAppOptions = USUAL, later = 0): Promise<void> {
  await server.close()
  server = await createTestApp({ db, now: server.clock.now() + later, ...options })
  if (ann) ann = { ...ann, ...again(ann) }
}

test('a device hears of each press, and gets no name', async () => {
  const device = await subscribed()
  const started = wire()
  await program('POST', '/start', { task: 'Secret plan' })
  const running = await message(0)
  expect(running).toEqual({
    state: 'running',
    session: expect.any(String),
    since: started,
    seconds: null,
    task: null,
    question: null,
    reminder: null,
    asOf: expect.any(String),
  })
  server.clock.advance(20 * MINUTE)
  const paused = wire()
  await program('POST', '/pause', {})
  expect(await message(1)).toMatchObject({ state: 'paused', since: paused })
  server.clock.advance(MINUTE)
  const resumed = wire()
  await program('POST', '/resume', {})
  expect(await message(2)).toMatchObject({ state: 'running', since: resumed })
  server.clock.advance(35 * MINUTE)
  const stopped = wire()
  await program('POST', '/stop', {})
  expect(await message(3)).toMatchObject({
    state: 'stopped',
    session: running.session,
    since: stopped,
    seconds: 55 * 60,
  })
  for (const { text, endpoint, headers } of service.received) {
    expect(endpoint).toBe(device.endpoint)
    expect(text).not.toContain('Secret')
    expect(headers).toMatchObject({ topic: 'timer', ttl: '43200', 'content-encoding': 'aes128gcm' })
  }
})

test('the server signs with one key, also after a restart, and says whom to ask', async () => {
  await subscribed()
  const { publicKey } = (await ann.call('GET', '/stint/push')).body
  await program('POST', '/start', { task: 'Write' })
  await message(0)
  await restart()
  await (
    await server.program(ann)
  )('POST', '/stop', {})
  await message(1)
  for (const { signedBy, claims } of service.received) {
    expect(signedBy).toBe(publicKey)
    expect(claims).toMatchObject({
      aud: new URL(service.subscribe().endpoint).origin,
      sub: `mailto:${server.config.supportEmail}`,
    })
  }
})

test('two processes sign with one key, and a configured key takes its place', async () => {
  const other = await createTestApp({ db, ...USUAL })
  const keyOf = async (app: TestApp) =>
    (await again(ann, app).call('GET', '/stint/push')).body.publicKey
  expect(await keyOf(other)).toBe(await keyOf(server))
  await other.close()
  const { publicKey, privateKey } = webPush.generateVAPIDKeys()
  await restart({ config: { ...USUAL.config, push: { isOn: true, privateKey } } })
  expect(await keyOf(server)).toBe(publicKey)
  await subscribed()
  await (
    await server.program(ann)
  )('POST', '/start', { task: 'Write' })
  await message(0)
  expect(service.received[0]?.signedBy).toBe(publicKey)
  await restart()
})

test('a configured key that is none stops the start with one sentence', async () => {
  const push = { isOn: true, privateKey: 'A'.repeat(43) }
  await expect(createTestApp({ db, config: { push } })).rejects.toThrow(
    'VAPID_PRIVATE_KEY is no private key of the curve P-256.',
  )
})

test('a device is told the task’s name when its owner wants it, and a new name', async () => {
  await subscribed({ withNames: true })
  const { body } = await program('POST', '/start', { task: 'Write' })
  expect(await message(0)).toMatchObject({ state: 'running', task: 'Write' })
  const path = `/databases/stint/collections/tasks/documents/${body.timer.task.id}`
  expect((await ann.call('PATCH', path, { data: { name: 'Read' } })).status).toBe(200)
  expect(await message(1)).toMatchObject({ state: 'running', task: 'Read' })
  server.clock.advance(MINUTE)
  await program('POST', '/stop', {})
  expect(await message(2)).toMatchObject({ state: 'stopped', seconds: 60, task: 'Read' })
})

test('a moved start is told, and a change of the note is not', async () => {
  await subscribed()
  await program('POST', '/start', { task: 'Write' })
  const { session } = await message(0)
  await changeTimer(session, { note: 'nobody’s business' })
  const earlier = wire(-10 * MINUTE)
  await changeTimer(session, { startTime: earlier })
  expect(await message(1)).toMatchObject({ state: 'running', since: earlier })
  expect(service.received).toHaveLength(2)
})

test('a timer that is discarded is told, and one that nobody was told of is not', async () => {
  await program('POST', '/start', { task: 'Write' })
  await program('POST', '/stop', {})
  await subscribed()
  await program('POST', '/start', { task: 'Write' })
  const { session } = await message(0)
  const path = `/databases/stint/collections/timer_sessions/documents/${session}`
  expect((await ann.call('DELETE', path)).status).toBe(204)
  expect(await message(1)).toMatchObject({ state: 'none', session, since: null })
  expect(service.received).toHaveLength(2)
})

test('a stop that was undone is told again when the timer is stopped anew', async () => {
  await subscribed()
  await program('POST', '/start', { task: 'Write' })
  const { session } = await message(0)
  const endTime = wire()
  server.clock.advance(MINUTE)
  const { body } = await program('POST', '/stop', {})
  await message(1)
  const path = '/databases/stint/collections'
  const entry = `${path}/time_entries/documents/${session}`
  await ann.call('PATCH', entry, { data: { deletedAt: endTime } })
  const data = { taskId: body.session.task.id, startTime: endTime, userId: ann.id }
  const sessions = `${path}/timer_sessions/documents`
  const created = await ann.call('POST', sessions, { documentId: session, data })
  expect(created.status).toBe(201)
  expect(await message(2)).toMatchObject({ state: 'running', session })
  const stopped = wire()
  await changeTimer(session, { isRunning: false, endTime: stopped })
  expect(await message(3)).toMatchObject({ state: 'stopped', since: stopped, seconds: 60 })
})

test('a device that begins while a timer runs is told of it, each device once', async () => {
  await program('POST', '/start', { task: 'Write' })
  const first = await subscribed()
  await message(0)
  server.clock.advance(SECOND)
  const phone = await signedInAgain()
  const second = await subscribed({}, phone)
  await message(1)
  expect(service.received.map(({ endpoint }) => endpoint)).toEqual([
    first.endpoint,
    second.endpoint,
  ])
  const { devices } = (await phone.call('GET', '/stint/push')).body
  expect(devices.map(({ isCurrent }: { isCurrent: boolean }) => isCurrent)).toEqual([false, true])
})

test.each([404, 410])('a device whose address answers %d is told nothing more', async (status) => {
  await subscribed()
  service.answerWith(status)
  await program('POST', '/start', { task: 'Write' })
  await vi.waitFor(async () => expect(await devicesOf()).toEqual([]))
  service.answerWith(201)
  await program('POST', '/pause', {})
  await server.program(ann)
  expect(service.received).toHaveLength(1)
})

test('an address that fails is tried three times, then with the next change', async () => {
  await subscribed()
  service.answerWith(503)
  await program('POST', '/start', { task: 'Write' })
  await vi.waitFor(() => expect(service.received).toHaveLength(1))
  for (const [index, wait] of [30 * SECOND, 5 * MINUTE].entries()) {
    await vi.waitFor(async () => expect(await dueAt()).toBe(stored(wait)))
    server.clock.advance(wait)
    await vi.waitFor(() => expect(service.received).toHaveLength(index + 2))
  }
  await vi.waitFor(async () => expect(await dueAt()).toBeNull())
  service.answerWith(201)
  const paused = wire()
  await program('POST', '/pause', {})
  expect(await message(3)).toMatchObject({ state: 'paused', since: paused })
})

test('a device that may have been told, as nothing was answered, is told how it ended', async () => {
  await subscribed()
  service.answerWith(null)
  await program('POST', '/start', { task: 'Write' })
  const { session } = await message(0)
  await vi.waitFor(async () => expect(await dueAt()).toBe(stored(30 * SECOND)))
  service.answerWith(201)
  await program('POST', '/stop', {})
  expect(await message(1)).toMatchObject({ state: 'none', session })
})

test('what waits is sent after a restart as it is by then', async () => {
  await subscribed()
  service.answerWith(503)
  await program('POST', '/start', { task: 'Write' })
  await vi.waitFor(async () => expect(await dueAt()).toBe(stored(30 * SECOND)))
  const refused = service.received.length
  await restart({ config: { ...USUAL.config, push: { isOn: false, privateKey: null } } })
  await (
    await server.program(ann)
  )('POST', '/pause', {})
  service.answerWith(201)
  await restart(USUAL, 30 * SECOND)
  expect(await message(refused)).toMatchObject({ state: 'paused' })
})

test.each([
  ['its sign-out', () => ann.call('DELETE', '/account/sessions/current')],
  ['a sign-out everywhere', () => ann.call('DELETE', '/account/sessions')],
  [
    'the deletion of the account',
    () =>
      ann.call('POST', '/stint/account/deletion', { email: ann.email, password: TEST_PASSWORD }),
  ],
])('%s ends a device', async (_what, end) => {
  await subscribed()
  expect((await end()).status).toBeLessThan(300)
  expect(await devicesOf()).toEqual([])
})

test('a sign-in that has expired ends its device at the next change', async () => {
  const { cookies } = await signedInAgain()
  const phone = { ...ann, ...again({ cookies }) }
  await subscribed({}, phone)
  server.clock.advance(31 * DAY)
  ann = { ...ann, ...(await signedInAgain()) }
  await (
    await server.program(ann)
  )('POST', '/start', { task: 'Write' })
  await vi.waitFor(async () => expect(await devicesOf()).toEqual([]))
  expect(service.received).toEqual([])
})

test('a blocked account is told nothing', async () => {
  const device = await subscribed()
  await program('POST', '/start', { task: 'Write' })
  await message(0)
  await program('POST', '/pause', {})
  await message(1)
  await ann.call('PATCH', '/account/status', {})
  await db.write((tx) =>
    tx.run(
      tx.build
        .updateTable('push_subscriptions')
        .set({ told: null, due_at: stored(-MINUTE) })
        .where('user_id', '=', ann.id),
    ),
  )
  const bob = await server.signedInUser()
  await subscribed({}, bob)
  await (
    await server.program(bob)
  )('POST', '/start', { task: 'Read' })
  await message(2)
  expect(service.received.filter(({ endpoint }) => endpoint === device.endpoint)).toHaveLength(2)
})

test('a browser is of whoever signed in there last', async () => {
  const device = await subscribed()
  const bob = await server.signedInUser()
  expect((await put(device, bob)).status).toBe(204)
  expect(await devicesOf()).toEqual([])
  await program('POST', '/start', { task: 'Write' })
  await (
    await server.program(bob)
  )('POST', '/start', { task: 'Read' })
  await message(0)
  expect(service.received).toHaveLength(1)
})

test('nobody removes or sees another person’s device', async () => {
  await subscribed()
  const [{ sessionId }] = (await ann.call('GET', '/stint/push')).body.devices
  const bob = await server.signedInUser()
  expect(await bob.call('DELETE', `/stint/push/${sessionId}`)).toMatchObject({
    status: 404,
    body: { type: 'user_session_not_found' },
  })
  expect((await bob.call('GET', '/stint/push')).body.devices).toEqual([])
  expect(await devicesOf()).toHaveLength(1)
  expect((await ann.call('DELETE', '/stint/push/current')).status).toBe(204)
  expect(await devicesOf()).toEqual([])
})

test.each([
  'http://127.0.0.1:1/',
  'https://127.0.0.1/',
  'https://localhost/',
  'https://[fe80::1]/',
])('the address %s is refused unless the operator allows it', async (endpoint) => {
  await restart({})
  const refused = await put({ ...service.subscribe(), endpoint })
  expect(refused).toMatchObject({ status: 400, body: { type: 'general_argument_invalid' } })
  expect(await devicesOf()).toEqual([])
})

test('nothing is sent to an inner address once the operator does not allow it any more', async () => {
  await subscribed()
  await restart({})
  await (
    await server.program(ann)
  )('POST', '/start', { task: 'Write' })
  await vi.waitFor(async () => expect(await dueAt()).toBe(stored(30 * SECOND)))
  expect(service.received).toEqual([])
})

test.each([
  ['a short key', { p256dh: 'AAAA' }],
  ['a key that is no base64url', { p256dh: '!'.repeat(87) }],
  ['a short secret', { auth: 'AAAA' }],
  ['no address', { endpoint: '' }],
  ['a long address', { endpoint: `https://example.com/${'a'.repeat(1024)}` }],
])('%s is refused', async (_what, wrong) => {
  expect(await put({ ...service.subscribe(), ...wrong })).toMatchObject({ status: 400 })
})

test('keys that encrypt nothing harm nobody', async () => {
  const p256dh = Buffer.alloc(65, 4).toString('base64url')
  expect((await put({ ...service.subscribe(), p256dh })).status).toBe(204)
  const bob = await server.signedInUser()
  await subscribed({}, bob)
  await program('POST', '/start', { task: 'Write' })
  await (
    await server.program(bob)
  )('POST', '/start', { task: 'Read' })
  expect(await message(0)).toMatchObject({ state: 'running' })
})

test('changes of devices are limited', async () => {
  await restart({ config: { ...USUAL.config, rateLimits: true } })
  const device = service.subscribe()
  for (let count = 0; count < 60; count++) expect((await put(device)).status).toBe(204)
  expect((await put(device)).status).toBe(429)
  await restart()
})

test('a server with push switched off has no key and takes no device', async () => {
  await restart({ config: { push: { isOn: false, privateKey: null } } })
  expect((await ann.call('GET', '/stint/push')).body).toEqual({ publicKey: null, devices: [] })
  expect(await put(service.subscribe())).toMatchObject({
    status: 403,
    body: { type: 'stint_push_off' },
  })
})

async function subscribed({ withNames = false } = {}, user = ann): Promise<TestSubscription> {
  const device = service.subscribe()
  expect((await put(device, user, withNames)).status).toBe(204)
  return device
}

function put(device: TestSubscription, user = ann, withNames = false) {
  return user.call('PUT', '/stint/push', { ...device, withNames })
}

/** Waits for a message and returns what it says. */
async function message(index: number) {
  await vi.waitFor(() => expect(service.received.length).toBeGreaterThan(index))
  return JSON.parse(service.received[index]?.text ?? '')
}

function devicesOf() {
  const { build } = db
  return db.read(build.selectFrom('push_subscriptions').selectAll().where('user_id', '=', ann.id))
}

async function dueAt(): Promise<string | null | undefined> {
  return (await devicesOf())[0]?.due_at
}

async function signedInAgain(): Promise<TestUser> {
  const browser = server.newBrowser()
  const { email, password } = ann
  expect((await browser.call('POST', '/account/sessions/email', { email, password })).status).toBe(
    201,
  )
  return { ...ann, ...browser }
}

/** Returns a browser with the same cookies. */
function again({ cookies }: Pick<TestUser, 'cookies'>, app = server) {
  const browser = app.newBrowser()
  for (const [name, value] of cookies) browser.cookies.set(name, value)
  return browser
}

async function changeTimer(id: string, data: object): Promise<void> {
  const path = `/databases/stint/collections/timer_sessions/documents/${id}`
  expect((await ann.call('PATCH', path, { data })).status).toBe(200)
}

function wire(later = 0): string {
  return new Date(server.clock.now() + later).toISOString()
}

function stored(later: number): string {
  return wire(later).replace('Z', '+00:00')
}
