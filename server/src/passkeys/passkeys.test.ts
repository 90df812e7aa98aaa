/** Signing up and in with passkeys, and the passkeys of an account, on both databases. */
import { beforeEach, expect, test } from 'vitest'
import { makePasskey } from '@stint/testing/authenticator.ts'
import {
  addPasskey,
  proofBy,
  signInWithPasskey,
  signUpWithPasskey,
} from '@stint/testing/passkeys.ts'
import { serverForFile, userForEach } from '@stint/testing/server-tests.ts'
import { createTestApp, TEST_PASSWORD } from '@stint/testing/test-app.ts'
import type { TestBrowser } from '@stint/testing/test-app.ts'
import { create as createInvite } from '#accounts/invites.ts'
import { wireInstant } from '#instant.ts'
import { MAX_CHALLENGES } from './challenges.ts'

const MINUTE = 60_000
const NEW_PASSWORD = 'another horse 22'
const lines: string[] = []
const server = serverForFile({
  logger: { level: 'info', stream: { write: (line: string) => void lines.push(line) } },
})
beforeEach(() => void (lines.length = 0))
const ann = userForEach(server)
let people = 0

test('somebody signs up with a passkey in place of a password, and signs in with it', async () => {
  const { browser, passkey, email } = await signedUp()
  const { body: account } = await browser.call('GET', '/account')
  expect(account).toMatchObject({
    $id: passkey.userId,
    email,
    name: 'Bea',
    emailVerification: false,
  })
  const list = await browser.call('GET', '/stint/passkeys')
  expect(list.body).toEqual({
    hasPassword: false,
    passkeys: [
      {
        id: expect.any(String),
        name: 'Phone',
        createdAt: '2026-01-15T12:00:00.000Z',
        lastUsedAt: null,
      },
    ],
  })

  server.clock.advance(MINUTE)
  const phone = server.newBrowser()
  const session = await signInWithPasskey(phone, passkey)
  expect(session).toMatchObject({
    status: 201,
    body: {
      userId: passkey.userId,
      provider: 'passkey',
      providerUid: list.body.passkeys[0].id,
      factors: ['passkey'],
      secret: '',
    },
  })
  expect(await lastUse(phone)).toBe('2026-01-15T12:01:00.000Z')
  expect((await phone.call('GET', '/account/sessions')).body.total).toBe(2)
  expect(securityEvents(passkey.userId)).toEqual(['account-created', 'sign-in', 'sign-in'])
})

test('no password signs in to an account without one', async () => {
  const { email } = await signedUp()
  const tried = await server.newBrowser().call('POST', '/account/sessions/email', {
    email,
    password: TEST_PASSWORD,
  })
  expect(tried.body.type).toBe('user_invalid_credentials')
})

test('a sign-in without "Remember me" ends with the browser', async () => {
  const { passkey } = await signedUp()
  const { headers } = await signInWithPasskey(
    server.newBrowser(),
    passkey,
    {},
    { 'x-stint-remember': 'no' },
  )
  const cookie = headers.getSetCookie().find((each) => each.startsWith('a_session_stint='))
  expect(cookie).not.toContain('Max-Age')
  const kept = await signInWithPasskey(server.newBrowser(), passkey)
  expect(kept.headers.getSetCookie()[0]).toContain('Max-Age=7776000')
})

test('a sign-in ends the session that the browser had', async () => {
  const { browser, passkey } = await signedUp()
  await signInWithPasskey(browser, passkey)
  expect((await browser.call('GET', '/account/sessions')).body.total).toBe(1)
})

test('an address that has an account is refused before a passkey is made', async () => {
  const begun = await server.newBrowser().call('POST', '/stint/passkeys/sign-up/options', {
    email: ann.email,
    name: 'Not Ann',
  })
  expect(begun).toMatchObject({ status: 409, body: { type: 'user_already_exists' } })
})

test('an address that gets an account meanwhile is refused', async () => {
  const email = 'meanwhile@example.com'
  const browser = server.newBrowser()
  const { body: options } = await browser.call('POST', '/stint/passkeys/sign-up/options', { email })
  const taken = { userId: 'unique()', email, password: TEST_PASSWORD, name: 'First' }
  expect((await server.newBrowser().call('POST', '/account', taken)).status).toBe(201)
  const { registration } = makePasskey(options)
  const ended = await browser.call('POST', '/stint/passkeys/sign-up', {
    email,
    passkeyName: 'Phone',
    registration,
  })
  expect(ended.body.type).toBe('user_already_exists')
})

test('a password or a passkey must confirm that a passkey is added', async () => {
  expect((await ann.call('POST', '/stint/passkeys/options', {})).body.type).toBe(
    'stint_proof_missing',
  )
  const wrong = await ann.call('POST', '/stint/passkeys/options', { password: NEW_PASSWORD })
  expect(wrong.body.type).toBe('user_invalid_credentials')
  expect(securityEvents(ann.id).at(-1)).toBe('proof-refused')

  const { passkey: first } = await addPasskey(ann, { password: TEST_PASSWORD }, 'Laptop')
  server.clock.advance(1)
  const { passkey: second } = await addPasskey(
    ann,
    { assertion: await proofBy(ann, first) },
    'Security key',
  )
  const { passkeys } = (await ann.call('GET', '/stint/passkeys')).body
  expect(passkeys).toMatchObject([{ name: 'Laptop' }, { name: 'Security key', lastUsedAt: null }])
  for (const passkey of [first, second]) {
    expect((await signInWithPasskey(server.newBrowser(), passkey)).body.userId).toBe(ann.id)
  }
})

test('the browser learns which passkeys the account has, so that no authenticator makes a second one', async () => {
  const { passkey: laptop } = await addPasskey(ann, { password: TEST_PASSWORD })
  const begun = await ann.call('POST', '/stint/passkeys/options', { password: TEST_PASSWORD })
  expect(begun.body).toMatchObject({
    rp: { id: 'localhost', name: 'Stint' },
    user: { name: ann.email },
    attestation: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: [{ id: laptop.id, transports: ['internal'] }],
  })
})

test('a passkey is renamed and removed, and the sessions that began with it end', async () => {
  const { passkey: laptop } = await addPasskey(ann, { password: TEST_PASSWORD })
  const phone = server.newBrowser()
  await signInWithPasskey(phone, laptop)
  const { id } = (await ann.call('GET', '/stint/passkeys')).body.passkeys[0]
  const renamed = await ann.call('PATCH', `/stint/passkeys/${id}`, { name: 'Old laptop' })
  expect(renamed.body.name).toBe('Old laptop')

  const removal = `/stint/passkeys/${id}/removal`
  expect((await ann.call('POST', removal, {})).body.type).toBe('stint_proof_missing')
  expect((await ann.call('POST', removal, { password: TEST_PASSWORD })).status).toBe(204)
  expect((await phone.call('GET', '/account')).status).toBe(401)
  expect((await ann.call('GET', '/account')).status).toBe(200)
  expect((await signInWithPasskey(phone, laptop)).body.type).toBe('stint_passkey_unknown')
  expect(securityEvents(ann.id)).toContain('passkey-removed')
})

test('the last passkey of an account without a password stays until there is one', async () => {
  const { browser, passkey } = await signedUp()
  const { id } = (await browser.call('GET', '/stint/passkeys')).body.passkeys[0]
  const removal = `/stint/passkeys/${id}/removal`
  const refused = await browser.call('POST', removal, {
    assertion: await proofBy(browser, passkey),
  })
  expect(refused).toMatchObject({ status: 409, body: { type: 'stint_passkey_last' } })
  // What is refused leaves nothing behind: the passkey still signs in.
  expect((await signInWithPasskey(server.newBrowser(), passkey)).status).toBe(201)

  const weak = { password: 'password1', assertion: await proofBy(browser, passkey) }
  expect((await browser.call('PUT', '/stint/passkeys/password', weak)).status).toBe(400)
  const set = { password: NEW_PASSWORD, assertion: await proofBy(browser, passkey) }
  expect((await browser.call('PUT', '/stint/passkeys/password', set)).status).toBe(200)
  expect((await browser.call('GET', '/account/sessions')).body.total).toBe(1)
  expect((await browser.call('POST', removal, { password: NEW_PASSWORD })).status).toBe(204)
})

test('an account has twenty passkeys at most', async () => {
  for (let count = 0; count < 20; count++) await addPasskey(ann, { password: TEST_PASSWORD })
  const more = await ann.call('POST', '/stint/passkeys/options', { password: TEST_PASSWORD })
  expect(more.body.type).toBe('stint_quota_exceeded')
})

test('the challenges of all people are bounded, and expired ones are deleted', async () => {
  const { db, clock } = server
  const expires_at = wireInstant(clock.now() + MINUTE)
  const rows = Array.from({ length: MAX_CHALLENGES }, (_, index) => ({
    challenge_hash: `flood ${index}`,
    purpose: 'sign-in' as const,
    user_id: null,
    session_id: null,
    expires_at,
  }))
  await db.write(async (tx) => {
    for (let from = 0; from < rows.length; from += 1000) {
      await tx.run(tx.build.insertInto('challenges').values(rows.slice(from, from + 1000)))
    }
  })
  const { passkey } = await signedUp()
  expect(await challengeCount()).toBeLessThan(MAX_CHALLENGES)
  expect((await signInWithPasskey(server.newBrowser(), passkey)).status).toBe(201)
  clock.advance(10 * MINUTE)
  await server.newBrowser().call('POST', '/stint/passkeys/sign-in/options', {})
  expect(await challengeCount()).toBe(1)
})

test('the passkeys go with the account', async () => {
  await addPasskey(ann, { password: TEST_PASSWORD })
  await ann.call('POST', '/stint/passkeys/options', { password: TEST_PASSWORD })
  const { email, password } = ann
  expect((await ann.call('POST', '/stint/account/deletion', { email, password })).status).toBe(204)
  const { db } = server
  for (const table of ['passkeys', 'challenges'] as const) {
    const query = db.build.selectFrom(table).select('user_id').where('user_id', '=', ann.id)
    expect(await db.read(query)).toEqual([])
  }
})

test.each([
  ['https://stint.example.com', 'stint.example.com'],
  ['https://192.0.2.7', null],
  ['http://stint.example.com', null],
  ['http://localhost:4000', 'localhost'],
])('at %s passkeys are those of %s', async (publicUrl, domain) => {
  const other = await createTestApp({ config: { publicUrl } })
  const info = await other.browser.call('GET', '/stint/info')
  expect(info.body.passkeyDomain).toBe(domain)
  const begun = await other.browser.call('POST', '/stint/passkeys/sign-in/options', {})
  expect(begun.status).toBe(domain === null ? 501 : 201)
  await other.close()
})

test('nobody signs up where sign-up is closed', async () => {
  const closed = await createTestApp({ config: { signup: 'closed' } })
  const person = { email: 'new@example.com' }
  const begun = await closed.browser.call('POST', '/stint/passkeys/sign-up/options', person)
  expect(begun.body.type).toBe('user_auth_method_unsupported')
  await closed.close()
})

test('where sign-up needs an invitation, one is used up with the account', async () => {
  const inviting = await createTestApp({ config: { signup: 'invite' } })
  const { db, clock } = inviting
  const { secret } = await createInvite(db, null, clock.now(), 10 * MINUTE)
  const signUpWith = async (email: string, headers: Record<string, string>) => {
    const { body } = await inviting.browser.call('POST', '/stint/passkeys/sign-up/options', {
      email,
    })
    const made = { email, passkeyName: 'Phone', registration: makePasskey(body).registration }
    return inviting.newBrowser().call('POST', '/stint/passkeys/sign-up', made, headers)
  }
  const without = await signUpWith('one@example.com', {})
  expect(without.body.type).toBe('stint_invite_invalid')
  expect((await signUpWith('one@example.com', { 'x-stint-invite': secret })).status).toBe(201)
  const again = await signUpWith('two@example.com', { 'x-stint-invite': secret })
  expect(again.body.type).toBe('stint_invite_invalid')
  await inviting.close()
})

/** Creates an account with a passkey alone. */
async function signedUp() {
  const browser = server.newBrowser()
  const email = `bea.${++people}@example.com`
  return { browser, email, ...(await signUpWithPasskey(browser, email)) }
}

async function lastUse(browser: TestBrowser) {
  return (await browser.call('GET', '/stint/passkeys')).body.passkeys[0].lastUsedAt
}

async function challengeCount(): Promise<number> {
  const { db } = server
  return (await db.read(db.build.selectFrom('challenges').select('purpose'))).length
}

function securityEvents(accountId: string): string[] {
  return lines
    .map((line) => JSON.parse(line))
    .filter((line) => line.accountId === accountId)
    .map(({ event }) => event)
}
