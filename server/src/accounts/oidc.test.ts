/** Signing in with a real OpenID Connect provider, on both databases. */
import { sign } from '@fastify/cookie'
import { hash } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { readConfig } from '#config.ts'
import type { Config } from '#config.ts'
import { openTestDatabase } from '@stint/testing/databases.ts'
import { startTestProvider } from '@stint/testing/sign-in-provider.ts'
import type { TestProvider } from '@stint/testing/sign-in-provider.ts'
import type { Database } from '#storage/database.ts'
import { createTestApp } from '@stint/testing/test-app.ts'
import type { TestApp, TestBrowser } from '@stint/testing/test-app.ts'
import * as invites from './invites.ts'
import * as users from './users.ts'

const ORIGIN = 'http://localhost:3000'

let provider: TestProvider
let db: Database
let server: TestApp
let startedAt: number
const lines: string[] = []
const servers: TestApp[] = []
/** People of the provider, others in each test, by the names `ann`, `bob` and `cleo`. */
let ann: { subject: string; email: string; name: string }
let tests = 0

// A server is for all tests, and its people for one of them.
beforeAll(async () => {
  provider = await startTestProvider()
  provider.serve(ORIGIN)
  db = await openTestDatabase()
  server = await newServer()
  startedAt = server.clock.now()
})
beforeEach(async () => {
  await db.write((tx) => tx.run(tx.build.deleteFrom('throttles')))
  server.clock.set(startedAt)
  lines.length = 0
  const subject = `ann-${++tests}`
  ann = { subject, email: `ann.${tests}@example.com`, name: `Ann ${tests}` }
  provider.people.clear()
  provider.people.set('ann', { ...ann, email: ann.email.toUpperCase(), email_verified: true })
  provider.people.set('cleo', { name: 'Cleo' })
})
afterEach(async () => {
  provider.failWith(null)
  for (const each of servers.splice(0)) await each.close()
})
afterAll(async () => {
  await server.close()
  await db.close()
  await provider.close()
})

test('a new person gets an account; the next sign-in is to the same', async () => {
  const browser = server.newBrowser()
  expect(await signIn(browser, 'ann')).toBe('/dashboard')
  const { body } = await browser.call('GET', '/account')
  expect(body).toMatchObject({
    email: ann.email,
    name: ann.name,
    emailVerification: true,
  })
  expect((await browser.call('GET', '/account/sessions/current')).body).toMatchObject({
    provider: 'oidc',
    providerUid: ann.subject,
  })
  expect(events()).toEqual(['account-created', 'sign-in'])

  const phone = server.newBrowser()
  expect(await signIn(phone, 'ann')).toBe('/dashboard')
  expect((await phone.call('GET', '/account')).body.$id).toBe(body.$id)
  expect(events()).toEqual(['sign-in'])
})

test('an account by password is linked by its address, and found by the person afterwards', async () => {
  const user = await server.signedInUser(ann.name)
  await db.write((tx) => users.change(tx, user.id, { email_verified: true }, Date.now()))
  const browser = server.newBrowser()
  await signIn(browser, 'ann')
  expect((await browser.call('GET', '/account')).body.$id).toBe(user.id)
  expect((await server.newBrowser().call('POST', '/account/sessions/email', user)).status).toBe(201)

  // The provider's address changes, and is not verified there any more.
  provider.people.set('ann', { ...ann, email: 'new@example.com', email_verified: false })
  const phone = server.newBrowser()
  expect(await signIn(phone, 'ann')).toBe('/dashboard')
  expect((await phone.call('GET', '/account')).body.$id).toBe(user.id)
})

test('another person of the provider with the same address does not get the account', async () => {
  await signIn(server.newBrowser(), 'ann')
  provider.people.set('impostor', { email: ann.email, email_verified: true })
  const browser = server.newBrowser()
  expect(await signIn(browser, 'impostor')).toBe('/login?problem=stint_identity_conflict')
  expect((await browser.call('GET', '/account')).status).toBe(401)
})

test.each(['bob', 'cleo'])(
  'without a verified address %s gets neither account nor session',
  async (who) => {
    const bob = await server.signedInUser()
    provider.people.set('bob', { email: bob.email, email_verified: false })
    const before = await users.list(db)
    const browser = server.newBrowser()
    expect(await signIn(browser, who)).toBe('/login?problem=stint_email_unverified')
    expect((await browser.call('GET', '/account')).status).toBe(401)
    expect(await users.list(db)).toEqual(before)
  },
)

test.each([
  ['empty', '', 'stint_provider_unavailable'],
  ['white space', ' \t', 'stint_provider_unavailable'],
  ['longer than 255 characters', 'x'.repeat(256), 'stint_provider_unavailable'],
  ['half a surrogate pair', '\ud800', 'stint_provider_unavailable'],
  ['a number', 7, 'stint_sign_in_expired'],
])('an ID token whose `sub` is %s signs nobody in', async (_, subject, problem) => {
  const broken = await startTestProvider({ claimsInIdToken: true })
  broken.serve(ORIGIN)
  broken.people.set('ann', { ...ann, subject, email_verified: true })
  const { oidc } = readConfig(broken.environment)
  const browser = (await start({ oidc })).newBrowser()
  const before = await users.list(db)
  expect(await signIn(browser, 'ann')).toBe(`/login?problem=${problem}`)
  expect((await browser.call('GET', '/account')).status).toBe(401)
  expect(await users.list(db)).toEqual(before)
  await broken.close()
})

test('a `sub` of 255 characters names a person', async () => {
  const subject = 'x'.repeat(255)
  provider.people.set('ann', { ...ann, subject, email_verified: true })
  const browser = server.newBrowser()
  expect(await signIn(browser, 'ann')).toBe('/dashboard')
  expect((await browser.call('GET', '/account/sessions/current')).body.providerUid).toBe(subject)
})

test('the browser goes to the provider with PKCE, state and nonce, and to no address of a caller', async () => {
  const { url } = await begin(server.newBrowser(), { next: 'https://evil.example.com' })
  const { origin, searchParams } = new URL(url)
  expect(origin).toBe(provider.environment['OIDC_ISSUER'])
  expect(Object.fromEntries(searchParams)).toMatchObject({
    response_type: 'code',
    redirect_uri: `${ORIGIN}/v1/stint/oidc/callback`,
    code_challenge_method: 'S256',
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
  })
})

test('a callback with another state, or of another browser, signs nobody in', async () => {
  const browser = server.newBrowser()
  const { url } = await begin(browser)
  const returned = new URL(await authorize(url, 'ann'))
  const other = new URL(returned)
  other.searchParams.set('state', 'é'.repeat(43))
  expect(await land(browser, other)).toBe('/login?problem=stint_sign_in_expired')
  // That try has ended the sign-in, so the right address is too late.
  expect(await land(browser, returned)).toBe('/login?problem=stint_sign_in_expired')

  const attacker = server.newBrowser()
  const victim = server.newBrowser()
  const link = new URL(await authorize((await begin(attacker)).url, 'ann'))
  expect(await land(victim, link)).toBe('/login?problem=stint_sign_in_expired')
  await begin(victim)
  expect(await land(victim, link)).toBe('/login?problem=stint_sign_in_expired')
  expect((await victim.call('GET', '/account')).status).toBe(401)
})

test('a code works once, even with the cookie of its sign-in', async () => {
  const browser = server.newBrowser()
  const { url } = await begin(browser)
  const cookies = new Map(browser.cookies)
  const returned = new URL(await authorize(url, 'ann'))
  expect(await land(browser, returned)).toBe('/dashboard')
  const replay = server.newBrowser()
  for (const [name, value] of cookies) replay.cookies.set(name, value)
  expect(await land(replay, returned)).toBe('/login?problem=stint_sign_in_expired')
  expect((await replay.call('GET', '/account')).status).toBe(401)
})

test('a sign-in that takes longer than ten minutes has expired', async () => {
  const browser = server.newBrowser()
  const { url } = await begin(browser)
  const returned = new URL(await authorize(url, 'ann'))
  server.clock.advance(600_000)
  expect(await land(browser, returned)).toBe('/login?problem=stint_sign_in_expired')
})

test('a cookie that somebody has changed is none', async () => {
  const browser = server.newBrowser()
  const { url } = await begin(browser)
  const returned = new URL(await authorize(url, 'ann'))
  const [text = '', signature] = (browser.cookies.get('stint_oidc') ?? '').split('.')
  const pending = JSON.parse(Buffer.from(text, 'base64url').toString())
  const forged = Buffer.from(JSON.stringify({ ...pending, expires: 9e15 })).toString('base64url')
  browser.cookies.set('stint_oidc', `${forged}.${signature}`)
  expect(await land(browser, returned)).toBe('/login?problem=stint_sign_in_expired')
})

test.each(['nonce', 'verifier'])('an answer for another %s signs nobody in', async (name) => {
  const browser = server.newBrowser()
  const { url } = await begin(browser)
  const returned = new URL(await authorize(url, 'ann'))
  const [text = ''] = (browser.cookies.get('stint_oidc') ?? '').split('.')
  const pending = JSON.parse(Buffer.from(text, 'base64url').toString())
  const other = Buffer.from(JSON.stringify({ ...pending, [name]: 'x'.repeat(43) })).toString(
    'base64url',
  )
  // The key that the server derives from the client's secret.
  const key = hash('sha256', `cookie ${provider.environment['OIDC_CLIENT_SECRET']}`)
  browser.cookies.set('stint_oidc', sign(other, key))
  expect(await land(browser, returned)).toBe('/login?problem=stint_sign_in_expired')
  expect((await browser.call('GET', '/account')).status).toBe(401)
})

test('the cookie is for this host and not for scripts; with https it has the prefix', async () => {
  const reply = await beginRaw(server)
  expect(reply.headers.get('set-cookie')).toMatch(
    /^stint_oidc=[^;]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
  )
  const secure = await start({ publicUrl: 'https://time.example.com' })
  expect((await beginRaw(secure)).headers.get('set-cookie')).toMatch(
    /^__Host-stint_oidc=[^;]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  )
})

test('a refusal at the provider leads back to the sign-in page', async () => {
  const browser = server.newBrowser()
  const { url } = await begin(browser)
  expect(await land(browser, new URL(await authorize(url, '')))).toBe(
    '/login?problem=stint_sign_in_denied',
  )
})

test('a provider that is down stops neither the server nor later sign-ins', async () => {
  provider.failWith(500)
  const own = await start()
  const browser = own.newBrowser()
  const refused = await browser.call('POST', '/stint/oidc', {})
  expect(refused).toMatchObject({ status: 503, body: { type: 'stint_provider_unavailable' } })
  expect(lines.join('')).toContain('the sign-in provider fails')
  expect((await own.signedInUser()).id).toBeTruthy()
  provider.failWith(null)
  expect(await signIn(browser, 'ann')).toBe('/dashboard')

  const { url } = await begin(browser)
  const returned = new URL(await authorize(url, 'ann'))
  provider.failWith(500)
  expect(await land(browser, returned)).toBe('/login?problem=stint_provider_unavailable')
})

test('a wrong client secret is the operator’s fault, and logged without the secret', async () => {
  const { oidc } = server.config
  const wrong = await start({ oidc: oidc && { ...oidc, clientSecret: 'a wrong secret' } })
  expect(await signIn(wrong.newBrowser(), 'ann')).toBe('/login?problem=stint_provider_unavailable')
  expect(lines.join('')).toContain('401: the provider does not accept the client or its secret')
  expect(lines.join('')).not.toContain('a wrong secret')
})

test('while sign-up is closed or by invitation a new person needs what others need', async () => {
  const closed = await start({ signup: 'closed' })
  expect(await signIn(closed.newBrowser(), 'ann')).toBe(
    '/login?problem=user_auth_method_unsupported',
  )
  const invited = await start({ signup: 'invite' })
  const browser = invited.newBrowser()
  expect(await signIn(browser, 'ann')).toBe('/login?problem=stint_invite_invalid')
  const { secret } = await invites.create(db, null, invited.clock.now(), 1000)
  expect(await signIn(browser, 'ann', { invite: secret })).toBe('/dashboard')
  expect(await signIn(closed.newBrowser(), 'ann')).toBe('/dashboard')
})

test('the session ends with the browser unless it is to be remembered', async () => {
  expect([await daysOfSession(false), await daysOfSession(true)]).toEqual([1, 90])
})

test.each(['a provider', 'no provider'])(
  'with %s, a page of another site uses up no tries of its visitor',
  async (which) => {
    const limited = await start({
      rateLimits: true,
      ...(which === 'a provider' ? {} : { oidc: null }),
    })
    const visitor = await limited.signedInUser()
    const browser = limited.newBrowser()
    const callback = new URL('/v1/stint/oidc/callback?code=x&state=y', ORIGIN)
    for (let count = 0; count < 200; count++) await land(browser, callback)
    expect((await browser.call('POST', '/account/sessions/email', visitor)).status).toBe(201)
  },
)

test('without a provider its routes refuse, and the app is told of none', async () => {
  const plain = await start({ oidc: null })
  const browser = plain.newBrowser()
  expect((await browser.call('POST', '/stint/oidc', {})).body).toMatchObject({
    type: 'user_auth_method_unsupported',
    message: 'This server has no other sign-in provider.',
  })
  expect(await land(browser, new URL('/v1/stint/oidc/callback?code=x&state=y', ORIGIN))).toBe(
    '/login?problem=user_auth_method_unsupported',
  )
  expect((await browser.call('GET', '/stint/info')).body.provider).toBeNull()
  expect((await server.newBrowser().call('GET', '/stint/info')).body.provider).toBe('Home')
})

/** Starts another server on the same database, for this test. */
async function start(config: Partial<Config> = {}): Promise<TestApp> {
  const started = await newServer(config)
  servers.push(started)
  return started
}

function newServer(config: Partial<Config> = {}): Promise<TestApp> {
  const { oidc } = readConfig(provider.environment)
  return createTestApp({
    db,
    config: { oidc, ...config },
    logger: { level: 'info', stream: { write: (line: string) => void lines.push(line) } },
  })
}

/** Signs in as a browser does. Returns where it ends. */
async function signIn(browser: TestBrowser, who: string, wish: object = {}): Promise<string> {
  const { url } = await begin(browser, wish)
  return land(browser, new URL(await authorize(url, who)))
}

async function begin(browser: TestBrowser, wish: object = {}): Promise<{ url: string }> {
  const reply = await browser.call('POST', '/stint/oidc', wish)
  expect(reply.status).toBe(201)
  return reply.body
}

function beginRaw(app: TestApp) {
  return app.newBrowser().call('POST', '/stint/oidc', {})
}

/** Signs in. Returns how many days the session lasts. */
async function daysOfSession(remember: boolean): Promise<number> {
  const browser = server.newBrowser()
  await signIn(browser, 'ann', { remember })
  const { body } = await browser.call('GET', '/account/sessions/current')
  return Math.round((Date.parse(body.expire) - server.clock.now()) / 86_400_000)
}

/** Signs in at the provider in a new browser. Returns the address that it sends the browser to. */
async function authorize(url: string, who: string): Promise<string> {
  const cookies = new Map<string, string>()
  let next = url
  while (!next.startsWith(ORIGIN)) {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
    const reply = await fetch(next, { redirect: 'manual', headers: { cookie } })
    for (const each of reply.headers.getSetCookie()) {
      const [name = '', value = ''] = each.split(';', 1)[0]?.split('=') ?? []
      cookies.set(name, value)
    }
    const page = await reply.text()
    const location = reply.headers.get('location')
    // A page without a redirect is the form.
    if (location === null && reply.status !== 200) throw new Error(page)
    next = new URL(location ?? `?login=${who}`, next).href
  }
  return next
}

/** Opens the address in the browser. Returns where it is sent to. */
async function land(browser: TestBrowser, url: URL): Promise<string> {
  const reply = await browser.fetch(url, { headers: { 'sec-fetch-site': 'cross-site' } })
  expect(reply.status).toBe(303)
  return reply.headers.get('location') ?? ''
}

/** Returns the security events since the last call. */
function events(): string[] {
  return lines
    .splice(0)
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === 'security')
    .map(({ event }) => event)
}
