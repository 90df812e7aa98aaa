import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { DatabaseUnavailable } from '#storage/database.ts'
import { createThrottle, LIMITS } from './throttle.ts'
import { createTestApp, TEST_PASSWORD } from '@stint/testing/test-app.ts'
import type { TestApp, TestUser } from '@stint/testing/test-app.ts'

const TASKS = '/databases/stint/collections/tasks/documents'
const HOUR = 3_600_000
let server: TestApp
let ann: TestUser

beforeAll(async () => {
  server = await createTestApp({ config: { rateLimits: true } })
})
// A server is for all tests; a person for each, in hours whose limits nobody has used.
beforeEach(async () => {
  const hour = server.clock.now() - (server.clock.now() % HOUR)
  server.clock.set(hour + 2 * HOUR)
  await server.db.write((tx) => tx.run(tx.build.deleteFrom('throttles')))
  ann = await server.signedInUser()
})
afterEach(() => vi.restoreAllMocks())
afterAll(() => server.close())

test('after ten wrong passwords an hour even the right one is refused until the hour is over', async () => {
  for (let attempt = 1; attempt <= 10; attempt++) {
    const reply = await signIn('wrong horse 1')
    expect(reply.status).toBe(401)
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'x-ratelimit-limit': '10',
      'x-ratelimit-remaining': String(10 - attempt),
      'x-ratelimit-reset': String((server.clock.now() + HOUR) / 1000),
    })
  }
  const refused = await signIn(TEST_PASSWORD)
  expect(refused).toMatchObject({ status: 429, body: { type: 'general_rate_limit_exceeded' } })
  expect(refused.headers.get('retry-after')).toBe('3600')
  server.clock.advance(HOUR)
  expect((await signIn(TEST_PASSWORD)).status).toBe(201)
})

test('twenty right passwords in a row are not limited', async () => {
  for (let attempt = 0; attempt < 20; attempt++) {
    expect((await signIn(TEST_PASSWORD)).status).toBe(201)
  }
})

test('an attacker elsewhere does not lock the owner out', async () => {
  for (let attempt = 0; attempt < 12; attempt++) await signIn('wrong horse 1', '203.0.113.9')
  expect((await signIn(TEST_PASSWORD)).status).toBe(201)
})

test('an account under attack from many addresses accepts one try a second from them, and its owner at once', async () => {
  for (let attempt = 0; attempt < 20; attempt++) {
    await signIn('wrong horse 1', `203.0.113.${attempt}`)
  }
  const answers: string[] = []
  const strangers = Array.from({ length: 10 }, async (_, index) => {
    const { status, headers } = await signIn('wrong horse 1', `198.51.100.${index}`)
    answers.push(`${status} ${headers.get('retry-after')}`)
  })
  // Some wait for their turn, the others are refused.
  await vi.waitFor(() => expect(answers).toContain('429 4'))
  // Ann is already signed in from this address.
  expect((await signIn(TEST_PASSWORD)).status).toBe(201)
  expect(answers.length).toBeLessThan(10)
  await Promise.all(strangers)
  expect(new Set(answers)).toEqual(new Set(['429 4', '401 null']))
})

test('a restart keeps the counters of guesses', async () => {
  for (let attempt = 0; attempt < 10; attempt++) await signIn('wrong horse 1')
  const again = await createTestApp({
    config: { rateLimits: true },
    db: server.db,
    now: server.clock.now(),
  })
  const reply = await again.browser.call('POST', '/account/sessions/email', ann)
  expect(reply.status).toBe(429)
  await again.close()
})

test('an address can sign up ten times an hour', async () => {
  // Ann's was the first sign-up.
  for (let count = 2; count <= 10; count++) expect((await signUp(`u${count}`)).status).toBe(201)
  expect((await signUp('u11')).status).toBe(429)
})

test('a user can create 120 documents and delete 60 a minute', async () => {
  for (let count = 0; count < 120; count++)
    expect((await create(ann, `t${count}`)).status).toBe(201)
  const refused = await create(ann, 'more')
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
  const bob = await server.signedInUser()
  expect((await create(bob, 't1')).status).toBe(201)
  for (let count = 0; count < 60; count++) await ann.call('DELETE', `${TASKS}/t${count}`, {})
  expect((await ann.call('DELETE', `${TASKS}/t99`, {})).status).toBe(429)
  server.clock.advance(60_000)
  expect((await create(ann, 'more')).status).toBe(201)
})

test('an address that has exhausted its wrong tries adds no counters of other accounts', async () => {
  const throttle = createThrottle(server.db, server.clock.now, true)
  for (let count = 1; count <= 100; count++) {
    expect(await throttle.count(LIMITS.failuresOfAddress, '203.0.113.9')).toBe(count === 100)
  }
  const before = await counters()
  for (let count = 0; count < 50; count++) {
    const { status } = await signIn('wrong horse 1', '203.0.113.9', `n${count}@example.com`)
    expect(status).toBe(429)
  }
  expect(await counters()).toEqual(before)
  expect((await signIn(TEST_PASSWORD)).status).toBe(201)
})

test('a sign-in that fails because of the server is not counted', async () => {
  const before = await counters()
  const read = server.db.read.bind(server.db)
  vi.spyOn(server.db, 'read').mockImplementation(async (query) => {
    const { sql } = 'compile' in query ? query.compile() : query
    if (/from "users"/.test(sql)) throw new DatabaseUnavailable('away')
    return read(query)
  })
  for (let count = 0; count < 20; count++) {
    const { status } = await signIn('wrong horse 1', '203.0.113.9', `n${count}@example.com`)
    expect(status).toBe(503)
  }
  expect(await counters()).toEqual(before)
})

test('a client that continues after a refusal causes no reads of the database', async () => {
  for (let attempt = 0; attempt < 11; attempt++) await signIn('wrong horse 1')
  const writes = vi.spyOn(server.db, 'write')
  for (let attempt = 0; attempt < 50; attempt++) {
    const reply = await signIn('wrong horse 1')
    expect([reply.status, reply.headers.get('x-ratelimit-remaining')]).toEqual([429, '0'])
  }
  expect(writes).not.toHaveBeenCalled()
  server.clock.advance(HOUR)
  expect((await signIn(TEST_PASSWORD)).status).toBe(201)
})

test('calls with invalid parameters and refused passwords are not counted', async () => {
  const before = await counters()
  const { browser } = server
  for (let count = 0; count < 20; count++) {
    const statuses = [
      await browser.call('POST', '/account/sessions/email', { email: 'no address', password: 'x' }),
      await browser.call('POST', '/account', { userId: 'unique()', email: 'bob', password: 'x' }),
      await signUp(`bob${count}`, 'password1'),
      await browser.call('PUT', '/account/recovery', { userId: 'ann' }),
      await browser.call('PUT', '/account/verifications/email', { userId: 'ann' }),
      await ann.call('PATCH', '/account/password', { password: 'short' }),
      await ann.call('PATCH', '/account/email', {}),
      await ann.call('POST', '/stint/account/deletion', {}),
    ].map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([400]))
  }
  expect(await counters()).toEqual(before)
})

test('a counter contains no address and has the same length for every key', async () => {
  await signIn('wrong horse 1')
  await signIn('wrong horse 1', '127.0.0.1', `${'x'.repeat(64)}@${'y'.repeat(200)}.com`)
  const names = await counters()
  expect(names.join()).not.toMatch(/user|example|127|xxx/)
  for (const name of names) expect(name).toMatch(/^[a-z-]+ [\w-]{43}$/)
})

test('the database stores a bounded number of counters and deletes the least used', async () => {
  for (let attempt = 0; attempt < 10; attempt++) await signIn('wrong horse 1')
  const { db, clock } = server
  const resets_at = clock.now() / 1000 + 3600
  for (let start = 0; start < 21_000; start += 1000) {
    const rows = Array.from({ length: 1000 }, (_, each) => ({
      bucket: `flood ${start + each}`,
      resets_at,
      hits: 1,
    }))
    await db.write((tx) => tx.run(tx.build.insertInto('throttles').values(rows)))
  }
  const throttle = createThrottle(db, clock.now, true)
  const { failuresOfEmail } = LIMITS
  for (let each = 0; each < 100; each++) {
    await throttle.count(failuresOfEmail, `new ${each}`)
  }
  expect((await counters()).length).toBeLessThanOrEqual(20_000)
  // The address that guessed is still limited.
  expect((await signIn(TEST_PASSWORD)).status).toBe(429)
  clock.advance(HOUR)
  for (let each = 0; each < 100; each++) {
    await throttle.count(failuresOfEmail, `later ${each}`)
  }
  // Expired counters are deleted.
  expect(await counters()).toHaveLength(100)
})

async function counters(): Promise<string[]> {
  const rows = await server.db.read(
    server.db.build.selectFrom('throttles').select('bucket').orderBy('bucket'),
  )
  return rows.map(({ bucket }) => bucket)
}

async function signIn(password: string, address = '127.0.0.1', email = ann.email) {
  const reply = await server.app.inject({
    method: 'POST',
    url: '/v1/account/sessions/email',
    headers: { 'x-appwrite-project': 'stint' },
    remoteAddress: address,
    payload: { email, password },
  })
  const headers = new Headers()
  for (const [name, value] of Object.entries(reply.headers)) headers.set(name, String(value))
  return { status: reply.statusCode, body: reply.json(), headers }
}

function create(user: TestUser, id: string) {
  return user.call('POST', TASKS, { documentId: id, data: { name: 'x', userId: user.id } })
}

function signUp(name: string, password = TEST_PASSWORD) {
  const email = `${name}@example.com`
  return server.browser.call('POST', '/account', { userId: name, email, password })
}

test('one address can sign in eight times at once without delaying another', async () => {
  const throttle = createThrottle(server.db, server.clock.now, true)
  const underway = Array.from({ length: 8 }, () => gate())
  const results = underway.map(({ opened }) => throttle.limitConcurrency('a', () => opened))
  await expect(throttle.limitConcurrency('a', async () => 'ninth')).rejects.toMatchObject({
    type: 'general_rate_limit_exceeded',
  })
  expect(await throttle.limitConcurrency('b', async () => 'other')).toBe('other')
  for (const { open } of underway) open()
  await Promise.all(results)
  expect(await throttle.limitConcurrency('a', async () => 'again')).toBe('again')
})

test('preferences can be changed 120 times a minute, counted by session', async () => {
  for (let times = 0; times < 120; times++) {
    expect((await ann.call('PATCH', '/account/prefs', { prefs: { times } })).status).toBe(200)
  }
  expect((await ann.call('PATCH', '/account/prefs', { prefs: {} })).status).toBe(429)
  const wrong = { password: 'another horse 22', oldPassword: 'wrong horse 22' }
  for (let times = 0; times < 10; times++) {
    expect((await ann.call('PATCH', '/account/password', wrong)).status).toBe(401)
  }
  expect((await ann.call('PATCH', '/account/password', wrong)).status).toBe(429)
  const elsewhere = server.newBrowser()
  await elsewhere.call('POST', '/account/sessions/email', {
    email: ann.email,
    password: ann.password,
  })
  const right = { password: 'another horse 22', oldPassword: ann.password }
  expect((await elsewhere.call('PATCH', '/account/password', right)).status).toBe(200)
})

/** Returns a promise and the function that resolves it. */
function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: resolve }
}
