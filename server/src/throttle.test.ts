import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTestApp, TEST_PASSWORD } from './test-app.ts'
import type { TestApp, TestUser } from './test-app.ts'

const TASKS = '/databases/stint/collections/tasks/documents'
const HOUR = 3_600_000
let server: TestApp
let ann: TestUser

beforeEach(async () => {
  server = await createTestApp({ config: { rateLimits: true } })
  ann = await server.signedInUser('Ann')
})
afterEach(() => server.close())

test('ten wrong passwords an hour; then even the right one waits, until the hour is over', async () => {
  for (let attempt = 1; attempt <= 10; attempt++) {
    const reply = await signIn('wrong horse 1')
    expect(reply.status).toBe(401)
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'x-ratelimit-limit': '10',
      'x-ratelimit-remaining': String(10 - attempt),
      'x-ratelimit-reset': String(Date.UTC(2026, 0, 15, 13) / 1000),
    })
  }
  const refused = await signIn(TEST_PASSWORD)
  expect(refused).toMatchObject({ status: 429, body: { type: 'general_rate_limit_exceeded' } })
  expect(refused.headers.get('retry-after')).toBe('3600')
  server.clock.advance(HOUR)
  expect((await signIn(TEST_PASSWORD)).status).toBe(201)
})

test('twenty right passwords in a row are fine', async () => {
  for (let attempt = 0; attempt < 20; attempt++) {
    expect((await signIn(TEST_PASSWORD)).status).toBe(201)
  }
})

test('an attacker elsewhere does not lock the owner out', async () => {
  for (let attempt = 0; attempt < 12; attempt++) await signIn('wrong horse 1', '203.0.113.9')
  expect((await signIn(TEST_PASSWORD)).status).toBe(201)
})

test(
  'an account attacked from everywhere takes a stranger a second, and its owner at once',
  { timeout: 30_000 },
  async () => {
    for (let attempt = 0; attempt < 20; attempt++) {
      await signIn('wrong horse 1', `203.0.113.${attempt}`)
    }
    const answers: string[] = []
    const strangers = Array.from({ length: 10 }, async (_, index) => {
      const { status, headers } = await signIn('wrong horse 1', `198.51.100.${index}`)
      answers.push(`${status} ${headers.get('retry-after')}`)
    })
    // Some wait for their turn, the others are told to come back.
    await vi.waitFor(() => expect(answers).toContain('429 4'))
    // Ann is signed in from here already.
    expect((await signIn(TEST_PASSWORD)).status).toBe(201)
    expect(answers.length).toBeLessThan(10)
    await Promise.all(strangers)
    expect(new Set(answers)).toEqual(new Set(['429 4', '401 null']))
  },
)

test('a restart forgets no guess', async () => {
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

test('an address signs up ten times an hour', async () => {
  // Ann was the first.
  for (let count = 2; count <= 10; count++) expect((await signUp(`u${count}`)).status).toBe(201)
  expect((await signUp('u11')).status).toBe(429)
})

test('120 creates and 60 deletes a minute, by person', async () => {
  for (let count = 0; count < 120; count++)
    expect((await create(ann, `t${count}`)).status).toBe(201)
  const refused = await create(ann, 'more')
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
  const bob = await server.signedInUser('Bob')
  expect((await create(bob, 't1')).status).toBe(201)
  for (let count = 0; count < 60; count++) await ann.call('DELETE', `${TASKS}/t${count}`, {})
  expect((await ann.call('DELETE', `${TASKS}/t99`, {})).status).toBe(429)
  server.clock.advance(60_000)
  expect((await create(ann, 'more')).status).toBe(201)
})

async function signIn(password: string, address = '127.0.0.1') {
  const reply = await server.app.inject({
    method: 'POST',
    url: '/v1/account/sessions/email',
    headers: { 'x-appwrite-project': 'stint' },
    remoteAddress: address,
    payload: { email: ann.email, password },
  })
  const headers = new Headers()
  for (const [name, value] of Object.entries(reply.headers)) headers.set(name, String(value))
  return { status: reply.statusCode, body: reply.json(), headers }
}

function create(user: TestUser, id: string) {
  return user.call('POST', TASKS, { documentId: id, data: { name: 'x', userId: user.id } })
}

function signUp(name: string) {
  const email = `${name}@example.com`
  return server.browser.call('POST', '/account', { userId: name, email, password: TEST_PASSWORD })
}
