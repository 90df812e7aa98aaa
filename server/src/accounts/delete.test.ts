import { COLLECTION_IDS } from '@stint/core/collections.ts'
import { beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { serverForFile, userForEach } from '@stint/testing/server-tests.ts'
import { createTestApp, TEST_PASSWORD } from '@stint/testing/test-app.ts'
import type { TestUser } from '@stint/testing/test-app.ts'

const server = serverForFile()
const ann = userForEach(server)
const bob = userForEach(server)

beforeEach(async () => {
  await fill(ann)
  await fill(bob)
})

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

test.each([
  ['without the password', () => ({ email: ann.email }), 400, 'Param "password" is not optional.'],
  [
    'with a wrong password',
    () => ({ email: ann.email, password: 'wrong horse 22' }),
    401,
    'Invalid credentials. Please check the email and password.',
  ],
  [
    'with another address',
    () => ({ email: bob.email, password: TEST_PASSWORD }),
    400,
    'Invalid `email` param: It is not the address of this account.',
  ],
])('deletion %s is refused and removes nothing', async (_, body, status, message) => {
  const reply = await ann.call('POST', '/stint/account/deletion', body())
  expect(reply).toMatchObject({ status, body: { message } })
  expect(await rowsOf(ann)).toEqual([1, 1, 1, 1, 1])
})

test('deletion accepts the address in any case of its letters', async () => {
  expect((await remove(ann, ann.email.toUpperCase())).status).toBe(204)
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
