import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { serverForFile } from '@stint/testing/server-tests.ts'
import { createTestApp, TEST_PASSWORD } from '@stint/testing/test-app.ts'
import type { TestApp, TestBrowser } from '@stint/testing/test-app.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const server = serverForFile()
let guest: TestBrowser
/** What a person signs up with; another one in each test. */
let account: { userId: string; email: string; password: string }
let accounts = 0

beforeEach(() => {
  guest = server.newBrowser()
  const userId = `ann${++accounts}`
  account = { userId, email: `${userId}@example.com`, password: TEST_PASSWORD }
})

test('signing up creates an account without signing in, and returns no password', async () => {
  const reply = await guest.call('POST', '/account', {
    ...account,
    email: account.email.toUpperCase(),
    name: 'Ann',
  })
  expect(reply).toMatchObject({
    status: 201,
    body: {
      $id: account.userId,
      name: 'Ann',
      email: account.email,
      registration: '2026-01-15T12:00:00.000+00:00',
      status: true,
      emailVerification: false,
      prefs: {},
    },
  })
  expect(JSON.stringify(reply.body)).not.toMatch(/hash|argon|horse/)
  expect(guest.cookies.size).toBe(0)
  expect(await guest.call('GET', '/account')).toMatchObject({
    status: 401,
    body: { code: 401, type: 'general_unauthorized_scope', version: '1.0.0' },
  })
})

test('a second account with the same id or e-mail address is refused', async () => {
  await guest.call('POST', '/account', account)
  for (const change of [
    { email: 'other@example.com' },
    { userId: 'other', email: account.email.toUpperCase() },
  ]) {
    expect(await guest.call('POST', '/account', { ...account, ...change })).toMatchObject({
      status: 409,
      body: { type: 'user_already_exists' },
    })
  }
})

test('of sixteen simultaneous sign-ups with the same address, one gets an account', async () => {
  const replies = await Promise.all(
    Array.from({ length: 16 }, () =>
      server.newBrowser().call('POST', '/account', { ...account, userId: 'unique()' }),
    ),
  )
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    201,
    ...Array(15).fill(409),
  ])
})

test.each([
  [{ email: '' }, 'Invalid `email` param: Value must be a valid email address'],
  [{ email: undefined }, 'Param "email" is not optional.'],
  [{ email: 'ann@example.com\r\nBcc: eve@example.com' }, /email/],
  [{ email: 'ann@example.com,eve@example.com' }, /email/],
  [{ email: 'Ann <ann@example.com>' }, /email/],
  [
    { password: '' },
    'Invalid `password` param: Password must be between 8 and 256 characters long.',
  ],
  [{ password: 'short' }, /password/],
  [{ password: 'x'.repeat(257) }, /password/],
  // The bounds 8 and 256 are bytes: 129 of these are 258.
  [{ password: 'é'.repeat(129) }, /password/],
  [{ userId: '_ann' }, /userId/],
  [{ userId: 'a'.repeat(37) }, /userId/],
  [{ name: '' }, /name/],
  [{ name: 'x'.repeat(129) }, /name/],
  [{ name: 'a\u0000b' }, /name/],
])('signing up with %j is refused', async (change, message) => {
  const sent = { name: 'Ann', ...account, ...change }
  const { status, body } = await guest.call('POST', '/account', sent)
  expect({ status, type: body.type }).toEqual({ status: 400, type: 'general_argument_invalid' })
  expect(body.message).toMatch(message)
})

test('signing in sets a cookie that scripts cannot read, and signing out clears it', async () => {
  const ann = await server.signedInUser()
  expect(await ann.call('GET', '/account')).toMatchObject({ status: 200, body: { $id: ann.id } })
  // The second cookie is a hint without a secret, for the app's own scripts.
  expect([...ann.cookies.keys()]).toEqual(['a_session_stint', 'stint_signed_in'])
  expect(ann.cookies.get('stint_signed_in')).toBe('1')

  const out = await ann.call('DELETE', '/account/sessions/current')
  expect(out.status).toBe(204)
  expect(out.headers.get('set-cookie')).toContain('Max-Age=0')
  expect([...ann.cookies.keys()]).toEqual([])
  expect((await ann.call('GET', '/account')).status).toBe(401)
})

test('a session lasts 90 days, or until the browser closes when it is not remembered', async () => {
  await guest.call('POST', '/account', account)
  const remembered = await server.newBrowser().call('POST', '/account/sessions/email', account)
  expect(remembered.headers.getSetCookie()).toEqual([
    expect.stringMatching(
      /^a_session_stint=[\w-]+; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Lax$/,
    ),
    'stint_signed_in=1; Max-Age=7776000; Path=/; SameSite=Lax',
  ])
  const forgotten = await server
    .newBrowser()
    .call('POST', '/account/sessions', account, { 'x-stint-remember': 'no' })
  expect(forgotten.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^a_session_stint=[\w-]+; Path=\/; HttpOnly; SameSite=Lax$/),
    'stint_signed_in=1; Path=/; SameSite=Lax',
  ])
  expect(forgotten.body.expire).toBe('2026-01-16T12:00:00.000+00:00')
  expect(remembered.body).toMatchObject({ secret: '', current: true, provider: 'email' })
})

describe('by https', () => {
  let secure: TestApp
  beforeAll(async () => {
    const config = { publicUrl: 'https://time.example.com' }
    secure = await createTestApp({ config, db: server.db })
  })
  beforeEach(() => secure.clock.set(server.clock.now()))
  afterAll(() => secure.close())

  test('by https, the session cookie is bound to its host: Secure, for all paths, without a domain', async () => {
    const ann = await secure.signedInUser()
    await ann.call('DELETE', '/account/sessions/current')
    const reply = await ann.call('POST', '/account/sessions/email', ann)
    expect(reply.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-a_session_stint=[\w-]+; Max-Age=7776000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
      'stint_signed_in=1; Max-Age=7776000; Path=/; Secure; SameSite=Lax',
    ])
    expect((await ann.call('GET', '/account')).body.$id).toBe(ann.id)
    const out = await ann.call('DELETE', '/account/sessions/current')
    expect(out.headers.getSetCookie()[0]).toMatch(/^__Host-a_session_stint=; Max-Age=0; .*Secure/)
    expect([...ann.cookies.keys()]).toEqual([])
  })

  test('by https to a trusted proxy, the session cookie is bound to its host', async () => {
    const proxied = await createTestApp({ config: { trustProxy: '127.0.0.1' }, db: server.db })
    await proxied.browser.call('POST', '/account', account)
    const { headers } = await proxied.browser.call('POST', '/account/sessions/email', account, {
      'x-forwarded-proto': 'https',
    })
    expect(headers.getSetCookie()[0]).toMatch(/^__Host-a_session_stint=.*; Secure/)
    await proxied.close()
  })

  test('by https, a session in the cookie of an earlier release stays valid and moves to the new name', async () => {
    const ann = await server.signedInUser()
    const value = ann.cookies.get('a_session_stint') ?? ''
    secure.clock.advance(10 * DAY)
    const browser = secure.newBrowser()
    browser.cookies.set('a_session_stint', value)
    const reply = await browser.call('GET', '/account')
    expect(reply.body.$id).toBe(ann.id)
    expect(reply.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-a_session_stint=[\w-]+; Max-Age=6912000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
      'stint_signed_in=1; Max-Age=6912000; Path=/; Secure; SameSite=Lax',
      expect.stringMatching(/^a_session_stint=; Max-Age=0; Path=\/; /),
    ])
    expect(browser.cookies.get('__Host-a_session_stint')).toBe(value)
    expect(browser.cookies.has('a_session_stint')).toBe(false)
    const again = await browser.call('GET', '/account')
    expect([again.status, again.headers.getSetCookie()]).toEqual([200, []])
  })

  test('by https, the cookie moves to the new name even if the first answer is lost', async () => {
    const ann = await server.signedInUser()
    const value = ann.cookies.get('a_session_stint') ?? ''
    const [lost, browser] = [secure.newBrowser(), secure.newBrowser()]
    for (const each of [lost, browser]) each.cookies.set('a_session_stint', value)
    await lost.call('GET', '/account')
    await browser.call('GET', '/account')
    expect(browser.cookies.get('__Host-a_session_stint')).toBe(value)
    expect(browser.cookies.has('a_session_stint')).toBe(false)
  })

  test('by https, signing out with the cookie of an earlier release clears it', async () => {
    const ann = await server.signedInUser()
    const browser = secure.newBrowser()
    browser.cookies.set('a_session_stint', ann.cookies.get('a_session_stint') ?? '')
    expect((await browser.call('DELETE', '/account/sessions/current')).status).toBe(204)
    expect([...browser.cookies.keys()]).toEqual([])
  })

  test('by https, a sibling domain cannot replace a session by its own', async () => {
    const [ann, eve] = [await secure.signedInUser(), await secure.signedInUser()]
    ann.cookies.set('a_session_stint', eve.cookies.get('__Host-a_session_stint') ?? '')
    expect((await ann.call('GET', '/account')).body.$id).toBe(ann.id)
  })

  test('by https, the cookie names of earlier releases are read until June 2027', async () => {
    secure.clock.set(Date.UTC(2027, 5, 1))
    const eve = await secure.signedInUser()
    const value = eve.cookies.get('__Host-a_session_stint') ?? ''
    for (const name of ['a_session_stint', 'a_session_stint_legacy']) {
      const browser = secure.newBrowser()
      browser.cookies.set(name, value)
      expect((await browser.call('GET', '/account')).status).toBe(401)
    }
    const header = { 'x-fallback-cookies': JSON.stringify({ a_session_stint: value }) }
    expect((await secure.browser.call('GET', '/account', undefined, header)).status).toBe(200)
  })
})

test('a session ends after 30 days without use, whatever its lifetime', async () => {
  const ann = await server.signedInUser()
  server.clock.advance(29 * DAY)
  expect((await ann.call('GET', '/account')).status).toBe(200)
  server.clock.advance(29 * DAY)
  expect((await ann.call('GET', '/account')).status).toBe(200)
  server.clock.advance(30 * DAY)
  expect((await ann.call('GET', '/account')).status).toBe(401)
})

test('a session that is not remembered ends after half a day without use', async () => {
  const ann = await server.signedInUser()
  await ann.call('DELETE', '/account/sessions')
  await ann.call('POST', '/account/sessions/email', ann, { 'x-stint-remember': 'no' })
  server.clock.advance(12 * HOUR)
  expect((await ann.call('GET', '/account')).status).toBe(401)
})

test('a wrong password and an unknown address get the same reply', async () => {
  await guest.call('POST', '/account', account)
  const wrong = [
    { ...account, password: 'wrong horse 1' },
    { ...account, email: 'nobody@example.com' },
  ]
  const replies = await Promise.all(
    wrong.map((credentials) => guest.call('POST', '/account/sessions/email', credentials)),
  )
  expect(replies[0]).toMatchObject({ status: 401, body: { type: 'user_invalid_credentials' } })
  expect(replies[1]?.body).toEqual(replies[0]?.body)
})

test('a browser that is signed in cannot sign in again', async () => {
  const ann = await server.signedInUser()
  expect(await ann.call('POST', '/account/sessions/email', {})).toMatchObject({
    status: 401,
    body: { type: 'user_session_already_exists' },
  })
})

test('a session is read from the headers of the SDK as well as from the cookie', async () => {
  const ann = await server.signedInUser()
  const value = ann.cookies.get('a_session_stint') ?? ''
  const guest = server.newBrowser()
  for (const headers of [
    { 'x-appwrite-session': value },
    { 'x-fallback-cookies': JSON.stringify({ a_session_stint: value }) },
    { cookie: `a_session_stint_legacy=${value}` },
  ]) {
    const reply = await guest.call('GET', '/account', undefined, headers)
    expect(reply.status).toBe(200)
    expect(reply.headers.get('x-fallback-cookies')).toBeNull()
  }
})

test.each([
  '',
  'nonsense',
  'e30',
  '[]',
  Buffer.from('{"id":"a","secret":"b"}').toString('base64url'),
])('a request with the tampered session %j is a guest’s', async (value) => {
  const reply = await guest.call('GET', '/account', undefined, {
    'x-appwrite-session': value,
  })
  expect(reply.status).toBe(401)
})

test('a user can list their sessions with the devices, and end one of them', async () => {
  const ann = await server.signedInUser()
  const phone = server.newBrowser()
  const userAgent =
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36'
  server.clock.advance(1000)
  const second = await phone.call('POST', '/account/sessions/email', ann, {
    'user-agent': userAgent,
  })
  const list = await ann.call('GET', '/account/sessions')
  expect(list.body).toMatchObject({
    total: 2,
    sessions: [
      { current: true, countryCode: '--' },
      {
        $id: second.body.$id,
        current: false,
        osName: 'Android',
        osVersion: '15',
        clientName: 'Chrome Mobile',
        clientVersion: '140.0',
        deviceName: 'smartphone',
      },
    ],
  })
  const one = await ann.call('GET', `/account/sessions/${second.body.$id}`)
  expect(one.body.$id).toBe(second.body.$id)

  expect((await ann.call('DELETE', `/account/sessions/${second.body.$id}`)).status).toBe(204)
  expect((await phone.call('GET', '/account')).status).toBe(401)
  expect((await ann.call('GET', '/account')).status).toBe(200)
})

test('ending all sessions signs a user out everywhere', async () => {
  const ann = await server.signedInUser()
  const other = server.newBrowser()
  await other.call('POST', '/account/sessions/email', ann)
  expect((await ann.call('DELETE', '/account/sessions')).status).toBe(204)
  expect((await ann.call('GET', '/account')).status).toBe(401)
  expect((await other.call('GET', '/account')).status).toBe(401)
})

test('a user has at most ten sessions, and the oldest ends first', async () => {
  const ann = await server.signedInUser()
  for (let count = 0; count < 10; count++) {
    server.clock.advance(1000)
    await server.newBrowser().call('POST', '/account/sessions/email', ann)
  }
  expect((await ann.call('GET', '/account')).status).toBe(401)
})

test('the database contains neither passwords nor session secrets', async () => {
  const ann = await server.signedInUser()
  const value = ann.cookies.get('a_session_stint') ?? ''
  const { secret } = JSON.parse(Buffer.from(value, 'base64url').toString())
  const rows = await server.db.read(server.db.build.selectFrom('sessions').selectAll())
  const users = await server.db.read(server.db.build.selectFrom('users').selectAll())
  expect(JSON.stringify([rows, users])).not.toContain(secret)
  expect(JSON.stringify([rows, users])).not.toContain(TEST_PASSWORD)
  expect(users[0]?.password_hash).toMatch(/^\$argon2id\$v=19\$m=\d+,t=\d+,p=1\$/)
})
