/** What ends with a new address, a recovered password and a takeover, on both databases. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { readConfig } from '#config.ts'
import { openTestDatabase } from '@stint/testing/databases.ts'
import { callTool, PROPOSAL } from '@stint/testing/mcp.ts'
import { addPasskey } from '@stint/testing/passkeys.ts'
import { createTestApp, programOf, TEST_PASSWORD } from '@stint/testing/test-app.ts'
import type { Program, TestApp, TestBrowser, TestUser } from '@stint/testing/test-app.ts'
import { testSockets } from '@stint/testing/test-sockets.ts'
import { createHub } from '#realtime/hub.ts'
import type { Hub } from '#realtime/hub.ts'
import type { Database } from '#storage/database.ts'
import * as identities from './identities.ts'
import * as accounts from './service.ts'
import * as users from './users.ts'

const NEW_PASSWORD = 'another horse 22'
const PROXY = readConfig({ TRUST_PROXY: '127.0.0.1', AUTH_PROXY_HEADER: 'Remote-Email' })
const TABLES = [
  'passkeys',
  'identities',
  'keys',
  'webhooks',
  'feeds',
  'proposals',
  'tokens',
] as const

let db: Database
let hub: Hub
let server: TestApp
let ann: TestUser
/** A device of the person whom the proxy has signed in. */
let linked: TestBrowser
let key: { id: string; secret: string }
let program: Program
let calendar: string
const sockets = testSockets()

// A server is for all tests, and a person for each, whom no other one meets.
beforeAll(async () => {
  db = await openTestDatabase()
  hub = createHub(db, Date.now)
  const { authProxy, trustProxy } = PROXY
  server = await createTestApp({
    db,
    config: { authProxy, trustProxy, webhooksAllowPrivate: true },
  })
  await server.app.listen({ port: 0, host: '127.0.0.1' })
})
beforeEach(async () => {
  ann = await server.signedInUser()
  await setVerified(true)
  linked = server.newBrowser()
  await signInByProxy(linked)
  await addPasskey(ann)
  key = (await ann.call('POST', '/stint/keys', { name: 'Key', access: 'write' })).body
  program = programOf(server.newBrowser(), key.secret)
  calendar = (await ann.call('PUT', '/stint/feed', {})).body.path
  const webhook = { url: 'http://127.0.0.1:9/hook' }
  await ann.call('PUT', `/stint/keys/${key.id}/webhook`, webhook)
  await callTool(ann, key.secret, 'propose_changes', PROPOSAL)
  await accounts.issueRecovery(services(), ann.id, 60_000)
})
afterEach(() => sockets.closeAll())
afterAll(async () => {
  await server.close()
  await hub.shutDown()
  await db.close()
})

const PROOFS = [
  ['a new address', () => changeEmail()],
  ['a recovered password', () => recover()],
  ['a takeover by the owner of the address', () => takeOver()],
] as const

test.each(PROOFS)(
  '%s ends passkeys, links, keys, webhooks, the calendar address, proposals and mailed links',
  async (_, prove) => {
    const before = await Promise.all(TABLES.map(rowsOf))
    expect(before).toEqual(TABLES.map(() => 1))
    await prove()
    const left = await Promise.all(
      TABLES.map(async (table) => ({ table, rows: await rowsOf(table) })),
    )
    // The takeover has linked the owner.
    const rows = (table: string) => (prove === PROOFS[2][1] && table === 'identities' ? 1 : 0)
    expect(left).toEqual(TABLES.map((table) => ({ table, rows: rows(table) })))
    expect((await program('GET', '/keys/current')).body.type).toBe('stint_key_invalid')
    await expect(callTool(ann, key.secret, 'propose_changes', PROPOSAL)).rejects.toThrow('401')
    expect((await server.app.inject(calendar)).statusCode).toBe(404)
    const header = { 'remote-email': ann.email }
    expect((await linked.call('GET', '/account', undefined, header)).status).toBe(401)
  },
)

test('a new address keeps the sign-ins by password, and ends those by a link but for the own', async () => {
  const phone = server.newBrowser()
  await phone.call('POST', '/account/sessions/email', ann)
  expect((await changeEmail()).status).toBe(200)
  expect((await ann.call('GET', '/account')).status).toBe(200)
  expect((await phone.call('GET', '/account')).status).toBe(200)
  expect((await linked.call('GET', '/account')).status).toBe(401)
})

test('whoever changes the address in a sign-in by a link stays signed in there', async () => {
  const change = { email: `new.${ann.email}`, password: TEST_PASSWORD }
  const tablet = server.newBrowser()
  await signInByProxy(tablet)
  expect((await linked.call('PATCH', '/account/email', change)).status).toBe(200)
  expect((await linked.call('GET', '/account')).status).toBe(200)
  expect((await tablet.call('GET', '/account')).status).toBe(401)
})

test('after a new address, the old person of the proxy has another account, and the owner of the new one gets this', async () => {
  await changeEmail()
  const former = server.newBrowser()
  await signInByProxy(former)
  expect((await former.call('GET', '/account')).body.$id).not.toBe(ann.id)
  const owner = server.newBrowser()
  expect((await signInByProxy(owner, `new.${ann.email}`)).body.userId).toBe(ann.id)
})

test('after a recovery, the next sign-in by the proxy links the account again', async () => {
  await recover()
  expect((await signInByProxy(server.newBrowser())).body.userId).toBe(ann.id)
  expect(await rowsOf('identities')).toBe(1)
})

test('a socket closes with the link that its sign-in began by, and the others hear of the keys', async () => {
  const closing = await sockets.subscribed(server, linked, ['account'])
  const open = await sockets.subscribed(server, ann, ['account'])
  await changeEmail()
  expect(await closing.closed).toBe(4401)
  const events: string[] = []
  while (!events.includes(`users.${ann.id}.update.email`)) {
    events.push(...(await open.next()).data.events)
  }
  expect(events).toContain(`users.${ann.id}.keys.${key.id}.delete`)
})

test('what an assistant proposes with a key that is revoked meanwhile is refused', async () => {
  // The key is revoked after it was found, and before the proposal is stored.
  const write = db.write.bind(db)
  let isRevoked = false
  db.write = async (work) => {
    if (!isRevoked) {
      isRevoked = true
      await changeEmail()
    }
    return write(work)
  }
  await expect(callTool(ann, key.secret, 'propose_changes', PROPOSAL)).rejects.toThrow(
    'stint_key_invalid',
  )
  db.write = write
  expect(isRevoked).toBe(true)
  expect(await rowsOf('proposals')).toBe(0)
})

test('a change of the address that is refused ends nothing', async () => {
  const { email } = await server.signedInUser()
  const wrong = { email: `new.${ann.email}`, password: 'wrong horse 1' }
  const taken = { email, password: TEST_PASSWORD }
  expect((await ann.call('PATCH', '/account/email', wrong)).status).toBe(401)
  expect((await ann.call('PATCH', '/account/email', taken)).status).toBe(409)
  for (const table of TABLES)
    expect({ table, rows: await rowsOf(table) }).toEqual({ table, rows: 1 })
  expect((await program('GET', '/keys/current')).status).toBe(200)
  expect((await linked.call('GET', '/account')).status).toBe(200)
})

function changeEmail() {
  const change = { email: `new.${ann.email}`, password: TEST_PASSWORD }
  return ann.call('PATCH', '/account/email', change)
}

async function recover() {
  const { secret } = await accounts.issueRecovery(services(), ann.id, 60_000)
  const body = { userId: ann.id, secret, password: NEW_PASSWORD }
  const reply = await server.newBrowser().call('PUT', '/account/recovery', body)
  expect(reply.status).toBe(200)
  return reply
}

/** Signs the owner of an address in that nobody has verified and that has links of somebody else. */
async function takeOver() {
  await db.write(async (tx) => {
    await identities.unlinkAll(tx, ann.id)
    await identities.link(tx, ann.id, { issuer: 'proxy', subject: `thief.${ann.email}` }, 0)
  })
  await setVerified(false)
  const reply = await signInByProxy(server.newBrowser())
  expect(reply.body.userId).toBe(ann.id)
  return reply
}

function services() {
  return { db, hub, now: server.clock.now }
}

function signInByProxy(browser: TestBrowser, email = ann.email) {
  return browser.call('POST', '/stint/proxy/session', {}, { 'remote-email': email })
}

function setVerified(email_verified: boolean) {
  return db.write((tx) => users.change(tx, ann.id, { email_verified }, server.clock.now()))
}

async function rowsOf(table: (typeof TABLES)[number]): Promise<number> {
  const query = db.build.selectFrom(table).select('user_id').where('user_id', '=', ann.id)
  return (await db.read(query)).length
}
