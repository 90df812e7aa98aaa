/** Callers are remembered between requests; these show that nobody is for longer than they may. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { changesAccounts } from '#storage/database.ts'
import type { Database } from '#storage/database.ts'
import { openDatabase } from '#storage/open.ts'
import { newTestDatabase } from '@stint/testing/databases.ts'
import type { TestDatabasePlace } from '@stint/testing/databases.ts'
import { createTestApp } from '@stint/testing/test-app.ts'
import type { TestApp, TestUser } from '@stint/testing/test-app.ts'

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

test('whoever is remembered is not asked for again, until their use is to be noted', async () => {
  await remembered()
  const reads = vi.spyOn(server.db, 'read')
  await ann.call('GET', '/databases/stint/collections/tasks/documents/t1')
  expect(reads).toHaveBeenCalledTimes(1)
  server.clock.advance(6 * MINUTE)
  await ann.call('GET', '/databases/stint/collections/tasks/documents/t1')
  expect(reads).toHaveBeenCalledTimes(4)
})

test('a change through this server counts in the next request', async () => {
  await remembered()
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
  await remembered()
  await beside.write((tx) => tx.run(beside.build.deleteFrom('sessions')))
  await vi.waitFor(async () => expect((await ann.call('GET', '/account')).status).toBe(401))
})

test('a person whom another process locks out or deletes is out here', async () => {
  const bob = await server.signedInUser('Bob')
  await remembered()
  await beside.write((tx) =>
    tx.run(beside.build.updateTable('users').set({ active: false }).where('id', '=', ann.id)),
  )
  await vi.waitFor(async () => expect((await ann.call('GET', '/account')).status).toBe(403))
  expect((await bob.call('GET', '/account')).status).toBe(200)
  await beside.write((tx) => tx.run(beside.build.deleteFrom('users').where('id', '=', bob.id)))
  await vi.waitFor(async () => expect((await bob.call('GET', '/account')).status).toBe(401))
})

test('who did nothing for too long is out, remembered or not', async () => {
  await remembered()
  server.clock.advance(31 * 24 * 60 * MINUTE)
  expect((await ann.call('GET', '/account')).status).toBe(401)
})

test('nobody is remembered while the other processes cannot be heard', async () => {
  await remembered()
  vi.spyOn(server.db, 'accountsVersion').mockReturnValue(null)
  const reads = vi.spyOn(server.db, 'read')
  await ann.call('GET', '/account')
  expect(reads).toHaveBeenCalledTimes(2)
})

test('every way to change an account is known, and to note its use is none', () => {
  const { build } = beside
  const at = '2026-01-15T12:00:00.000+00:00'
  expect(
    [
      build.deleteFrom('sessions').where('user_id', '=', 'u'),
      build.deleteFrom('users'),
      build.updateTable('users').set({ active: false }),
      build.updateTable('users').set({ accessed_at: at, active: false }).where('id', '=', 'u'),
      build.updateTable('sessions').set({ expires_at: at, seen_at: at }).where('id', '=', 's'),
    ].map((query) => changesAccounts(query.compile().sql)),
  ).not.toContain(false)
  expect(
    [
      build.updateTable('sessions').set({ seen_at: at }).where('id', '=', 's'),
      build.updateTable('users').set({ accessed_at: at }).where('id', '=', 'u'),
      build.selectFrom('users').selectAll(),
      build.deleteFrom('tokens'),
    ].map((query) => changesAccounts(query.compile().sql)),
  ).not.toContain(true)
})

/** Until the server knows Ann without asking: at once, but that it must have found its ears first. */
async function remembered(): Promise<void> {
  await vi.waitFor(async () => {
    await ann.call('GET', '/account')
    const reads = vi.spyOn(server.db, 'read')
    await ann.call('GET', '/account')
    const { length } = reads.mock.calls
    reads.mockRestore()
    expect(length).toBe(0)
  })
}
