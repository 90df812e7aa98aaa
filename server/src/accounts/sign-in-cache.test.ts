/** Callers are cached between requests; these show that nobody is for longer than they may. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Database } from '#storage/database.ts'
import { wireInstant } from '#instant.ts'
import { openDatabase } from '#storage/open.ts'
import { newTestDatabase } from '@stint/testing/databases.ts'
import type { TestDatabasePlace } from '@stint/testing/databases.ts'
import { createTestApp, TEST_PASSWORD } from '@stint/testing/test-app.ts'
import type { Reply, TestApp, TestUser } from '@stint/testing/test-app.ts'
import { issue } from './secrets.ts'

const MINUTE = 60_000
let place: TestDatabasePlace
let server: TestApp
/** Another process beside the server: an admin command on SQLite, also a server on PostgreSQL. */
let beside: Database
let ann: TestUser

beforeEach(async () => {
  place = await newTestDatabase()
  server = await createTestApp({ db: await openDatabase(place.url) })
  beside = await openDatabase(place.url, { exclusive: false })
  ann = await server.signedInUser('Ann')
})
afterEach(async () => {
  await server.close()
  await server.db.close()
  await beside.close()
  await place.remove()
})

test('a cached caller costs no read, until their use is to be noted', async () => {
  await cached()
  const reads = vi.spyOn(server.db, 'read')
  await ann.call('GET', '/databases/stint/collections/tasks/documents/t1')
  expect(reads).toHaveBeenCalledTimes(1)
  server.clock.advance(6 * MINUTE)
  await ann.call('GET', '/databases/stint/collections/tasks/documents/t1')
  expect(reads).toHaveBeenCalledTimes(4)
})

test('a change through this server counts in the next request', async () => {
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

test('what another process writes is in the lists here', async () => {
  const tasks = '/databases/stint/collections/tasks/documents'
  await ann.call('POST', tasks, { documentId: 't1', data: { name: 'x', userId: ann.id } })
  expect((await ann.call('GET', tasks)).body.total).toBe(1)
  await beside.write((tx) => tx.run(beside.build.deleteFrom('tasks').where('id', '=', 't1')))
  await vi.waitFor(async () =>
    expect((await ann.call('GET', tasks)).body).toEqual({ total: 0, documents: [] }),
  )
})

test('a session that another process ends is over here', async () => {
  await cached()
  await beside.write((tx) => tx.run(tx.changeAccounts().deleteFrom('sessions')))
  await vi.waitFor(async () => expect((await ann.call('GET', '/account')).status).toBe(401))
})

test('a person whom another process locks out or deletes is out here', async () => {
  const bob = await server.signedInUser('Bob')
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

test('who did nothing for too long is out, cached or not', async () => {
  await cached()
  server.clock.advance(31 * 24 * 60 * MINUTE)
  expect((await ann.call('GET', '/account')).status).toBe(401)
})

test('nobody is taken from the cache while the other processes cannot be heard', async () => {
  await cached()
  vi.spyOn(server.db, 'accountsVersion').mockReturnValue(null)
  const reads = vi.spyOn(server.db, 'read')
  await ann.call('GET', '/account')
  expect(reads).toHaveBeenCalledTimes(2)
})

const NEW_PASSWORD = 'new horse 22'

/** The routes after which a cached caller must be looked up again, each with a call that succeeds. */
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

/** The routes that change no account that was there before: one is created, or a mail is sent. */
const NO_CHANGES = [
  'POST /v1/account',
  'POST /v1/account/recovery',
  'POST /v1/account/verification',
  'POST /v1/account/verifications/email',
]

test('every route that may change an account is known here', () => {
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

test('to note the use of a sign-in leaves the cache as it is', async () => {
  await cached()
  const version = server.db.accountsVersion()
  server.clock.advance(25 * 60 * MINUTE)
  await ann.call('GET', '/account')
  const [row] = await server.db.read(
    server.db.build.selectFrom('sessions').select('seen_at').where('user_id', '=', ann.id),
  )
  expect(row?.seen_at).toBe(wireInstant(server.clock.now()))
  // Null now and then on PostgreSQL: whether notices are heard is proved five times a second.
  await vi.waitFor(() => expect(server.db.accountsVersion()).toBe(version))
})

test('the builder of queries builds no change of accounts that the cache would not hear of', () => {
  const { build } = server.db
  // @ts-expect-error -- only `changeAccounts` builds it
  build.updateTable('users').set({ active: false })
  // @ts-expect-error -- only `changeAccounts` builds it
  build.updateTable('sessions').set({ expires_at: '' })
  // @ts-expect-error -- only `changeAccounts` builds it
  build.deleteFrom('users')
  // @ts-expect-error -- only `changeAccounts` builds it
  build.deleteFrom('sessions')
  // When somebody was last seen is no change that the cache must hear of.
  const seen = build.updateTable('users').set({ accessed_at: '' })
  expect(seen.compile().sql).toMatch(/^update "users" set "accessed_at" = (?:\?|\$1)$/)
})

/** A sign-in of Ann from another browser. */
function signIn(path: string): () => Promise<Reply> {
  return () => server.newBrowser().call('POST', path, { email: ann.email, password: TEST_PASSWORD })
}

/** What a mailed link has in it. */
async function secret(purpose: 'recovery' | 'verification') {
  const issued = await server.db.write((tx) => issue(tx, ann.id, purpose, server.clock.now()))
  return { userId: ann.id, secret: issued.secret }
}

/** Resolves when Ann is in the cache: at once on SQLite, and on PostgreSQL when the process listens to the others. */
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
