/** The official SDK against the real server over HTTP. It must work as with Appwrite. */
import { Account, AppwriteException, Client, Databases, ID, Query } from 'appwrite'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTestApp } from '@stint/testing/test-app.ts'
import type { TestApp } from '@stint/testing/test-app.ts'

let server: TestApp
let endpoint: string

beforeEach(async () => {
  server = await createTestApp()
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  endpoint = `${server.app.listeningOrigin}/v1`
})
afterEach(async () => {
  vi.unstubAllGlobals()
  await server.close()
})

test('the SDK signs up, signs in, times a task and signs out', async () => {
  const ann = sdkUser()
  const created = await ann.account.create({
    userId: ID.unique(),
    email: 'Ann@Example.com',
    password: 'correct horse 1',
    name: 'Ann',
  })
  expect(created).toMatchObject({ email: 'ann@example.com', name: 'Ann' })
  await expect(ann.account.get()).rejects.toMatchObject({
    code: 401,
    type: 'general_unauthorized_scope',
  })

  const session = await ann.signIn('ann@example.com')
  expect(session).toMatchObject({ userId: created.$id, current: true, secret: '' })
  expect(await ann.account.get()).toMatchObject({ $id: created.$id, name: 'Ann' })

  const task = await ann.databases.createDocument({
    databaseId: 'stint',
    collectionId: 'tasks',
    documentId: ID.unique(),
    data: { name: 'Write report', userId: created.$id },
  })
  expect(task).toMatchObject({ isActive: true, category: 'Development', color: 'bg-blue-500' })

  const sessionId = ID.unique()
  const times = { startTime: '2026-01-15T11:00:00.000Z', endTime: '2026-01-15T11:30:00.000Z' }
  const sessions = { databaseId: 'stint', collectionId: 'timer_sessions', documentId: sessionId }
  await ann.databases.createDocument({
    ...sessions,
    data: {
      taskId: task.$id,
      userId: created.$id,
      startTime: times.startTime,
      isRunning: true,
      isPaused: false,
    },
  })
  await ann.databases.updateDocument({
    ...sessions,
    data: { isRunning: false, isPaused: false, endTime: times.endTime },
  })
  await ann.databases.createDocument({
    databaseId: 'stint',
    collectionId: 'time_entries',
    documentId: sessionId,
    data: {
      taskId: task.$id,
      userId: created.$id,
      ...times,
      durationSeconds: 1800,
      date: times.startTime,
      sessionId,
    },
  })
  await ann.databases.deleteDocument(sessions)

  const entries = await ann.databases.listDocuments({
    databaseId: 'stint',
    collectionId: 'time_entries',
    queries: [Query.equal('userId', created.$id), Query.orderDesc('$createdAt'), Query.limit(100)],
  })
  expect(entries.total).toBe(1)
  expect(entries.documents[0]).toMatchObject({ $id: sessionId, durationSeconds: 1800 })
  expect(
    await ann.databases.listDocuments({ databaseId: 'stint', collectionId: 'timer_sessions' }),
  ).toMatchObject({ total: 0, documents: [] })

  await ann.account.deleteSessions()
  await expect(ann.account.get()).rejects.toThrow(AppwriteException)
})

test('the SDK cannot read documents of another user', async () => {
  const ann = sdkUser()
  const bob = sdkUser()
  for (const [user, name] of [
    [ann, 'ann'],
    [bob, 'bob'],
  ] as const) {
    await user.account.create({
      userId: name,
      email: `${name}@example.com`,
      password: 'correct horse 1',
    })
    await user.signIn(`${name}@example.com`)
  }
  const place = { databaseId: 'stint', collectionId: 'tasks', documentId: 'same' }
  await ann.databases.createDocument({ ...place, data: { name: "Ann's", userId: 'ann' } })

  await expect(bob.databases.getDocument(place)).rejects.toMatchObject({ code: 404 })
  expect(await bob.databases.listDocuments(place)).toMatchObject({ total: 0 })
  // Bob's document may have the same id as Ann's, which is not changed.
  await bob.databases.createDocument({ ...place, data: { name: "Bob's", userId: 'bob' } })
  await bob.databases.deleteDocument(place)
  expect(await ann.databases.getDocument(place)).toMatchObject({ name: "Ann's" })
})

test('the SDK gets a reply to ping', async () => {
  expect(await sdkUser().client.ping()).toEqual({ message: 'Pong!' })
})

/** Returns an SDK with cookies of its own: Node's fetch does not store them. */
function sdkUser() {
  const client = new Client().setEndpoint(endpoint).setProject('stint')
  const account = new Account(client)
  const jar = new Map<string, string>()
  const realFetch = globalThis.fetch
  const call = client.call.bind(client)
  client.call = async (...args) => {
    vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
      const headers = new Headers(init.headers)
      headers.set('cookie', [...jar].map((pair) => pair.join('=')).join('; '))
      const reply = await realFetch(url, { ...init, headers })
      for (const line of reply.headers.getSetCookie()) {
        const [name = '', value = ''] = line.split(';', 1)[0]?.split('=') ?? []
        if (value === '') jar.delete(name)
        else jar.set(name, value)
      }
      return reply
    })
    try {
      return await call(...args)
    } finally {
      vi.stubGlobal('fetch', realFetch)
    }
  }
  return {
    client,
    account,
    databases: new Databases(client),
    signIn: (email: string) =>
      account.createEmailPasswordSession({ email, password: 'correct horse 1' }),
  }
}
