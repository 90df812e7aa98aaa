import { expect, test } from 'vitest'
import { wireInstant } from '#instant.ts'
import { serverForFile, userForEach } from '@stint/testing/server-tests.ts'
import { TEST_PASSWORD } from '@stint/testing/test-app.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const server = serverForFile()
const ann = userForEach(server)

test('a user can change their name', async () => {
  server.clock.advance(1000)
  expect(await ann.call('PATCH', '/account/name', { name: 'Anna' })).toMatchObject({
    status: 200,
    body: { name: 'Anna', $updatedAt: '2026-01-15T12:00:01.000+00:00' },
  })
  expect((await ann.call('PATCH', '/account/name', {})).status).toBe(400)
})

test('a user can change their address with the password, and the old address is free again', async () => {
  const change = (email: string, password = TEST_PASSWORD) =>
    ann.call('PATCH', '/account/email', { email, password })
  const bob = await server.signedInUser()
  expect((await change('new@example.com', 'wrong horse')).body.type).toBe(
    'user_invalid_credentials',
  )
  expect((await change(bob.email)).body.type).toBe('user_target_already_exists')
  expect((await change(ann.email)).body.type).toBe('user_target_already_exists')
  expect(await change('New@example.com')).toMatchObject({
    status: 200,
    body: { email: 'new@example.com', emailVerification: false },
  })
  const taken = { userId: 'unique()', email: ann.email, password: TEST_PASSWORD }
  expect((await server.browser.call('POST', '/account', taken)).status).toBe(201)
})

test('a change of the password requires the old one and ends every other session', async () => {
  const phone = server.newBrowser()
  await phone.call('POST', '/account/sessions/email', ann)
  const change = (body: object) => ann.call('PATCH', '/account/password', body)
  expect((await change({ password: 'new horse 22' })).body.type).toBe('user_invalid_credentials')
  expect((await change({ password: 'new horse 22', oldPassword: 'x' })).status).toBe(401)
  expect((await change({ password: 'new horse 22', oldPassword: TEST_PASSWORD })).status).toBe(200)
  expect((await ann.call('GET', '/account')).status).toBe(200)
  expect((await phone.call('GET', '/account')).status).toBe(401)
  expect((await phone.call('POST', '/account/sessions/email', ann)).status).toBe(401)
})

test('new preferences replace the old ones as a whole', async () => {
  const set = (prefs: unknown) => ann.call('PATCH', '/account/prefs', { prefs })
  expect((await ann.call('GET', '/account/prefs')).body).toEqual({})
  await set({ theme: 'dark', list: [1, null, { a: true }] })
  expect((await set({ theme: 'light' })).body.prefs).toEqual({ theme: 'light' })
  expect((await ann.call('GET', '/account/prefs')).body).toEqual({ theme: 'light' })
})

test.each([
  ['text', '"dark"'],
  ['a list', '["dark"]'],
  ['nothing', 'null'],
  ['too much', JSON.stringify({ a: 'x'.repeat(70_000) })],
  ['too deep', '{"a":'.repeat(9) + '1' + '}'.repeat(9)],
  ['absurdly deep', '['.repeat(20_000) + ']'.repeat(20_000)],
  ['a key that breaks the SDK', '{"constructor":1}'],
  ['half a surrogate pair', '{"a":"\\ud800"}'],
  ['Infinity', '{"a":1e999}'],
])('preferences that are %s are refused', async (_, prefs) => {
  expect(await ann.call('PATCH', '/account/prefs', `{"prefs":${prefs}}`)).toMatchObject({
    status: 400,
    body: { type: 'general_argument_invalid' },
  })
})

test('an extended session lasts its full length from now', async () => {
  server.clock.advance(86_400_000)
  const reply = await ann.call('PATCH', '/account/sessions/current', {})
  expect(reply.body).toMatchObject({ expire: '2026-04-16T12:00:00.000+00:00', current: true })
  expect(reply.headers.get('set-cookie')).toContain('Max-Age=7776000')
})

test.each([
  ['remembered', {}, 365 * DAY, 30 * DAY - 1000],
  ['one that ends with the browser', { 'x-stint-remember': 'no' }, DAY, 6 * HOUR],
])(
  'a session that is %s is extended up to its absolute end and no further',
  async (_, header, end, step) => {
    const browser = server.newBrowser()
    const start = server.clock.now()
    await browser.call('POST', '/account/sessions/email', ann, header)
    const extend = () => browser.call('PATCH', '/account/sessions/current', {})
    let extended = await extend()
    let extensions = 0
    while (server.clock.now() + step < start + end) {
      server.clock.advance(step)
      extended = await extend()
      expect(extended.status).toBe(200)
      expect(Date.parse(extended.body.expire)).toBeLessThanOrEqual(start + end)
      extensions++
    }
    expect(extensions).toBeGreaterThan(2)
    expect(Date.parse(extended.body.expire)).toBe(start + end)
    server.clock.set(start + end - 1000)
    expect((await browser.call('GET', '/account')).status).toBe(200)
    server.clock.set(start + end)
    expect((await browser.call('GET', '/account')).status).toBe(401)
  },
)

test('a session that was extended beyond the absolute end by an earlier version ends there too', async () => {
  const { db, clock } = server
  await db.write((tx) =>
    tx.run(
      tx
        .changeAccounts()
        .updateTable('sessions')
        .set({ expires_at: wireInstant(clock.now() + 800 * DAY) })
        .where('user_id', '=', ann.id),
    ),
  )
  for (let days = 0; days < 364; days += 28) {
    expect((await ann.call('GET', '/account')).status).toBe(200)
    clock.advance(28 * DAY)
  }
  clock.advance(DAY)
  expect((await ann.call('GET', '/account')).status).toBe(401)
})
