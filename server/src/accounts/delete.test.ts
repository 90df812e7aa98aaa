import { COLLECTION_IDS } from '@stint/core/collections.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createTestApp, TEST_PASSWORD } from '@stint/testing/test-app.ts'
import type { TestApp, TestUser } from '@stint/testing/test-app.ts'

let server: TestApp
let ann: TestUser
let bob: TestUser

beforeEach(async () => {
  server = await createTestApp()
  ann = await server.signedInUser('Ann')
  bob = await server.signedInUser('Bob')
  await fill(ann)
  await fill(bob)
})
afterEach(() => server.close())

test('deletion removes the account and everything in it, and nothing of other users', async () => {
  const phone = server.newBrowser()
  await phone.call('POST', '/account/sessions/email', ann)
  expect((await remove(ann, ann.email)).status).toBe(204)

  expect(await rowsOf(ann)).toEqual([0, 0, 0, 0, 0])
  expect(await rowsOf(bob)).toEqual([1, 1, 1, 1, 1])
  expect(ann.cookies.size).toBe(0)
  expect((await phone.call('GET', '/account')).status).toBe(401)
  expect((await phone.call('POST', '/account/sessions/email', ann)).status).toBe(401)
  expect((await bob.call('GET', '/account')).status).toBe(200)
})

test('after a deletion the address is free, and a new account under it is empty', async () => {
  await remove(ann, ann.email)
  const account = { userId: ann.id, email: ann.email, password: TEST_PASSWORD }
  const again = server.newBrowser()
  expect((await again.call('POST', '/account', account)).status).toBe(201)
  await again.call('POST', '/account/sessions/email', ann)
  for (const collection of COLLECTION_IDS) {
    const list = await again.call('GET', documentsOf(collection))
    expect(list.body.total).toBe(0)
  }
})

test.each([
  ['without the password', { email: 'ann@example.com' }, 400, 'general_argument_invalid'],
  [
    'with a wrong password',
    { email: 'ann@example.com', password: 'wrong horse 22' },
    401,
    'user_invalid_credentials',
  ],
  [
    'with another address',
    { email: 'bob@example.com', password: TEST_PASSWORD },
    400,
    'general_argument_invalid',
  ],
])('deletion %s is refused and removes nothing', async (_, body, status, type) => {
  const reply = await ann.call('POST', '/stint/account/deletion', body)
  expect(reply).toMatchObject({ status, body: { type } })
  expect(await rowsOf(ann)).toEqual([1, 1, 1, 1, 1])
})

test('deletion with another address is refused by the name of the parameter', async () => {
  const { body } = await remove(ann, 'bob@example.com')
  expect(body.message).toBe('Invalid `email` param: It is not the address of this account.')
})

test('deletion accepts the address in any case of its letters', async () => {
  expect((await remove(ann, 'Ann@Example.com')).status).toBe(204)
})

test('deletion closes the sockets of all devices of the account', async () => {
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = new URL(server.app.listeningOrigin)
  const cookie = [...ann.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const socket = new WebSocket(`ws://localhost:${port}/v1/realtime?project=stint`, {
    headers: { cookie },
  })
  const closed = new Promise<number>((done) => socket.on('close', done))
  await new Promise((done) => socket.once('message', done))
  await remove(ann, ann.email)
  expect(await closed).toBe(4401)
})

test('deletion can be tried ten times an hour', async () => {
  const strict = await createTestApp({ config: { rateLimits: true } })
  try {
    const cay = await strict.signedInUser('Cay')
    const body = { email: cay.email, password: 'wrong horse 22' }
    for (let index = 0; index < 10; index++) {
      expect((await cay.call('POST', '/stint/account/deletion', body)).status).toBe(401)
    }
    expect((await cay.call('POST', '/stint/account/deletion', body)).status).toBe(429)
  } finally {
    await strict.close()
  }
})

async function remove(user: TestUser, email: string) {
  return user.call('POST', '/stint/account/deletion', { email, password: TEST_PASSWORD })
}

/** Creates a document in each collection. */
async function fill(user: TestUser): Promise<void> {
  const times = { startTime: '2026-01-15T10:00:00Z', endTime: '2026-01-15T11:00:00Z' }
  const data = {
    tasks: { name: 'Write' },
    timer_sessions: { taskId: 't', startTime: times.startTime, isRunning: true },
    time_entries: { taskId: 't', ...times, date: times.startTime, durationSeconds: 3600 },
  }
  for (const collection of COLLECTION_IDS) {
    const reply = await user.call('POST', documentsOf(collection), {
      documentId: 'one',
      data: { userId: user.id, ...data[collection] },
    })
    expect(reply.status).toBe(201)
  }
}

function documentsOf(collection: string): string {
  return `/databases/stint/collections/${collection}/documents`
}

/** Counts the user's rows: users, tasks, timer sessions, entries, sessions. */
async function rowsOf({ id }: TestUser): Promise<number[]> {
  const { build } = server.db
  const rows = await Promise.all([
    server.db.read(build.selectFrom('users').select('id').where('id', '=', id)),
    ...COLLECTION_IDS.map((collection) =>
      server.db.read(build.selectFrom(collection).select('id').where('owner', '=', id)),
    ),
    server.db.read(build.selectFrom('sessions').select('id').where('user_id', '=', id)),
  ])
  return rows.map(({ length }) => length)
}
