import { afterEach, beforeEach, expect, test } from 'vitest'
import { linkIn, startTestSmtp } from '#mail/test-smtp.ts'
import type { TestSmtp } from '#mail/test-smtp.ts'
import { createTestApp, TEST_PASSWORD } from '#test-app.ts'
import type { TestApp, TestUser } from '#test-app.ts'

const HOUR = 3_600_000
const PAGE = 'http://localhost:3000/recovery'
let server: TestApp
let ann: TestUser
let smtp: TestSmtp

beforeEach(async () => {
  smtp = await startTestSmtp()
  server = await createTestApp({
    config: { smtpUrl: smtp.url, mailFrom: 'Stint <stint@example.com>' },
  })
  ann = await server.signedInUser('Ann')
})
afterEach(async () => {
  await server.close()
  await smtp.close()
})

test('a forgotten password: mail, link, new password, signed out everywhere, address proven', async () => {
  const link = await recoveryLink()
  expect(link.href).toMatch(
    /^http:\/\/localhost:3000\/recovery\?userId=\w+&secret=[\w-]{43}&expire=/,
  )
  expect(smtp.mails[0]).toContain('Subject: Password Reset for Stint')
  expect(smtp.mails[0]).toContain('To: ann@example.com')

  const { status, body } = await recover(link)
  expect({ status, ...body }).toMatchObject({ status: 200, userId: ann.id, secret: '' })
  expect((await ann.call('GET', '/account')).status).toBe(401)
  const browser = server.newBrowser()
  expect((await signIn(browser, TEST_PASSWORD)).status).toBe(401)
  expect((await signIn(browser, 'new horse 22')).status).toBe(201)
  expect((await browser.call('GET', '/account')).body.emailVerification).toBe(true)
})

test('a link works once, for an hour, and only the newest one', async () => {
  const [older, newer] = [await recoveryLink(), await recoveryLink()]
  expect((await recover(older)).body.type).toBe('user_invalid_token')
  expect((await recover(newer)).status).toBe(200)
  expect((await recover(newer)).body.type).toBe('user_invalid_token')
  const late = await recoveryLink()
  server.clock.advance(HOUR)
  expect((await recover(late)).body.type).toBe('user_invalid_token')
})

test('asks alike for an address that nobody has, and mails nobody', async () => {
  const known = await ask('ann@example.com')
  const unknown = await ask('nobody@example.com')
  expect(unknown.status).toBe(201)
  expect({ ...unknown.body, $id: '' }).toEqual({ ...known.body, $id: '' })
  await server.close()
  expect(smtp.mails).toHaveLength(1)
  server = await createTestApp()
})

test.each([
  'http://evil.example.com/recovery',
  '/recovery',
  'javascript:alert(1)',
  'http://localhost:3001/',
])('mails no link to %s', async (url) => {
  expect(await ask('ann@example.com', url)).toMatchObject({
    status: 400,
    body: { type: 'general_argument_invalid' },
  })
})

test('proves an address, once', async () => {
  const sent = smtp.nextMail()
  const created = await ann.call('POST', '/account/verifications/email', { url: PAGE })
  expect(created).toMatchObject({ status: 201, body: { userId: ann.id, secret: '' } })
  const { userId, secret } = Object.fromEntries(linkIn(await sent).searchParams)
  const guest = server.newBrowser()
  const prove = (body: object) => guest.call('PUT', '/account/verifications/email', body)
  expect((await prove({ userId, secret: 'wrong' })).body.type).toBe('user_invalid_token')
  expect((await prove({ userId: 'nobody', secret })).body.type).toBe('user_not_found')
  expect((await prove({ userId, secret })).status).toBe(200)
  expect((await ann.call('GET', '/account')).body.emailVerification).toBe(true)
  expect((await ann.call('POST', '/account/verifications/email', { url: PAGE })).body.type).toBe(
    'user_email_already_verified',
  )
})

test('says so when the server cannot send mail', async () => {
  const mute = await createTestApp()
  expect((await mute.browser.call('GET', '/stint/info')).body.recovery).toBe(false)
  expect(
    await mute.browser.call('POST', '/account/recovery', { email: 'a@example.com', url: PAGE }),
  ).toMatchObject({ status: 503, body: { type: 'general_smtp_disabled' } })
  await mute.close()
})

function ask(email: string, url = PAGE) {
  return server.newBrowser().call('POST', '/account/recovery', { email, url })
}

async function recoveryLink(): Promise<URL> {
  const sent = smtp.nextMail()
  await ask('ann@example.com')
  return linkIn(await sent)
}

function recover(link: URL) {
  const { userId, secret } = Object.fromEntries(link.searchParams)
  const body = { userId, secret, password: 'new horse 22' }
  return server.newBrowser().call('PUT', '/account/recovery', body)
}

function signIn(browser: ReturnType<TestApp['newBrowser']>, password: string) {
  return browser.call('POST', '/account/sessions/email', { email: ann.email, password })
}
