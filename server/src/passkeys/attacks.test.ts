/** What must not get into an account by a passkey, on both databases. */
import { beforeEach, expect, test } from 'vitest'
import { cborText, makePasskey, signWith } from '@stint/testing/authenticator.ts'
import type { Lies, Passkey } from '@stint/testing/authenticator.ts'
import { addPasskey, signInWithPasskey } from '@stint/testing/passkeys.ts'
import { serverForFile, userForEach } from '@stint/testing/server-tests.ts'
import { createTestApp, TEST_PASSWORD } from '@stint/testing/test-app.ts'

const MINUTE = 60_000
const server = serverForFile()
const ann = userForEach(server)
const bob = userForEach(server)
let passkey: Passkey
let bobs: Passkey

beforeEach(async () => {
  passkey = (await addPasskey(ann)).passkey
  bobs = (await addPasskey(bob)).passkey
})

test.each<[string, Lies]>([
  ['with a forged signature', { isForged: true }],
  ['of a page of another origin', { origin: 'https://evil.example.com' }],
  ['of a page of another port', { origin: 'http://localhost:3001' }],
  ['of another domain', { domain: 'evil.example.com' }],
  ['from a frame in a page of another site', { crossOrigin: true }],
  ['whose owner was not verified', { isVerified: false }],
  ['that names another account', { userId: 'somebody' }],
  ['whose counter stays', { counter: 7 }],
  ['whose counter goes back', { counter: 3 }],
  ['that stops to count', { counter: 0 }],
])('a sign-in %s is refused', async (_, lies) => {
  expect((await signIn({ counter: 7 })).status).toBe(201)
  const refused = await signIn(lies)
  expect(refused).toMatchObject({ status: 403, body: { type: 'stint_passkey_refused' } })
  expect(refused.headers.getSetCookie()).toEqual([])
  passkey.counter = 7
  expect((await signIn()).status).toBe(201)
})

test('a passkey that does not count signs in again and again', async () => {
  for (let time = 0; time < 2; time++) expect((await signIn({ counter: 0 })).status).toBe(201)
})

test('an assertion signs in once, accepted or not', async () => {
  for (const [lies, first] of [
    [{}, 'accepted'],
    [{ isForged: true }, 'stint_passkey_refused'],
  ] as const) {
    const options = await signInOptions()
    const assertion = signWith(passkey, options, lies)
    const once = await send(assertion)
    expect(once.body.type ?? 'accepted').toBe(first)
    expect((await send(assertion)).body.type).toBe('stint_passkey_expired')
    // Nor does a good answer to the same challenge.
    expect((await send(signWith(passkey, options))).body.type).toBe('stint_passkey_expired')
  }
})

test('of the same assertion sent twice at once, one signs in', async () => {
  const assertion = signWith(passkey, await signInOptions())
  const both = await Promise.all([send(assertion), send(assertion)])
  expect(both.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(both.filter(({ status }) => status === 403)).toHaveLength(1)
})

test('a challenge is valid for five minutes', async () => {
  const early = await signInOptions()
  const late = await signInOptions()
  server.clock.advance(5 * MINUTE - 1)
  expect((await send(signWith(passkey, early))).status).toBe(201)
  server.clock.advance(1)
  expect((await send(signWith(passkey, late))).body.type).toBe('stint_passkey_expired')
})

test('a challenge of the attacker’s own making is refused', async () => {
  const made = { challenge: Buffer.alloc(32, 1).toString('base64url') }
  expect((await send(signWith(passkey, made))).body.type).toBe('stint_passkey_expired')
})

test('a challenge is for one purpose and one session', async () => {
  const begun = await ann.call('POST', '/stint/passkeys/proof/options', {})
  expect((await send(signWith(passkey, begun.body))).body.type).toBe('stint_passkey_expired')

  const password = { password: TEST_PASSWORD }
  const { body: own } = await ann.call('POST', '/stint/passkeys/options', password)
  const elsewhere = makePasskey(own).registration
  const byBob = await bob.call('POST', '/stint/passkeys', { name: 'X', registration: elsewhere })
  expect(byBob.body.type).toBe('stint_passkey_expired')

  const phone = server.newBrowser()
  await phone.call('POST', '/account/sessions/email', { email: ann.email, ...password })
  const { body: again } = await ann.call('POST', '/stint/passkeys/options', password)
  const registration = makePasskey(again).registration
  const byPhone = await phone.call('POST', '/stint/passkeys', { name: 'X', registration })
  expect(byPhone.body.type).toBe('stint_passkey_expired')

  const assertion = signWith(passkey, await signInOptions())
  const proven = await ann.call('POST', '/stint/passkeys/options', { assertion })
  expect(proven.body.type).toBe('stint_passkey_expired')
})

test('a passkey of another account confirms nothing', async () => {
  const { body } = await ann.call('POST', '/stint/passkeys/proof/options', {})
  const assertion = signWith(bobs, body)
  const begun = await ann.call('POST', '/stint/passkeys/options', { assertion })
  expect(begun.body.type).toBe('stint_passkey_unknown')
})

test('a passkey of another account is neither renamed nor removed', async () => {
  const { id } = (await bob.call('GET', '/stint/passkeys')).body.passkeys[0]
  const renamed = await ann.call('PATCH', `/stint/passkeys/${id}`, { name: 'Mine' })
  const password = { password: TEST_PASSWORD }
  const removed = await ann.call('POST', `/stint/passkeys/${id}/removal`, password)
  for (const { body } of [renamed, removed]) expect(body.type).toBe('stint_passkey_not_found')
  expect((await signIn({}, bobs)).status).toBe(201)
})

test('an id that an account has is not taken over by another passkey', async () => {
  const { body } = await ann.call('POST', '/stint/passkeys/options', { password: TEST_PASSWORD })
  const { registration } = makePasskey(body)
  const taken = await ann.call('POST', '/stint/passkeys', {
    name: 'X',
    registration: { ...registration, id: bobs.id, rawId: bobs.id },
  })
  expect(taken.body.type).toBe('stint_passkey_refused')
})

test.each<[string, Lies]>([
  ['of a page of another origin', { origin: 'https://evil.example.com' }],
  ['of another domain', { domain: 'evil.example.com' }],
  ['from a frame in a page of another site', { crossOrigin: true }],
  ['whose owner was not verified', { isVerified: false }],
  ['with a certificate', { attestation: withCertificate() }],
  ['that attests nothing readable', { attestation: Buffer.from('ff', 'hex') }],
])('a new passkey %s is refused', async (_, lies) => {
  const { body } = await ann.call('POST', '/stint/passkeys/options', { password: TEST_PASSWORD })
  const { registration } = makePasskey(body, lies)
  const refused = await ann.call('POST', '/stint/passkeys', { name: 'X', registration })
  expect(refused.body.type).toBe('stint_passkey_refused')
  const honest = makePasskey(body).registration
  const again = await ann.call('POST', '/stint/passkeys', { name: 'X', registration: honest })
  expect(again.body.type).toBe('stint_passkey_expired')
})

test('a passkey that was begun before the session ended is not added', async () => {
  const { body } = await ann.call('POST', '/stint/passkeys/options', { password: TEST_PASSWORD })
  const { registration } = makePasskey(body)
  await ann.call('DELETE', '/account/sessions')
  const email = { email: ann.email, password: TEST_PASSWORD }
  await ann.call('POST', '/account/sessions/email', email)
  const added = await ann.call('POST', '/stint/passkeys', { name: 'X', registration })
  expect(added.body.type).toBe('stint_passkey_expired')
})

test.each([
  ['too long', { id: 'a'.repeat(2000) }],
  ['no base64url', { id: '%%%' }],
  ['without what was signed', { response: {} }],
])('an answer that is %s is refused with a sentence', async (_, change) => {
  const assertion = { ...signWith(passkey, await signInOptions()), ...change }
  expect(await send(assertion)).toMatchObject({
    status: 400,
    body: {
      type: 'general_argument_invalid',
      message:
        'Invalid `assertion` param: Value must be what WebAuthn returns of a passkey, as JSON.',
    },
  })
})

test('a body that is too large is not read', async () => {
  const body = { assertion: { id: 'a'.repeat(70_000) } }
  const refused = await server.newBrowser().call('POST', '/stint/passkeys/sign-in', body)
  expect(refused.body.message).toBe('The request body is too large.')
})

test('a blocked account is not signed in to', async () => {
  await ann.call('PATCH', '/account/status')
  expect((await signIn()).body.type).toBe('user_blocked')
})

test('refused sign-ins exhaust the limit of the address, and right ones do not', async () => {
  const limited = await createTestApp({ config: { rateLimits: true } })
  const user = await limited.signedInUser()
  const { passkey: own } = await addPasskey(user)
  const tried = (lies: Lies) => signInWithPasskey(limited.newBrowser(), own, lies)
  expect((await tried({})).status).toBe(201)
  for (let count = 0; count < 100; count++) {
    expect((await tried({ isForged: true, counter: 1 })).status).toBe(403)
  }
  own.counter = 5
  expect((await tried({})).status).toBe(429)
  // A password is refused as well.
  const { email, password } = user
  const byPassword = await limited.browser.call('POST', '/account/sessions/email', {
    email,
    password,
  })
  expect(byPassword.status).toBe(429)
  await limited.close()
})

test('the proofs of a session are limited as passwords are', async () => {
  const limited = await createTestApp({ config: { rateLimits: true } })
  const user = await limited.signedInUser()
  const wrong = { password: 'another horse 22' }
  for (let count = 0; count < 10; count++) {
    expect((await user.call('POST', '/stint/passkeys/options', wrong)).status).toBe(401)
  }
  const right = { password: TEST_PASSWORD }
  expect((await user.call('POST', '/stint/passkeys/options', right)).status).toBe(429)
  await limited.close()
})

/** A statement of the format `packed` with a list of certificates. */
function withCertificate(): Buffer {
  return Buffer.concat([
    cborText('fmt'),
    cborText('packed'),
    cborText('attStmt'),
    Buffer.from('a3', 'hex'),
    cborText('alg'),
    Buffer.from('26', 'hex'),
    cborText('sig'),
    Buffer.from('4100', 'hex'),
    cborText('x5c'),
    Buffer.from('814100', 'hex'),
  ])
}

function signIn(lies: Lies = {}, own = passkey) {
  return signInWithPasskey(server.newBrowser(), own, lies)
}

async function signInOptions() {
  return (await server.newBrowser().call('POST', '/stint/passkeys/sign-in/options', {})).body
}

function send(assertion: object) {
  return server.newBrowser().call('POST', '/stint/passkeys/sign-in', { assertion })
}
