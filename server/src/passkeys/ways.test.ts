/**
 * What the other ways into an account mean for passkeys: a test for each cell of the table in docs/security.md. What ends
 * them is in `accounts/ways-in.test.ts` as well, beside all else that ends.
 */
import { beforeEach, expect, test } from 'vitest'
import { issueRecovery } from '#accounts/service.ts'
import * as users from '#accounts/users.ts'
import { readConfig } from '#config.ts'
import { createHub } from '#realtime/hub.ts'
import type { Passkey } from '@stint/testing/authenticator.ts'
import { addPasskey, signInWithPasskey, signUpWithPasskey } from '@stint/testing/passkeys.ts'
import { serverForFile, userForEach } from '@stint/testing/server-tests.ts'
import { programOf, TEST_PASSWORD } from '@stint/testing/test-app.ts'
import type { TestBrowser } from '@stint/testing/test-app.ts'

const NEW_PASSWORD = 'another horse 22'
const { authProxy, trustProxy } = readConfig({
  TRUST_PROXY: '127.0.0.1',
  AUTH_PROXY_HEADER: 'Remote-Email',
})
const server = serverForFile({ config: { authProxy, trustProxy } })
const ann = userForEach(server)
let passkey: Passkey
/** A device that has signed in with the passkey. */
let phone: TestBrowser

beforeEach(async () => {
  passkey = (await addPasskey(ann)).passkey
  phone = server.newBrowser()
  await signInWithPasskey(phone, passkey)
})

test('a new password keeps passkeys, and ends the sessions that began with one', async () => {
  const change = { password: NEW_PASSWORD, oldPassword: TEST_PASSWORD }
  expect((await ann.call('PATCH', '/account/password', change)).status).toBe(200)
  expect((await phone.call('GET', '/account')).status).toBe(401)
  expect((await signInWithPasskey(phone, passkey)).status).toBe(201)
})

test('a recovery ends passkeys, their sessions, and one that is being added', async () => {
  await recover(ann.id)
  expect((await phone.call('GET', '/account')).status).toBe(401)
  expect((await signInWithPasskey(phone, passkey)).body.type).toBe('stint_passkey_unknown')
})

test('a recovery opens an account without a password to its owner', async () => {
  const email = 'only.passkey@example.com'
  const { passkey: only } = await signUpWithPasskey(server.newBrowser(), email)
  await recover(only.userId)
  expect((await signInWithPasskey(phone, only)).body.type).toBe('stint_passkey_unknown')
  const credentials = { email, password: NEW_PASSWORD }
  const back = await server.newBrowser().call('POST', '/account/sessions/email', credentials)
  expect(back.status).toBe(201)
})

test('a new address ends passkeys, and the sessions that began with one', async () => {
  const { body: begun } = await ann.call('POST', '/stint/passkeys/options', {
    password: TEST_PASSWORD,
  })
  const change = { email: `new.${ann.email}`, password: TEST_PASSWORD }
  expect((await ann.call('PATCH', '/account/email', change)).status).toBe(200)
  expect((await phone.call('GET', '/account')).status).toBe(401)
  expect((await ann.call('GET', '/account')).status).toBe(200)
  expect((await signInWithPasskey(phone, passkey)).body.type).toBe('stint_passkey_unknown')
  expect(begun.challenge).toEqual(expect.any(String))
  const { db } = server
  const left = db.build.selectFrom('challenges').select('purpose').where('user_id', '=', ann.id)
  expect(await db.read(left)).toEqual([])
})

test('an address of an account without a password is not changed', async () => {
  const browser = server.newBrowser()
  await signUpWithPasskey(browser, 'stays@example.com')
  const change = { email: 'other@example.com', password: TEST_PASSWORD }
  const refused = await browser.call('PATCH', '/account/email', change)
  expect(refused.body.type).toBe('stint_password_missing')
})

test('the first sign-in by a proxy keeps passkeys of a verified address', async () => {
  await setVerified(true)
  expect((await signInByProxy()).body.userId).toBe(ann.id)
  expect((await signInWithPasskey(phone, passkey)).status).toBe(201)
})

test('the first sign-in by a proxy ends passkeys of an address that nobody verified', async () => {
  expect((await signInByProxy()).body.userId).toBe(ann.id)
  expect((await phone.call('GET', '/account')).status).toBe(401)
  expect((await signInWithPasskey(phone, passkey)).body.type).toBe('stint_passkey_unknown')
})

test('somebody of a proxy without a password adds a passkey without a proof, and signs in with it', async () => {
  const browser = server.newBrowser()
  await signInByProxy('proxied@example.com', browser)
  const { passkey: own } = await addPasskey(browser, {})
  expect((await signInWithPasskey(server.newBrowser(), own)).status).toBe(201)
  // From now on the account has something to prove it by.
  const again = await browser.call('POST', '/stint/passkeys/options', {})
  expect(again.body.type).toBe('stint_proof_missing')
})

test('behind a proxy that names somebody else, a session by a passkey counts nothing', async () => {
  expect((await accountBehindProxy('somebody@example.com')).status).toBe(401)
  expect((await accountBehindProxy(ann.email)).status).toBe(200)
})

test('a key neither sees nor adds passkeys', async () => {
  const { body: key } = await ann.call('POST', '/stint/keys', { name: 'Key', access: 'write' })
  const program = programOf(server.newBrowser(), key.secret)
  for (const reply of [
    await program('GET', '/passkeys'),
    await program('POST', '/passkeys/options', { password: TEST_PASSWORD }),
    await program('POST', '/passkeys/sign-in/options', {}),
  ]) {
    expect(reply).toMatchObject({ status: 403, body: { type: 'stint_key_forbidden' } })
  }
})

test('to sign out everywhere ends sessions and keeps passkeys', async () => {
  await ann.call('DELETE', '/account/sessions')
  expect((await phone.call('GET', '/account')).status).toBe(401)
  expect((await signInWithPasskey(phone, passkey)).status).toBe(201)
})

test('a blocked account keeps its passkeys, which are refused', async () => {
  await setActive(false)
  expect((await phone.call('GET', '/account')).body.type).toBe('user_blocked')
  expect((await signInWithPasskey(server.newBrowser(), passkey)).body.type).toBe('user_blocked')
  await setActive(true)
  expect((await signInWithPasskey(server.newBrowser(), passkey)).status).toBe(201)
})

async function recover(userId: string): Promise<void> {
  const { db } = server
  const hub = createHub(db, server.clock.now)
  const services = { db, hub, now: server.clock.now }
  const { secret } = await issueRecovery(services, userId, 60_000)
  await hub.shutDown()
  const body = { userId, secret, password: NEW_PASSWORD }
  expect((await server.newBrowser().call('PUT', '/account/recovery', body)).status).toBe(200)
}

/** Asks from the phone for the account, behind a proxy that names this person. */
function accountBehindProxy(email: string) {
  return phone.call('GET', '/account', undefined, { 'remote-email': email })
}

function signInByProxy(email = ann.email, browser = server.newBrowser()) {
  return browser.call('POST', '/stint/proxy/session', {}, { 'remote-email': email })
}

function setVerified(email_verified: boolean) {
  return change({ email_verified })
}

function setActive(active: boolean) {
  return change({ active })
}

function change(changes: users.UserChanges) {
  return server.db.write((tx) => users.change(tx, ann.id, changes, server.clock.now()))
}
