import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { serverForFile, userForEach } from '@stint/testing/server-tests.ts'
import { linkIn, startTestSmtp } from '@stint/testing/smtp.ts'
import { createTestApp, TEST_PASSWORD } from '@stint/testing/test-app.ts'
import type { TestApp } from '@stint/testing/test-app.ts'

const HOUR = 3_600_000
const PAGE = 'http://localhost:3000/recovery'
const smtp = await startTestSmtp()
const config = { smtpUrl: smtp.url, mailFrom: 'Stint <stint@example.com>' }
const server = serverForFile({ config })
const ann = userForEach(server)
afterEach(() => void vi.restoreAllMocks())
afterAll(() => smtp.close())

test('the link in a recovery mail sets a new password, verifies the address, and signs out everywhere', async () => {
  const sent = smtp.nextMail()
  const link = await recoveryLink()
  expect(link.href).toMatch(
    /^http:\/\/localhost:3000\/recovery\?userId=\w+&secret=[\w-]{43}&expire=/,
  )
  const mail = await sent
  expect(mail).toContain('Subject: Password Reset for Stint')
  expect(mail).toContain(`To: ${ann.email}`)

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

test('a recovery for an unknown address gets the same reply, and no mail is sent', async () => {
  const before = smtp.mails.length
  const own = await createTestApp({ db: server.db, now: server.clock.now(), config })
  const known = await ask(ann.email, PAGE, own)
  const unknown = await ask('nobody@example.com', PAGE, own)
  expect(unknown.status).toBe(201)
  expect({ ...unknown.body, $id: '' }).toEqual({ ...known.body, $id: '' })
  await own.close()
  expect(smtp.mails.slice(before)).toHaveLength(1)
})

test.each([
  'http://evil.example.com/recovery',
  '/recovery',
  'javascript:alert(1)',
  'http://localhost:3001/',
])('no link to %s is mailed', async (url) => {
  expect(await ask(ann.email, url)).toMatchObject({
    status: 400,
    body: { type: 'general_argument_invalid' },
  })
})

test('the link in a verification mail verifies the address, once', async () => {
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

test.each([
  ['the account’s language', { language: 'de' }, 'fr', 'de'],
  ['the browser’s where the account has none', { theme: 'dark' }, 'es-MX, en;q=0.5', 'es'],
  ['the browser’s where the account follows it', { language: 'auto' }, 'fr', 'fr'],
  ['the browser’s where the account’s is not known', { language: 'xx' }, 'de', 'de'],
  ['English otherwise', {}, 'it', 'en'],
] as const)('mails are written in %s', async (_, prefs, accepted, language) => {
  const headers = { 'accept-language': accepted }
  await ann.call('PATCH', '/account/prefs', { prefs })
  const recovery = smtp.nextMail()
  const reply = await server
    .newBrowser()
    .call('POST', '/account/recovery', { email: ann.email, url: PAGE }, headers)
  expect(reply.status).toBe(201)
  const first = await recovery
  const verification = smtp.nextMail()
  await ann.call('POST', '/account/verifications/email', { url: PAGE }, headers)
  const greeting = { en: 'Hello,', de: 'Hallo,', fr: 'Bonjour,', es: 'Hola:' }[language]
  const English = ['It works once and expires in an hour:', 'Your password stays the same.']
  for (const mail of [first, await verification]) {
    expect(mail).toContain(`\r\n\r\n${greeting}\r\n\r\n`)
    expect(English.some((text) => mail.includes(text))).toBe(language === 'en')
    expect(linkIn(mail).searchParams.get('userId')).toBe(ann.id)
  }
})

test('the reply has the expiry of the mailed link, whether or not there is an account', async () => {
  // The clock advances while the account is read.
  const read = server.db.read.bind(server.db)
  vi.spyOn(server.db, 'read').mockImplementation((query) => {
    server.clock.advance(1500)
    return read(query)
  })
  const sent = smtp.nextMail()
  const known = await ask(ann.email)
  expect(linkIn(await sent).searchParams.get('expire')).toBe(known.body.expire)
  for (const { body } of [known, await ask('nobody@example.com')]) {
    expect(Date.parse(body.expire) - Date.parse(body.$createdAt)).toBe(HOUR)
  }
})

test('no mail contains the name of the account, which a stranger may have chosen', async () => {
  const before = smtp.mails.length
  const stranger = server.newBrowser()
  const name = 'Prize! Go to https://evil.example.com'
  const account = { userId: 'unique()', email: 'bob@example.com', password: TEST_PASSWORD, name }
  await stranger.call('POST', '/account', account)
  await stranger.call('POST', '/account/sessions/email', account)
  const recovery = smtp.nextMail()
  await ask('bob@example.com')
  await recovery
  const verification = smtp.nextMail()
  await stranger.call('POST', '/account/verifications/email', { url: PAGE })
  await verification
  const mails = smtp.mails.slice(before)
  expect(mails).toHaveLength(2)
  for (const mail of mails) {
    expect(mail).toContain('Hello,')
    expect(mail).not.toContain('Prize')
    expect(mail).not.toContain('evil')
  }
})

test.each(['/account/recovery', '/account/verifications/email', '/account/verification'])(
  'a wrong secret and an unknown id at %s are answered as Appwrite does, and nothing is written',
  async (path) => {
    const writes = vi.spyOn(server.db, 'write')
    const put = (userId: string) =>
      server.newBrowser().call('PUT', path, { userId, secret: 'wrong', password: 'new horse 22' })
    expect(await put(ann.id)).toMatchObject({ status: 401, body: { type: 'user_invalid_token' } })
    expect(await put('nobody')).toMatchObject({ status: 404, body: { type: 'user_not_found' } })
    expect(writes).not.toHaveBeenCalled()
  },
)

test('a hundred and fifty wrong secrets hash no password and do not block sign-ins', async () => {
  // A new hash would take minutes. The hash of Ann's password is cheap, so verifying it does not.
  const passwordCost = { memoryKibibytes: 64, passes: 10_000_000 }
  const costly = await createTestApp({ db: server.db, now: server.clock.now(), passwordCost })
  const guess = (each: number) =>
    costly.newBrowser().call('PUT', '/account/recovery', {
      userId: each % 2 === 0 ? ann.id : `nobody${each}`,
      secret: `wrong${each}`,
      password: 'new horse 22',
    })
  const statuses: number[] = []
  // As many at once as PostgreSQL has connections.
  for (let start = 0; start < 150; start += 10) {
    const replies = await Promise.all(Array.from({ length: 10 }, (_, each) => guess(start + each)))
    statuses.push(...replies.map(({ status }) => status))
  }
  expect(new Set(statuses)).toEqual(new Set([401, 404]))
  const wrong = { email: ann.email, password: 'wrong horse 1' }
  const reply = await costly.newBrowser().call('POST', '/account/sessions/email', wrong)
  expect(reply).toMatchObject({ status: 401, body: { type: 'user_invalid_credentials' } })
  await costly.close()
})

test('wrong secrets use up the tries of their own address, and no link', async () => {
  const strict = await createTestApp({
    db: server.db,
    now: server.clock.now(),
    config: { rateLimits: true },
  })
  const put = async (path: string, remoteAddress: string, payload: object) => {
    const headers = { 'x-appwrite-project': 'stint' }
    const url = `/v1/account/${path}`
    return (await strict.app.inject({ method: 'PUT', url, headers, remoteAddress, payload }))
      .statusCode
  }
  const link = Object.fromEntries((await recoveryLink()).searchParams)
  for (const path of ['recovery', 'verifications/email']) {
    const body = { userId: ann.id, secret: 'wrong', password: 'new horse 22' }
    for (let count = 0; count < 10; count++) {
      expect(await put(path, '203.0.113.9', { ...body, userId: `user${count}` })).toBe(404)
    }
    expect(await put(path, '203.0.113.9', body)).toBe(429)
    expect(await put(path, '198.51.100.7', body)).toBe(401)
  }
  // The link works even from the same address.
  const right = { userId: link['userId'], secret: link['secret'], password: 'new horse 22' }
  expect(await put('recovery', '203.0.113.9', right)).toBe(200)
  await strict.close()
})

test('a link that was requested by the old address ends with a change of the address', async () => {
  // The account is found by its old address and gets the new one before the secret is created.
  const read = server.db.read.bind(server.db)
  const asking = vi.spyOn(server.db, 'read').mockImplementation(async (query) => {
    const rows = await read(query)
    asking.mockRestore()
    const change = { email: 'new@example.com', password: TEST_PASSWORD }
    expect((await ann.call('PATCH', '/account/email', change)).status).toBe(200)
    return rows
  })
  const before = smtp.mails.length
  const own = await createTestApp({ db: server.db, now: server.clock.now(), config })
  await ask(ann.email, PAGE, own)
  await own.close()
  expect(smtp.mails.slice(before)).toHaveLength(0)
})

test('a server without a mail server refuses recovery and verification', async () => {
  const mute = await createTestApp()
  expect((await mute.browser.call('GET', '/stint/info')).body.recovery).toBe(false)
  expect(
    await mute.browser.call('POST', '/account/recovery', { email: 'a@example.com', url: PAGE }),
  ).toMatchObject({ status: 503, body: { type: 'general_smtp_disabled' } })
  await mute.close()
})

function ask(email: string, url = PAGE, of: TestApp = server) {
  return of.newBrowser().call('POST', '/account/recovery', { email, url })
}

async function recoveryLink(): Promise<URL> {
  const sent = smtp.nextMail()
  await ask(ann.email)
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
