/**
 * Every call of the official SDK that Stint supports, over HTTP. Each reply is checked against
 * Appwrite's description of it.
 */
import { Account, Channel, Client, Databases, ID, Query, Realtime } from 'appwrite'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { linkIn, startTestSmtp } from '@stint/testing/smtp.ts'
import type { TestSmtp } from '@stint/testing/smtp.ts'
import { createTestApp, TEST_PASSWORD } from '@stint/testing/test-app.ts'
import type { TestApp } from '@stint/testing/test-app.ts'
import { problemsOf } from '@stint/testing/openapi.ts'

const DAY = 86_400_000
const PAGE = 'http://localhost:3000/recovery'
const TASKS = { databaseId: 'stint', collectionId: 'tasks' }
const ENTRIES = { databaseId: 'stint', collectionId: 'time_entries' }

let server: TestApp
let smtp: TestSmtp
/** The cookies of the SDK's simulated browser. */
let cookies: Map<string, string>
let client: Client
let account: Account
let databases: Databases

beforeEach(async () => {
  smtp = await startTestSmtp()
  server = await createTestApp({ config: { smtpUrl: smtp.url } })
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  cookies = new Map()
  browserLike()
  client = new Client().setEndpoint(`${server.app.listeningOrigin}/v1`).setProject('stint')
  account = new Account(client)
  databases = new Databases(client)
})
afterEach(async () => {
  vi.unstubAllGlobals()
  await server.close()
  await smtp.close()
})

test('the SDK creates an account, signs in, changes it, reads it and blocks it', async () => {
  expect(await client.ping()).toEqual({ message: 'Pong!' })
  const created = await account.create({
    userId: 'ann',
    email: 'ann@example.com',
    password: TEST_PASSWORD,
    name: 'Ann',
  })
  expect(as('user', created)).toMatchObject({ $id: 'ann', emailVerification: false })
  expect(as('session', await signIn())).toMatchObject({ userId: 'ann', current: true, secret: '' })
  expect(as('user', await account.get())).toMatchObject({ name: 'Ann' })
  expect(as('user', await account.updateName({ name: 'Anna' }))).toMatchObject({ name: 'Anna' })
  expect(await account.getPrefs()).toEqual({})
  expect(as('user', await account.updatePrefs({ prefs: { theme: 'dark' } }))).toMatchObject({
    prefs: { theme: 'dark' },
  })
  expect(as('preferences', await account.getPrefs())).toEqual({ theme: 'dark' })

  const email = { email: 'anna@example.com', password: TEST_PASSWORD }
  expect(as('user', await account.updateEmail(email))).toMatchObject({ email: 'anna@example.com' })
  const password = { password: 'another horse 2', oldPassword: TEST_PASSWORD }
  expect(as('user', await account.updatePassword(password))).toMatchObject({ $id: 'ann' })
  await expect(account.updatePassword(password)).rejects.toMatchObject({
    code: 401,
    type: 'user_invalid_credentials',
  })
  await expect(account.get()).resolves.toMatchObject({ email: 'anna@example.com' })

  expect(as('user', await account.updateStatus())).toMatchObject({ status: false })
  await expect(
    account.createEmailPasswordSession({ email: email.email, password: password.password }),
  ).rejects.toMatchObject({ code: 403, type: 'user_blocked' })
})

test('the SDK lists, reads and extends sessions, and ends them one by one and all at once', async () => {
  await signedUp()
  const laptop = new Map(cookies)
  cookies.clear()
  server.clock.advance(1000)
  await signIn()
  const list = as('sessionList', await account.listSessions())
  expect(list).toMatchObject({ total: 2, sessions: [{ current: false }, { current: true }] })
  const [other, current] = list.sessions
  const byId = await account.getSession({ sessionId: other?.$id ?? '' })
  expect(as('session', byId)).toEqual(other)
  expect(await account.getSession({ sessionId: 'current' })).toEqual(current)

  server.clock.advance(DAY)
  const extended = as('session', await account.updateSession({ sessionId: 'current' }))
  expect(Date.parse(extended.expire) - Date.parse(current?.expire ?? '')).toBe(DAY)

  await account.deleteSession({ sessionId: other?.$id ?? '' })
  await expect(account.getSession({ sessionId: other?.$id ?? '' })).rejects.toMatchObject({
    code: 404,
    type: 'user_session_not_found',
  })
  await account.deleteSession({ sessionId: 'current' })
  await expect(account.get()).rejects.toMatchObject({ code: 401 })
  cookies = laptop
  await expect(account.get()).rejects.toMatchObject({ code: 401 })
  await signIn()
  await account.deleteSessions()
  await expect(account.listSessions()).rejects.toMatchObject({ code: 401 })
})

test('the SDK replaces a forgotten password and verifies an address, under both names', async () => {
  await signedUp()
  const recovery = smtp.nextMail()
  const asked = await account.createRecovery({ email: 'ann@example.com', url: PAGE })
  expect(as('token', asked)).toMatchObject({ secret: '' })
  const password = 'another horse 2'
  const replaced = await account.updateRecovery({ ...secretIn(await recovery), password })
  expect(as('token', replaced)).toMatchObject({ userId: 'ann' })
  await expect(account.get()).rejects.toMatchObject({ code: 401 })
  await account.createEmailPasswordSession({ email: 'ann@example.com', password })
  expect(await account.get()).toMatchObject({ emailVerification: true })

  for (const [ask, prove] of [
    [
      () => account.createEmailVerification({ url: PAGE }),
      (secret: Secret) => account.updateEmailVerification(secret),
    ],
    [
      () => account.createVerification({ url: PAGE }),
      (secret: Secret) => account.updateVerification(secret),
    ],
  ] as const) {
    const address = `${ID.unique()}@example.com`
    await account.updateEmail({ email: address, password })
    const mail = smtp.nextMail()
    expect(as('token', await ask())).toMatchObject({ userId: 'ann', secret: '' })
    as('token', await prove(secretIn(await mail)))
    expect(await account.get()).toMatchObject({ email: address, emailVerification: true })
  }
})

test('the SDK creates, reads, changes, upserts, increments, decrements and deletes documents', async () => {
  await signedUp()
  const write = { ...TASKS, documentId: ID.unique() }
  const data = { name: 'Write', userId: 'ann' }
  expect(as('document', await databases.createDocument({ ...write, data }))).toMatchObject({
    ...data,
    $databaseId: 'stint',
    $collectionId: 'tasks',
    $permissions: ['read("user:ann")', 'update("user:ann")', 'delete("user:ann")'],
  })
  await expect(databases.createDocument({ ...write, data })).rejects.toMatchObject({
    code: 409,
    type: 'document_already_exists',
  })
  expect(as('document', await databases.getDocument(write))).toMatchObject(data)
  const patched = await databases.updateDocument({ ...write, data: { name: 'Read' } })
  expect(as('document', patched)).toMatchObject({ name: 'Read', category: 'Development' })
  const put = { ...TASKS, documentId: 'put', data: { ...data, goalHours: 2.5 } }
  expect(as('document', await databases.upsertDocument(put))).toMatchObject({ goalHours: 2.5 })
  const again = await databases.upsertDocument({ ...put, data: { ...data, name: 'Again' } })
  expect(as('document', again)).toMatchObject({ name: 'Again', goalHours: 2.5 })

  const total = { ...write, attribute: 'totalTime' }
  const raised = await databases.incrementDocumentAttribute({ ...total, value: 9, max: 10 })
  expect(as('document', raised)).toMatchObject({ totalTime: 9 })
  await expect(
    databases.incrementDocumentAttribute({ ...total, value: 2, max: 10 }),
  ).rejects.toMatchObject({ code: 400, type: 'attribute_limit_exceeded' })
  expect(await databases.decrementDocumentAttribute({ ...total, min: 0 })).toMatchObject({
    totalTime: 8,
  })
  await databases.deleteDocument(write)
  await expect(databases.getDocument(write)).rejects.toMatchObject({
    code: 404,
    type: 'document_not_found',
  })
})

test('lists accept all queries of the SDK', async () => {
  await signedUp()
  for (const [index, day] of ['12', '13', '14', '15'].entries()) {
    await databases.createDocument({
      ...ENTRIES,
      documentId: `e${index}`,
      data: {
        userId: 'ann',
        taskId: index % 2 === 0 ? 'Write' : 'Read',
        startTime: `2026-01-${day}T08:00:00.000Z`,
        endTime: `2026-01-${day}T09:00:00.000Z`,
        durationSeconds: 600 * (index + 1),
        ...(index === 0 ? { sessionId: 's0' } : {}),
      },
    })
    server.clock.advance(1000)
  }
  const second = '2026-01-15T12:00:01.000Z'
  const third = '2026-01-15T12:00:02.000Z'
  const cases: readonly (readonly [queries: string[], ids: string])[] = [
    [[], 'e0 e1 e2 e3'],
    [[Query.equal('taskId', 'Write')], 'e0 e2'],
    [[Query.equal('$id', ['e1', 'e3'])], 'e1 e3'],
    [[Query.notEqual('taskId', 'Write')], 'e1 e3'],
    [[Query.lessThan('durationSeconds', 1200)], 'e0'],
    [[Query.lessThanEqual('durationSeconds', 1200)], 'e0 e1'],
    [[Query.greaterThan('durationSeconds', 1200)], 'e2 e3'],
    [[Query.greaterThanEqual('startTime', '2026-01-14T08:00:00.000Z')], 'e2 e3'],
    [[Query.between('startTime', '2026-01-13', '2026-01-15')], 'e1 e2'],
    [[Query.notBetween('durationSeconds', 700, 2000)], 'e0 e3'],
    [[Query.isNull('sessionId')], 'e1 e2 e3'],
    [[Query.isNotNull('sessionId')], 'e0'],
    [[Query.contains('taskId', 'ri')], 'e0 e2'],
    [[Query.notContains('taskId', 'ri')], 'e1 e3'],
    [[Query.startsWith('taskId', 'Re')], 'e1 e3'],
    [[Query.notStartsWith('taskId', 'Re')], 'e0 e2'],
    [[Query.endsWith('taskId', 'ad')], 'e1 e3'],
    [[Query.notEndsWith('taskId', 'ad')], 'e0 e2'],
    [
      [
        Query.or([
          Query.equal('$id', 'e0'),
          Query.and([Query.equal('taskId', 'Read'), Query.greaterThan('durationSeconds', 2000)]),
        ]),
      ],
      'e0 e3',
    ],
    [[Query.createdBefore(second)], 'e0'],
    [[Query.createdAfter(second)], 'e2 e3'],
    [[Query.createdBetween(second, third)], 'e1 e2'],
    [[Query.updatedBefore(third)], 'e0 e1'],
    [[Query.updatedAfter(third)], 'e3'],
    [[Query.updatedBetween(second, second)], 'e1'],
    [[Query.orderDesc('$createdAt'), Query.limit(2)], 'e3 e2'],
    [[Query.orderAsc('taskId'), Query.orderDesc('startTime')], 'e3 e1 e2 e0'],
    [[Query.orderAsc('startTime'), Query.limit(2), Query.offset(1)], 'e1 e2'],
    [[Query.orderDesc('startTime'), Query.cursorAfter('e2'), Query.limit(1)], 'e1'],
    [[Query.orderDesc('startTime'), Query.cursorBefore('e1')], 'e3 e2'],
  ]
  for (const [queries, ids] of cases) {
    const list = as('documentList', await databases.listDocuments({ ...ENTRIES, queries }))
    expect([queries, list.documents.map(({ $id }) => $id).join(' ')]).toEqual([queries, ids])
  }
  const [selected] = (
    await databases.listDocuments({ ...ENTRIES, queries: [Query.select(['taskId'])] })
  ).documents
  expect(selected).toMatchObject({ $id: 'e0', taskId: 'Write' })
  expect(selected).not.toHaveProperty('durationSeconds')
  const uncounted = await databases.listDocuments({ ...ENTRIES, queries: [], total: false })
  expect(uncounted).toMatchObject({ total: 0, documents: { length: 4 } })
})

test('the SDK’s realtime service receives events of documents and the account, in order', async () => {
  await signedUp()
  const realtime = new Realtime(client)
  const heard: string[] = []
  const tasks = Channel.database('stint').collection('tasks').document()
  const subscription = await realtime.subscribe(
    [tasks, Channel.account()],
    ({ events, payload }) => {
      expect(payload).toHaveProperty('$id')
      heard.push(events[0] ?? '')
    },
  )
  // The service does not report when it is subscribed; the first received event does.
  await vi.waitFor(async () => {
    await account.updatePrefs({ prefs: {} })
    expect(heard.length).toBeGreaterThan(0)
  })
  heard.length = 0
  const task = { ...TASKS, documentId: 't1' }
  await databases.createDocument({ ...task, data: { name: 'x', userId: 'ann' } })
  await databases.updateDocument({ ...task, data: { name: 'y' } })
  await databases.incrementDocumentAttribute({ ...task, attribute: 'totalTime' })
  await databases.upsertDocument({ ...task, data: { name: 'z', userId: 'ann' } })
  await databases.deleteDocument(task)
  await account.updateName({ name: 'Anna' })
  await vi.waitFor(() => expect(heard).toContain('users.ann.update.name'))
  const documents = heard.filter((name) => name.startsWith('databases'))
  expect(documents).toEqual(
    ['create', 'update', 'update', 'upsert', 'delete'].map(
      (action) => `databases.stint.collections.tasks.documents.t1.${action}`,
    ),
  )
  await subscription.unsubscribe()
  await realtime.disconnect()
})

async function signedUp(): Promise<void> {
  const email = 'ann@example.com'
  await account.create({ userId: 'ann', email, password: TEST_PASSWORD, name: 'Ann' })
  await signIn()
}

function signIn() {
  return account.createEmailPasswordSession({ email: 'ann@example.com', password: TEST_PASSWORD })
}

/** Returns the reply if it matches Appwrite's description of it. */
function as<Reply>(schema: string, reply: Reply): Reply {
  expect(problemsOf(schema, JSON.parse(JSON.stringify(reply)))).toEqual([])
  return reply
}

interface Secret {
  userId: string
  secret: string
}

function secretIn(mail: string): Secret {
  const { searchParams } = linkIn(mail)
  return {
    userId: searchParams.get('userId') ?? '',
    secret: searchParams.get('secret') ?? '',
  }
}

/** Provides what the SDK expects of a browser and Node lacks: cookies and an empty storage. */
function browserLike(): void {
  const realFetch = globalThis.fetch
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const headers = new Headers(init.headers)
    headers.set('cookie', cookieHeader())
    const reply = await realFetch(url, { ...init, headers })
    for (const line of reply.headers.getSetCookie()) {
      const [name = '', value = ''] = line.split(';', 1)[0]?.split('=') ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    return reply
  })
  const localStorage = { getItem: () => null, setItem() {} }
  vi.stubGlobal('window', { localStorage, setInterval, clearInterval, setTimeout, clearTimeout })
  vi.stubGlobal(
    'WebSocket',
    class extends WebSocket {
      constructor(url: string) {
        super(url, { headers: { cookie: cookieHeader() } })
      }
    },
  )
}

function cookieHeader(): string {
  return [...cookies].map((pair) => pair.join('=')).join('; ')
}
