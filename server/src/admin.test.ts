import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newTestDatabase } from '@stint/testing/databases.ts'
import type { TestDatabasePlace } from '@stint/testing/databases.ts'
import { VERSION } from '@stint/core/version.ts'
import { compared } from '#storage/inspect.ts'
import { SCHEMA_VERSION } from '#storage/migrations.ts'
import { openDatabase } from '#storage/open.ts'
import { runAdmin } from './admin.ts'
import { readConfig } from './config.ts'
import { OperatorError } from './operator-error.ts'
import { createTestApp, TEST_PASSWORD } from '@stint/testing/test-app.ts'
import type { TestApp, TestUser } from '@stint/testing/test-app.ts'
import { testSockets } from '@stint/testing/test-sockets.ts'

const isSqlite = process.env['TEST_DATABASE'] !== 'postgres'
let place: TestDatabasePlace
let server: TestApp
let ann: TestUser
let folder: string

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stint-admin-'))
  place = await newTestDatabase()
  server = await createTestApp({ url: place.url, now: Date.now() })
  ann = await server.signedInUser('Ann')
})
afterEach(async () => {
  await server.close()
  await place.remove()
  rmSync(folder, { recursive: true })
})

test('list-users lists all accounts while the server runs', async () => {
  expect(await admin('list-users')).toMatch(/^ann@example\.com\t\w+\tactive\t.*\tAnn$/)
})

test('names of accounts do not control the terminal of the operator', async () => {
  await ann.call('PATCH', '/account/name', { name: 'Ann\u001B]0;x\u0007\u009B2J\nroot' })
  expect(await admin('list-users')).toMatch(/\tAnn\uFFFD\]0;x\uFFFD\uFFFD2J\uFFFDroot$/)
  await ann.call('PATCH', '/account/name', { name: 'Ann\u202Emda\u2066\u2028' })
  expect(await admin('list-users')).toMatch(/\tAnn\uFFFDmda\uFFFD\uFFFD$/)
})

test('addresses of accounts and invitations do not control the terminal of the operator', async () => {
  const { body } = await server.newBrowser().call('POST', '/account', {
    userId: 'eve',
    email: 'eve\u202E@example.com',
    password: TEST_PASSWORD,
    name: 'Eve',
  })
  // The address is told to nobody else, so it stays as it was typed.
  expect(body.email).toBe('eve\u202E@example.com')
  const outputs = [
    await admin('list-users'),
    await admin('disable-user', body.email),
    await admin('enable-user', body.email),
    await admin('unlink-user', body.email),
    await admin('remove-code', body.email),
    await admin('invite', body.email),
    await admin('list-invites'),
    await admin('delete-user', body.email),
  ]
  for (const output of outputs) expect(output).not.toContain('\u202E')
})

test('reset-link prints a link that sets a new password once', async () => {
  const link = new URL(await admin('reset-link', 'Ann@example.com'))
  expect(link.href).toMatch(/^http:\/\/localhost:3000\/recovery\?userId=/)
  const { userId, secret } = Object.fromEntries(link.searchParams)
  const guest = server.newBrowser()
  const recover = () =>
    guest.call('PUT', '/account/recovery', { userId, secret, password: 'new horse 22' })
  expect((await recover()).status).toBe(200)
  expect((await recover()).body.type).toBe('user_invalid_token')
  expect((await ann.call('GET', '/account')).status).toBe(401)
  const signIn = (password: string) =>
    guest.call('POST', '/account/sessions/email', { email: ann.email, password })
  expect((await signIn(TEST_PASSWORD)).status).toBe(401)
  expect((await signIn('new horse 22')).status).toBe(201)
})

test('disable-user blocks sign-in, and enable-user allows it again', async () => {
  await admin('disable-user', ann.email)
  expect((await ann.call('GET', '/account')).status).toBe(401)
  const signIn = () => server.newBrowser().call('POST', '/account/sessions/email', ann)
  expect(await signIn()).toMatchObject({ status: 403, body: { type: 'user_blocked' } })
  await admin('enable-user', ann.email)
  expect((await signIn()).status).toBe(201)
})

test.each(['disable-user', 'delete-user'])(
  '%s closes the sockets of the user at the running server',
  async (command) => {
    await server.app.listen({ host: '127.0.0.1', port: 0 })
    const sockets = testSockets()
    const laptop = await sockets.subscribed(server, ann, ['account'])
    await admin(command, ann.email)
    expect(await laptop.closed).toBe(4401)
    sockets.closeAll()
  },
)

test('reset-link works for a disabled user, who still cannot sign in until enabled', async () => {
  await admin('disable-user', ann.email)
  const link = new URL(await admin('reset-link', ann.email))
  const { userId, secret } = Object.fromEntries(link.searchParams)
  const guest = server.newBrowser()
  const password = 'new horse 22'
  expect((await guest.call('PUT', '/account/recovery', { userId, secret, password })).status).toBe(
    200,
  )
  const signIn = () => guest.call('POST', '/account/sessions/email', { email: ann.email, password })
  expect((await signIn()).body.type).toBe('user_blocked')
  await admin('enable-user', ann.email)
  expect((await signIn()).status).toBe(201)
})

test('delete-user deletes the user with all data', async () => {
  const path = '/databases/stint/collections/tasks/documents'
  await ann.call('POST', path, { documentId: 't1', data: { name: 'x', userId: ann.id } })
  await admin('delete-user', ann.email)
  for (const table of ['users', 'sessions', 'tasks'] as const) {
    expect(await server.db.read(server.db.build.selectFrom(table).selectAll())).toEqual([])
  }
  await expect(admin('reset-link', ann.email)).rejects.toThrow('There is no account')
})

test.runIf(isSqlite)(
  'backup copies the database while it is in use, and restore-check refuses a bad copy',
  async () => {
    const copy = join(folder, 'copy.db')
    expect(await admin('backup', copy)).toMatch(
      new RegExp(`^Copied: .* \\(schema ${SCHEMA_VERSION}, 1 users, 0 tasks`),
    )
    expect(await admin('restore-check', copy)).toMatch(/^Intact/)
    const restored = await createTestApp({
      db: await openDatabase(`file:${copy}`),
      now: Date.now(),
    })
    expect((await restored.newBrowser().call('POST', '/account/sessions/email', ann)).status).toBe(
      201,
    )
    await restored.close()
    await restored.db.close()
    writeFileSync(copy, 'junk')
    await expect(admin('restore-check', copy)).rejects.toThrow('cannot be used as a backup')
    await expect(admin('restore-check', join(folder, 'none.db'))).rejects.toThrow(
      'cannot be opened',
    )
  },
)

test.runIf(isSqlite)('backup does not replace the database, nor a part of it', async () => {
  const file = place.url.replace(/^file:/, '')
  const link = join(folder, 'link.db')
  symlinkSync(file, link)
  const before = statSync(file).ino
  for (const target of [file, `${file}-wal`, `${file}.lock`, link]) {
    await expect(admin('backup', target)).rejects.toThrow('is the database itself')
  }
  expect(statSync(file).ino).toBe(before)
})

test.runIf(isSqlite)('a backup that cannot be made says why in a sentence', async () => {
  for (const [target, reason] of [
    [join(folder, 'none', 'copy.db'), 'ENOENT'],
    [folder, 'EISDIR'],
  ] as const) {
    const refused = admin('backup', target)
    await expect(refused).rejects.toBeInstanceOf(OperatorError)
    await expect(refused).rejects.toThrow(reason)
  }
})

test.runIf(isSqlite)(
  'restore puts a backup in the place of the database, once the server has stopped',
  async () => {
    const copy = join(folder, 'copy.db')
    await admin('backup', copy)
    await ann.call('PATCH', '/account/name', { name: 'Ann B' })
    await expect(admin('restore', copy)).rejects.toThrow('A Stint server is using')
    await server.close()
    const lines = (await admin('restore', copy)).split('\n')
    expect(lines).toEqual([
      expect.stringMatching(/^Restored: .*copy\.db \(schema \d+, 1 users, 0 tasks, 0 entries\)$/),
      expect.stringMatching(
        /^The database as it was before: .*\/safe\/stint-before-restore-\d{4}-\d\d-\d\dT\d{6}Z\.db$/,
      ),
      'Start the server. Devices send again what was saved after the backup, as soon as they are open.',
    ])
    expect(await admin('list-users')).toMatch(/\tAnn$/)
    server = await createTestApp({ url: place.url, now: Date.now() })
  },
)

test('version names the versions of Stint and of its database, and which is newer', async () => {
  expect((await admin('version')).split('\n')).toEqual([
    `Stint ${VERSION}, schema ${SCHEMA_VERSION}`,
    expect.stringMatching(
      new RegExp(
        `^Database: ${isSqlite ? 'SQLite' : 'PostgreSQL'} at \\S+, schema ${SCHEMA_VERSION}$`,
      ),
    ),
    'The database fits this version of Stint.',
  ])
  expect(compared(null)).toMatch(/^There is no database yet/)
  expect(compared(SCHEMA_VERSION - 1)).toMatch(/^The database is older .* migrates it/)
  expect(compared(SCHEMA_VERSION + 1)).toMatch(/^The database is NEWER .* does not open it/)
})

test.runIf(isSqlite)('version tells that there is no database, and creates none', async () => {
  const url = `file:${join(folder, 'none.db')}`
  expect(await runAdmin(readConfig({ DATABASE_URL: url }), ['version'])).toContain('none yet')
  expect(existsSync(join(folder, 'none.db'))).toBe(false)
})

test('an unknown command and a missing argument are refused with the usage', async () => {
  await expect(admin('help')).rejects.toThrow('Usage:')
  await expect(admin('delete-user')).rejects.toThrow('The command needs <email>.')
})

function admin(...args: string[]): Promise<string> {
  const environment = { DATABASE_URL: place.url, BACKUP_DIR: join(folder, 'safe') }
  return runAdmin(readConfig(environment), args)
}
