import { expect, test } from 'vitest'
import { linkIn, startTestSmtp } from '@stint/testing/smtp.ts'
import { networkOf } from './security-log.ts'
import { createTestApp, TEST_PASSWORD } from '@stint/testing/test-app.ts'

test('events of an account are logged with its id and the request’s, and without an address', async () => {
  const smtp = await startTestSmtp()
  const lines: string[] = []
  const server = await createTestApp({
    config: { smtpUrl: smtp.url, rateLimits: true },
    logger: { level: 'info', stream: { write: (line: string) => void lines.push(line) } },
  })
  const ann = await server.signedInUser('Ann')
  const { id } = ann
  const events = (): unknown[] =>
    lines
      .splice(0)
      .map((line) => JSON.parse(line))
      .filter(({ msg }) => msg === 'security')
      .map(({ event, accountId, reqId, network, reason, limit }) => {
        expect(reqId).toMatch(/^req-\w+$/)
        expect(network).toBe('127.0.0.0/24')
        return [event, accountId, ...[reason ?? limit].filter((each) => each !== undefined)]
      })
  const all: string[] = []
  const next = (): unknown[] => {
    all.push(...lines)
    return events()
  }

  expect(next()).toEqual([
    ['account-created', id],
    ['sign-in', id],
  ])
  const phone = server.newBrowser()
  await phone.call('POST', '/account/sessions/email', { ...ann, password: 'wrong horse 1' })
  await phone.call('POST', '/account/sessions/email', { ...ann, email: 'no@example.com' })
  expect(next()).toEqual([
    ['sign-in-refused', id, 'user_invalid_credentials'],
    ['sign-in-refused', null, 'user_invalid_credentials'],
  ])
  const phoneSession = await phone.call('POST', '/account/sessions/email', ann)
  await ann.call('DELETE', `/account/sessions/${phoneSession.body.$id}`)
  await ann.call('PATCH', '/account/name', { name: 'Ann B' })
  await ann.call('PATCH', '/account/email', { email: 'new@example.com', password: TEST_PASSWORD })
  const change = { oldPassword: TEST_PASSWORD, password: 'another horse 22' }
  await ann.call('PATCH', '/account/password', change)
  expect(next()).toEqual([
    ['sign-in', id],
    ['session-ended', id],
    ['name-changed', id],
    ['email-changed', id],
    ['password-changed', id],
  ])
  const program = await server.program(ann)
  await program('GET', '/now')
  await program('GET', '/now')
  await phone.call('GET', '/stint/now', undefined, { authorization: 'Bearer stint_wrong' })
  // Only the first use of a key.
  expect(next()).toEqual([
    ['key-created', id],
    ['key-used', id],
    ['key-refused', null, 'stint_key_invalid'],
  ])
  const url = 'http://localhost:3000/recovery'
  const mail = smtp.nextMail()
  await phone.call('POST', '/account/recovery', { email: 'new@example.com', url })
  const { userId, secret } = Object.fromEntries(linkIn(await mail).searchParams)
  const recover = (body: object) => phone.call('PUT', '/account/recovery', body)
  await recover({ userId, secret: 'wrong', password: 'third horse 333' })
  await recover({ userId, secret, password: 'third horse 333' })
  expect(next()).toEqual([
    ['recovery-asked', id],
    ['secret-refused', null, 'recovery-tries'],
    ['recovery-redeemed', id],
  ])
  const now = { email: 'new@example.com', password: 'third horse 333' }
  await phone.call('POST', '/account/sessions/email', now)
  await phone.call('DELETE', '/account/sessions/current')
  await phone.call('POST', '/account/sessions/email', now)
  await phone.call('DELETE', '/account/sessions')
  await phone.call('POST', '/account/sessions/email', now)
  const wrong = { email: now.email, password: 'wrong horse 1' }
  for (let count = 0; count < 12; count++)
    await phone.call('POST', '/stint/account/deletion', wrong)
  server.clock.advance(3_600_000)
  await phone.call('POST', '/stint/account/deletion', now)
  // The limit is logged once, however often it refuses.
  expect(next()).toEqual([
    ['sign-in', id],
    ['sign-out', id],
    ['sign-in', id],
    ['sessions-ended', id],
    ['sign-in', id],
    ['limit-reached', id, 'credentials'],
    ['account-deleted', id],
  ])
  // A mail that cannot be sent.
  await phone.call('POST', '/account', { ...change, userId: 'bob', email: 'refused@example.com' })
  await phone.call('POST', '/account/recovery', { email: 'refused@example.com', url })
  await server.close()
  await smtp.close()
  all.push(...lines)
  const log = all.join('')
  expect(log).toContain('"code":"EENVELOPE","responseCode":550')
  expect(log).not.toMatch(/@|example\.com|127\.0\.0\.1|horse/)
})

test.each([
  ['203.0.113.77', '203.0.113.0/24'],
  ['::ffff:203.0.113.77', '203.0.113.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['2001:db8::7', '2001:db8:0::/48'],
  ['::1', '0:0:0::/48'],
])('the network of %s is %s', (ip, network) => {
  expect(networkOf(ip)).toBe(network)
})
