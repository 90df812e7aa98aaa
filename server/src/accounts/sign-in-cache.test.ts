/**
 * Callers are cached between requests. These tests show that no cached caller is used for too long.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Database } from '#storage/database.ts'
import { wireInstant } from '#instant.ts'
import { openDatabase } from '#storage/open.ts'
import { newTestDatabase, PATIENT } from '@stint/testing/databases.ts'
import type { TestDatabasePlace } from '@stint/testing/databases.ts'
import { createTestApp, TEST_PASSWORD } from '@stint/testing/test-app.ts'
import type { Reply, TestApp, TestUser } from '@stint/testing/test-app.ts'
import { issue } from './secrets.ts'

const MINUTE = 60_000
let place: TestDatabasePlace
let server: TestApp
/** Another process: an admin command on SQLite, a server on PostgreSQL. */
let beside: Database
let ann: TestUser
let startedAt: number

// A server is for all tests, and a person for each.
beforeAll(async () => {
  place = await newTestDatabase()
  server = await createTestApp({ url: place.url })
  beside = await openDatabase(place.url, { ...PATIENT, exclusive: false })
  startedAt = server.clock.now()
})
beforeEach(async () => {
  server.clock.set(startedAt)
  ann = await server.signedInUser()
})
afterEach(() => vi.restoreAllMocks())
afterAll(async () => {
  await server.close()
  await beside.close()
  await place.remove()
})

test('a cached caller causes no read until the use of the session must be stored', async () => {
  await cached()
  const reads = vi.spyOn(server.db, 'read')
  await ann.call('GET', '/databases/stint/collections/tasks/documents/t1')
  expect(reads).toHaveBeenCalledTimes(1)
  server.clock.advance(6 * MINUTE)
  await ann.call('GET', '/databases/stint/collections/tasks/documents/t1')
  expect(reads).toHaveBeenCalledTimes(4)
})

test('a change through this server applies to the next request', async () => {
  await cached()
  await ann.call('PATCH', '/account/name', { name: 'Anna' })
  expect((await ann.call('GET', '/account')).body.name).toBe('Anna')
  await ann.call('PATCH', '/account/prefs', { prefs: { theme: 'dark' } })
  expect((await ann.call('GET', '/account')).body.prefs).toEqual({ theme: 'dark' })
  const phone = server.newBrowser()
  for (const [name, value] of ann.cookies) phone.cookies.set(name, value)
  expect((await phone.call('GET', '/account')).status).toBe(200)
  await ann.call('DELETE', '/account/sessions')
  expect((await phone.call('GET', '/account')).status).toBe(401)
})

test('lists contain what another process has written', async () => {
  const tasks = '/databases/stint/collections/tasks/documents'
  await ann.call('POST', tasks, { documentId: 't1', data: { name: 'x', userId: ann.id } })
  expect((await ann.call('GET', tasks)).body.total).toBe(1)
  await beside.write((tx) => tx.run(beside.build.deleteFrom('tasks').where('owner', '=', ann.id)))
  await vi.waitFor(async () =>
    expect((await ann.call('GET', tasks)).body).toEqual({ total: 0, documents: [] }),
  )
})

test('a session that another process ends is refused', async () => {
  await cached()
  await beside.write((tx) => tx.run(tx.changeAccounts().deleteFrom('sessions')))
  await vi.waitFor(async () => expect((await ann.call('GET', '/account')).status).toBe(401))
})

test('a user whom another process blocks or deletes is refused', async () => {
  const bob = await server.signedInUser()
  await cached()
  await beside.write((tx) =>
    tx.run(
      tx.changeAccounts().updateTable('users').set({ active: false }).where('id', '=', ann.id),
    ),
  )
  await vi.waitFor(async () => expect((await ann.call('GET', '/account')).status).toBe(403))
  expect((await bob.call('GET', '/account')).status).toBe(200)
  await beside.write((tx) =>
    tx.run(tx.changeAccounts().deleteFrom('users').where('id', '=', bob.id)),
  )
  await vi.waitFor(async () => expect((await bob.call('GET', '/account')).status).toBe(401))
})

test('a session that was unused for too long is refused, cached or not', async () => {
  await cached()
  server.clock.advance(31 * 24 * 60 * MINUTE)
  expect((await ann.call('GET', '/account')).status).toBe(401)
})

test('the cache is not used while notices of other processes cannot arrive', async () => {
  await cached()
  vi.spyOn(server.db, 'accountsVersion').mockReturnValue(null)
  const reads = vi.spyOn(server.db, 'read')
  await ann.call('GET', '/account')
  expect(reads).toHaveBeenCalledTimes(2)
})

const NEW_PASSWORD = 'new horse 22'

/** The routes after which a cached caller must be looked up again, each with a successful call. */
const CHANGES: Readonly<Record<string, () => Promise<Reply>>> = {
  'POST /v1/account/sessions': signIn('/account/sessions'),
  'POST /v1/account/sessions/email': signIn('/account/sessions/email'),
  'PATCH /v1/account/name': () => ann.call('PATCH', '/account/name', { name: 'Anna' }),
  'PATCH /v1/account/email': () =>
    ann.call('PATCH', '/account/email', { email: 'anna@example.com', password: TEST_PASSWORD }),
  'PATCH /v1/account/password': () =>
    ann.call('PATCH', '/account/password', { password: NEW_PASSWORD, oldPassword: TEST_PASSWORD }),
  'PATCH /v1/account/prefs': () => ann.call('PATCH', '/account/prefs', { prefs: { a: 1 } }),
  'PATCH /v1/account/status': () => ann.call('PATCH', '/account/status'),
  'PATCH /v1/account/sessions/:sessionId': () => ann.call('PATCH', '/account/sessions/current'),
  'DELETE /v1/account/sessions': () => ann.call('DELETE', '/account/sessions'),
  'DELETE /v1/account/sessions/:sessionId': () => ann.call('DELETE', '/account/sessions/current'),
  'PUT /v1/account/recovery': async () =>
    ann.call('PUT', '/account/recovery', {
      ...(await secret('recovery')),
      password: NEW_PASSWORD,
    }),
  'PUT /v1/account/verification': async () =>
    ann.call('PUT', '/account/verification', await secret('verification')),
  'PUT /v1/account/verifications/email': async () =>
    ann.call('PUT', '/account/verifications/email', await secret('verification')),
  'POST /v1/stint/account/deletion': () =>
    ann.call('POST', '/stint/account/deletion', { email: ann.email, password: TEST_PASSWORD }),
}

/** The routes that change no existing account: they create one or send a mail. */
const NO_CHANGES = [
  'POST /v1/account',
  'POST /v1/account/recovery',
  'POST /v1/account/verification',
  'POST /v1/account/verifications/email',
]

test('every route that may change an account is in these tables', () => {
  const writing = server.app.routeTable
    .map(({ name }) => name)
    .filter((route) => /^(?:POST|PUT|PATCH|DELETE) \/v1\/(?:stint\/)?account/.test(route))
  expect(writing.toSorted()).toEqual([...Object.keys(CHANGES), ...NO_CHANGES].toSorted())
})

test.each(Object.entries(CHANGES))(
  'after %s a cached caller is looked up again',
  async (_, change) => {
    const phone = server.newBrowser()
    for (const [name, value] of ann.cookies) phone.cookies.set(name, value)
    await cached()
    expect((await change()).status).toBeLessThan(300)
    const reads = vi.spyOn(server.db, 'read')
    await phone.call('GET', '/account')
    expect(reads).toHaveBeenCalled()
  },
)

test('storing the use of a sign-in keeps the cache valid', async () => {
  // PostgreSQL proves five times a second that notices arrive. On a busy machine it may miss that, and the version
  // is unknown or another one. A cache that ends with each use never passes.
  await vi.waitFor(async () => {
    await cached()
    const version = server.db.accountsVersion()
    server.clock.advance(25 * 60 * MINUTE)
    await ann.call('GET', '/account')
    const [row] = await server.db.read(
      server.db.build.selectFrom('sessions').select('seen_at').where('user_id', '=', ann.id),
    )
    expect(row?.seen_at).toBe(wireInstant(server.clock.now()))
    expect(version).not.toBeNull()
    expect(server.db.accountsVersion()).toBe(version)
  })
})

test('the query builder cannot build a change of accounts without invalidating the cache', () => {
  const { build } = server.db
  // @ts-expect-error -- only `changeAccounts` builds it
  build.updateTable('users').set({ active: false })
  // @ts-expect-error -- only `changeAccounts` builds it
  build.updateTable('sessions').set({ expires_at: '' })
  // @ts-expect-error -- only `changeAccounts` builds it
  build.deleteFrom('users')
  // @ts-expect-error -- only `changeAccounts` builds it
  build.deleteFrom('sessions')
  // The time when a user was last seen does not invalidate the cache.
  const seen = build.updateTable('users').set({ accessed_at: '' })
  expect(seen.compile().sql).toMatch(/^update "users" set "accessed_at" = (?:\?|\$1)$/)
})

/** Returns a call that signs Ann in from another browser. */
function signIn(path: string): () => Promise<Reply> {
  return () => server.newBrowser().call('POST', path, { email: ann.email, password: TEST_PASSWORD })
}

/** Returns the parameters of a mailed link. */
async function secret(purpose: 'recovery' | 'verification') {
  const issued = await server.db.write((tx) => issue(tx, ann.id, purpose, server.clock.now()))
  return { userId: ann.id, secret: issued.secret }
}

/**
 * Resolves when Ann is cached: at once on SQLite; on PostgreSQL when the process listens to the
 * others.
 */
async function cached(): Promise<void> {
  await vi.waitFor(async () => {
    await ann.call('GET', '/account')
    const reads = vi.spyOn(server.db, 'read')
    await ann.call('GET', '/account')
    const { length } = reads.mock.calls
    reads.mockRestore()
    expect(length).toBe(0)
  })
}
