/** Codes after the password, on both databases. */
import { expect, test } from 'vitest'
import { issueRecovery } from '#accounts/service.ts'
import * as users from '#accounts/users.ts'
import { readConfig } from '#config.ts'
import { createHub } from '#realtime/hub.ts'
import { addPasskey, signInWithPasskey } from '@stint/testing/passkeys.ts'
import { codeOf, turnOn } from '@stint/testing/second-factor.ts'
import { serverForFile, userForEach } from '@stint/testing/server-tests.ts'
import { createTestApp, programOf, TEST_PASSWORD } from '@stint/testing/test-app.ts'
import type { TestApp, TestUser } from '@stint/testing/test-app.ts'
import { removeFor } from './service.ts'

const NEW_PASSWORD = 'another horse 22'
const STEP = 30_000
const { authProxy, trustProxy } = readConfig({
  TRUST_PROXY: '127.0.0.1',
  AUTH_PROXY_HEADER: 'Remote-Email',
})
const lines: string[] = []
const server = serverForFile({
  config: { authProxy, trustProxy },
  logger: { level: 'info', stream: { write: (line: string) => void lines.push(line) } },
})
const ann = userForEach(server)

test('codes are those of RFC 6238', () => {
  // The test vector of its appendix B, cut to six digits.
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
  expect([59_000, 1_111_111_109_000, 2_000_000_000_000].map((at) => codeOf(secret, at))).toEqual([
    '287082',
    '081804',
    '279037',
  ])
})

test('after the password a code is asked for, and a right one signs in', async () => {
  const { secret } = await turnedOn()
  const without = await signIn()
  expect(without).toMatchObject({ status: 401, body: { type: 'stint_code_required' } })
  expect(without.headers.getSetCookie()).toEqual([])
  expect((await signIn('000000')).body.type).toBe('stint_code_refused')
  expect((await signIn(codeOf(secret, server.clock.now()))).status).toBe(201)
  // Without the right password nothing says that there is a second factor.
  expect((await signIn(null, 'wrong horse 22')).body.type).toBe('user_invalid_credentials')
  const code = codeOf(secret, server.clock.now())
  expect((await signIn(code, 'wrong horse 22')).body.type).toBe('user_invalid_credentials')
})

test('a code signs in once, and so does none before it', async () => {
  const { secret } = await turnedOn()
  const now = server.clock.now()
  expect((await signIn(codeOf(secret, now))).status).toBe(201)
  expect((await signIn(codeOf(secret, now))).body.type).toBe('stint_code_refused')
  expect((await signIn(codeOf(secret, now - STEP))).body.type).toBe('stint_code_refused')
  expect((await signIn(codeOf(secret, now + STEP))).status).toBe(201)
  expect((await signIn(codeOf(secret, now))).body.type).toBe('stint_code_refused')
})

test('of the same code sent twice at once, one signs in', async () => {
  const { secret } = await turnedOn()
  const code = codeOf(secret, server.clock.now())
  const both = await Promise.all([signIn(code), signIn(code)])
  expect(both.filter(({ status }) => status === 201)).toHaveLength(1)
})

test.each([
  [-2, 401],
  [-1, 201],
  [1, 201],
  [2, 401],
])('a clock that is off by %i steps is answered with %i', async (steps, status) => {
  const { secret } = await turnedOn()
  server.clock.advance(10 * STEP)
  expect((await signIn(codeOf(secret, server.clock.now() + steps * STEP))).status).toBe(status)
})

test('ten recovery codes sign in, each once, in any spelling, and are stored as hashes', async () => {
  const { recoveryCodes } = await turnedOn()
  expect(recoveryCodes).toHaveLength(10)
  expect(new Set(recoveryCodes).size).toBe(10)
  const [first = '', second = ''] = recoveryCodes
  expect(first).toMatch(/^(?:[A-Z0-9]{4}-){3}[A-Z0-9]{4}$/)
  expect((await signIn(first)).status).toBe(201)
  expect((await signIn(first)).body.type).toBe('stint_code_refused')
  expect((await signIn(second.toLowerCase().replaceAll('-', ' '))).status).toBe(201)
  expect((await ann.call('GET', '/stint/second-factor')).body).toEqual({
    isOn: true,
    recoveryCodes: 8,
  })
  const { db } = server
  const rows = await db.read(db.build.selectFrom('recovery_codes').selectAll())
  expect(JSON.stringify([rows, lines])).not.toContain(second.replaceAll('-', ''))
})

test('nothing is asked for before a code has confirmed the app', async () => {
  const { body } = await ann.call('POST', '/stint/second-factor', { password: TEST_PASSWORD })
  expect(body.address).toContain(`secret=${body.secret}`)
  expect(body.address).toMatch(/^otpauth:\/\/totp\/Stint:/)
  expect((await signIn()).status).toBe(201)
  const wrong = await ann.call('POST', '/stint/second-factor/confirmation', { code: '000000' })
  expect(wrong.body.type).toBe('stint_code_refused')
  expect((await signIn()).status).toBe(201)
})

test('switching it on needs the password, and off a code', async () => {
  const wrong = await ann.call('POST', '/stint/second-factor', { password: NEW_PASSWORD })
  expect(wrong.body.type).toBe('user_invalid_credentials')
  expect((await ann.call('POST', '/stint/second-factor/removal', { code: '1' })).body.type).toBe(
    'stint_second_factor_off',
  )
  const { secret } = await turnedOn()
  const again = await ann.call('POST', '/stint/second-factor', { password: TEST_PASSWORD })
  expect(again.body.type).toBe('stint_second_factor_on')
  const refused = await ann.call('POST', '/stint/second-factor/removal', { code: '000000' })
  expect(refused.body.type).toBe('stint_code_refused')
  const code = codeOf(secret, server.clock.now())
  expect((await ann.call('POST', '/stint/second-factor/removal', { code })).status).toBe(204)
  expect((await signIn()).status).toBe(201)
  expect((await ann.call('GET', '/stint/second-factor')).body.recoveryCodes).toBe(0)
  const events = lines
    .map((line) => JSON.parse(line))
    .filter(({ accountId }) => accountId === ann.id)
    .map(({ event }) => event)
  expect(events).toEqual(expect.arrayContaining(['second-factor-on', 'second-factor-off']))
})

test('a passkey signs in without a code, as it asks for its owner', async () => {
  const { passkey } = await addPasskey(ann)
  await turnedOn()
  expect((await signInWithPasskey(server.newBrowser(), passkey)).status).toBe(201)
})

test('a new password keeps it', async () => {
  await turnedOn()
  const change = { password: NEW_PASSWORD, oldPassword: TEST_PASSWORD }
  expect((await ann.call('PATCH', '/account/password', change)).status).toBe(200)
  expect((await signIn(null, NEW_PASSWORD)).body.type).toBe('stint_code_required')
})

test('a new address keeps it', async () => {
  await turnedOn()
  const change = { email: `new.${ann.email}`, password: TEST_PASSWORD }
  expect((await ann.call('PATCH', '/account/email', change)).status).toBe(200)
  expect((await signIn(null, TEST_PASSWORD, change.email)).body.type).toBe('stint_code_required')
})

test.each([
  [true, 'keeps it', 'stint_code_required'],
  [false, 'ends it, as somebody else may have switched it on', undefined],
])('a recovery of an address that was verified (%s) before %s', async (isVerified, _, type) => {
  await turnedOn()
  await change({ email_verified: isVerified })
  await recover(ann)
  expect((await signIn(null, NEW_PASSWORD)).body.type).toBe(type)
})

test('a takeover by the owner of an unverified address ends it', async () => {
  await turnedOn()
  const header = { 'remote-email': ann.email }
  const entered = await server.newBrowser().call('POST', '/stint/proxy/session', {}, header)
  expect(entered.body.userId).toBe(ann.id)
  expect(await factorsOf(server, ann)).toBe(0)
})

test('a proxy signs in without a code: it may ask for one itself', async () => {
  await change({ email_verified: true })
  await turnedOn()
  const header = { 'remote-email': ann.email }
  const entered = await server.newBrowser().call('POST', '/stint/proxy/session', {}, header)
  expect(entered.body.userId).toBe(ann.id)
  expect(await factorsOf(server, ann)).toBe(1)
})

test('a key works without a code, and neither sees nor changes it', async () => {
  const { body: key } = await ann.call('POST', '/stint/keys', { name: 'Key', access: 'write' })
  await turnedOn()
  const program = programOf(server.newBrowser(), key.secret)
  expect((await program('GET', '/now', undefined)).status).not.toBe(401)
  expect((await program('GET', '/second-factor')).body.type).toBe('stint_key_forbidden')
})

test('it goes with the account, and the operator can remove it', async () => {
  await turnedOn()
  expect(await removeFor(server, ann.id)).toBe(true)
  expect((await signIn()).status).toBe(201)
  await turnedOn()
  const { email, password } = ann
  expect((await ann.call('POST', '/stint/account/deletion', { email, password })).status).toBe(204)
  expect(await factorsOf(server, ann)).toBe(0)
})

test('ten wrong codes an hour are tried with a right password, from all addresses together', async () => {
  const limited = await createTestApp({ config: { rateLimits: true, trustProxy: '127.0.0.1' } })
  const user = await limited.signedInUser()
  const { secret } = await turnOn(user, limited.clock.now())
  limited.clock.advance(STEP)
  const tryFrom = (address: string, code: string) =>
    limited
      .newBrowser()
      .call(
        'POST',
        '/account/sessions/email',
        { email: user.email, password: user.password },
        { 'x-stint-code': code, 'x-forwarded-for': address },
      )
  for (let count = 0; count < 10; count++) {
    const refused = await tryFrom(`192.0.2.${count}`, '000000')
    expect(refused.body.type).toBe('stint_code_refused')
  }
  const code = codeOf(secret, limited.clock.now())
  expect((await tryFrom('192.0.2.99', code)).status).toBe(429)
  limited.clock.advance(3_600_000)
  expect((await tryFrom('192.0.2.99', codeOf(secret, limited.clock.now()))).status).toBe(201)
  await limited.close()
})

/** Switches it on, and waits for the next code: the one that confirmed it signs nobody in. */
async function turnedOn() {
  const made = await turnOn(ann, server.clock.now())
  server.clock.advance(STEP)
  return made
}

function signIn(code: string | null = null, password = TEST_PASSWORD, email = ann.email) {
  const headers: Record<string, string> = code === null ? {} : { 'x-stint-code': code }
  const credentials = { email, password }
  return server.newBrowser().call('POST', '/account/sessions/email', credentials, headers)
}

function change(changes: users.UserChanges) {
  return server.db.write((tx) => users.change(tx, ann.id, changes, server.clock.now()))
}

async function recover({ id }: TestUser): Promise<void> {
  const { db } = server
  const hub = createHub(db, server.clock.now)
  const { secret } = await issueRecovery({ db, hub, now: server.clock.now }, id, 60_000)
  await hub.shutDown()
  const body = { userId: id, secret, password: NEW_PASSWORD }
  expect((await server.newBrowser().call('PUT', '/account/recovery', body)).status).toBe(200)
}

async function factorsOf({ db }: TestApp, { id }: TestUser): Promise<number> {
  const query = db.build.selectFrom('second_factors').select('user_id').where('user_id', '=', id)
  return (await db.read(query)).length
}
