/** Signing in by the header of a proxy in front, on both databases. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { connect } from 'node:net'
import { readConfig } from '#config.ts'
import type { Config } from '#config.ts'
import { openTestDatabase } from '@stint/testing/databases.ts'
import { createHub } from '#realtime/hub.ts'
import type { Hub } from '#realtime/hub.ts'
import type { Database } from '#storage/database.ts'
import { createTestApp, TEST_PASSWORD } from '@stint/testing/test-app.ts'
import type { TestApp, TestBrowser } from '@stint/testing/test-app.ts'
import { testSockets } from '@stint/testing/test-sockets.ts'
import * as accounts from './service.ts'
import * as users from './users.ts'

const PROXY = readConfig({
  TRUST_PROXY: '127.0.0.1',
  AUTH_PROXY_HEADER: 'Remote-Email',
  AUTH_PROXY_NAME_HEADER: 'Remote-Name',
  AUTH_PROXY_LOGOUT_URL: 'https://auth.example.com/logout',
})

let db: Database
let hub: Hub
let server: TestApp
let startedAt: number
const lines: string[] = []
const servers: TestApp[] = []
const sockets = testSockets()
/** What the proxy says of Ann and of Bob, who are others in each test. */
let anns: { 'remote-email': string; 'remote-name': string }
let bobs: { 'remote-email': string }
let tests = 0

// A server is for all tests, and its people for one of them.
beforeAll(async () => {
  db = await openTestDatabase()
  hub = createHub(db, Date.now)
  server = await newServer()
  startedAt = server.clock.now()
  await server.app.listen({ port: 0, host: '127.0.0.1' })
})
beforeEach(async () => {
  await db.write((tx) => tx.run(tx.build.deleteFrom('throttles')))
  server.clock.set(startedAt)
  lines.length = 0
  tests++
  anns = { 'remote-email': `ann.${tests}@example.com`, 'remote-name': `Ann ${tests}` }
  bobs = { 'remote-email': `bob.${tests}@example.com` }
})
afterEach(async () => {
  sockets.closeAll()
  for (const each of servers.splice(0)) await each.close()
})
afterAll(async () => {
  await server.close()
  await hub.shutDown()
  await db.close()
})

test('whom the proxy has signed in gets an account and a session, without a form', async () => {
  const browser = server.newBrowser()
  const session = await signIn(browser, anns)
  expect(session).toMatchObject({
    status: 201,
    body: { provider: 'proxy', providerUid: anns['remote-email'], secret: '', factors: ['proxy'] },
  })
  const { body } = await browser.call('GET', '/account', undefined, anns)
  expect(body).toMatchObject({
    email: anns['remote-email'],
    name: anns['remote-name'],
    emailVerification: true,
  })
  expect(events()).toEqual(['account-created', 'sign-in'])

  const phone = server.newBrowser()
  expect(
    (await signIn(phone, { 'remote-email': anns['remote-email'].toUpperCase() })).body.userId,
  ).toBe(body.$id)
  expect(events()).toEqual(['sign-in'])
})

test('two tabs that ask at once share one account, and a third request shares the session', async () => {
  const tabs = [server.newBrowser(), server.newBrowser(), server.newBrowser()]
  const sessions = await Promise.all(tabs.map((tab) => signIn(tab, anns)))
  expect(sessions.map(({ status }) => status)).toEqual([201, 201, 201])
  expect(new Set(sessions.map(({ body }) => body.userId)).size).toBe(1)
  const [first] = tabs
  expect((await signIn(first ?? server.newBrowser(), anns)).body.$id).toBe(sessions[0]?.body.$id)
})

test('a session is not used for another person of the proxy, who gets their own', async () => {
  const browser = server.newBrowser()
  const ann = await signIn(browser, anns)
  const task = { documentId: 'anns', data: { name: 'Secret', userId: ann.body.userId } }
  const tasks = '/databases/stint/collections/tasks/documents'
  expect((await browser.call('POST', tasks, task, anns)).status).toBe(201)

  const asBob = (method: string, path: string) => browser.call(method, path, undefined, bobs)
  expect((await asBob('GET', '/account')).status).toBe(401)
  expect((await asBob('GET', `${tasks}/anns`)).status).toBe(401)
  expect((await asBob('DELETE', '/account/sessions')).status).toBe(401)
  const old = new Map(browser.cookies)
  expect((await signIn(browser, bobs)).status).toBe(201)
  expect((await asBob('GET', '/account')).body.email).toBe(bobs['remote-email'])
  expect((await asBob('GET', `${tasks}/anns`)).status).toBe(404)

  // Ann's session in this browser has ended.
  const thief = server.newBrowser()
  for (const [name, value] of old) thief.cookies.set(name, value)
  expect((await thief.call('GET', '/account')).status).toBe(401)
})

test('without the header, as on a path that the proxy lets through, the session is used', async () => {
  const browser = server.newBrowser()
  await signIn(browser, anns)
  expect((await browser.call('GET', '/account')).body.email).toBe(anns['remote-email'])
  expect((await browser.call('GET', '/account', undefined, { 'remote-email': '' })).status).toBe(
    200,
  )
})

test('a session by password is used for the person with its address, and for nobody else', async () => {
  const ann = await server.signedInUser(anns['remote-name'])
  expect((await ann.call('GET', '/account', undefined, anns)).status).toBe(200)
  expect((await ann.call('GET', '/account', undefined, bobs)).status).toBe(401)
})

test('a socket of another person of the proxy has no session', async () => {
  const browser = server.newBrowser()
  await signIn(browser, anns)
  const userOf = async (headers: Record<string, string>) =>
    (await (await sockets.connect(server, browser, headers)).next()).data.user
  expect(await userOf(anns)).toMatchObject({ email: anns['remote-email'] })
  expect(await userOf(bobs)).toBeNull()
})

describe('the header from elsewhere', () => {
  let open: TestApp
  let stranger: TestBrowser

  beforeEach(async () => {
    // The same database, and a proxy at another address: this test is a stranger then.
    open = await start({ trustProxy: '10.0.0.1', rateLimits: true })
    stranger = open.newBrowser()
  })

  test('signs nobody in, and is logged once a minute', async () => {
    const refused = await signIn(stranger, anns)
    expect(refused).toMatchObject({ status: 403, body: { type: 'stint_person_refused' } })
    expect(refused.body.message).toContain('did not come from the proxy')
    expect(stranger.cookies.size).toBe(0)
    expect(events()).toEqual(['sign-in-refused'])
    for (let count = 0; count < 3; count++) {
      expect((await stranger.call('GET', '/account', undefined, anns)).status).toBe(401)
    }
    expect(events()).toEqual(['proxy-header-refused'])
  })

  test('takes the session of a request away, even with the right address', async () => {
    const ann = await open.signedInUser(anns['remote-name'])
    expect((await ann.call('GET', '/account')).status).toBe(200)
    expect((await ann.call('GET', '/account', undefined, anns)).status).toBe(401)
  })

  test('is not helped by X-Forwarded-For with the address of the proxy', async () => {
    const headers = { ...anns, 'x-forwarded-for': '10.0.0.1' }
    expect((await signIn(stranger, headers)).status).toBe(403)
    expect(
      (await stranger.call('GET', '/stint/info', undefined, headers)).body.proxy.person,
    ).toBeNull()
  })

  test.each([
    ['10.0.0.1', true],
    ['::ffff:10.0.0.1', true],
    ['10.0.0.2', false],
    ['::1', false],
  ])('from the address %s it counts: %s', async (remoteAddress, isTrusted) => {
    const reply = await open.app.inject({
      method: 'POST',
      url: '/v1/stint/proxy/session',
      remoteAddress,
      headers: { 'x-appwrite-project': 'stint', ...anns },
    })
    expect(reply.statusCode).toBe(isTrusted ? 201 : 403)
  })
})

test.each([
  ['uniquelocal', '192.168.7.7', 201],
  ['loopback', '127.0.0.9', 201],
  ['172.16.0.0/12,10.0.0.1', '172.18.0.3', 201],
  ['fd00::/8', 'fd12::1', 201],
  ['172.16.0.0/12', '172.32.0.3', 403],
])(
  'with TRUST_PROXY=%s a request from %s is answered %i',
  async (trustProxy, remoteAddress, status) => {
    const own = await start({ trustProxy })
    const reply = await own.app.inject({
      method: 'POST',
      url: '/v1/stint/proxy/session',
      remoteAddress,
      headers: { 'x-appwrite-project': 'stint', ...anns },
    })
    expect(reply.statusCode).toBe(status)
  },
)

test.each([
  ['no header', {}, 'has signed nobody in'],
  ['an empty header', { 'remote-email': ' ' }, 'has signed nobody in'],
  ['a user name', { 'remote-email': 'ann' }, 'by an e-mail address'],
  [
    'several addresses',
    { 'remote-email': 'ann@example.com, bob@example.com' },
    'by an e-mail address',
  ],
  ['a long address', { 'remote-email': `${'a'.repeat(400)}@example.com` }, 'by an e-mail address'],
])('%s signs nobody in, and the reply says why', async (_, headers, message) => {
  const reply = await signIn(server.newBrowser(), headers)
  expect(reply).toMatchObject({ status: 403, body: { type: 'stint_person_refused' } })
  expect(reply.body.message).toContain(message)
})

test('a header that is sent twice signs nobody in, and takes the session away', async () => {
  const browser = server.newBrowser()
  await signIn(browser, anns)
  const port = Number(new URL(server.app.listeningOrigin).port)
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const once = `Remote-Email: ${anns['remote-email']}`
  const twice = `${once}\r\n${once}`
  expect(await rawStatus(port, 'GET /v1/account', twice, cookie)).toBe(401)
  expect(await rawStatus(port, 'GET /v1/account', once, cookie)).toBe(200)
  expect(await rawStatus(port, 'POST /v1/stint/proxy/session', twice)).toBe(403)
})

test('a name in UTF-8 is read as it was meant', async () => {
  const name = Buffer.from('Änne Ørsted', 'utf8').toString('latin1')
  const browser = server.newBrowser()
  const reply = await server.app.inject({
    method: 'POST',
    url: '/v1/stint/proxy/session',
    headers: { 'x-appwrite-project': 'stint', ...anns, 'remote-name': name },
  })
  for (const { name: each, value } of reply.cookies) browser.cookies.set(each, value)
  expect((await browser.call('GET', '/account', undefined, anns)).body.name).toBe('Änne Ørsted')
})

test('an address that is not UTF-8 is nobody’s, so that two people do not become one', async () => {
  expect(await entered('\u00E4@example.com')).toBe(403)
  expect(await entered('\u00F6@example.com')).toBe(403)
  expect(await entered(Buffer.from('ä@example.com').toString('latin1'))).toBe(201)
  const emails = (await users.list(db)).map(({ email }) => email)
  expect(emails.filter((email) => /^\W/.test(email))).toEqual(['ä@example.com'])
})

test('a disabled account stays out', async () => {
  const browser = server.newBrowser()
  const { body } = await signIn(browser, anns)
  await accounts.block({ db, hub, now: Date.now }, body.userId)
  expect((await browser.call('GET', '/account', undefined, anns)).body.type).toBe('user_blocked')
  expect((await signIn(browser, anns)).body.type).toBe('user_blocked')
})

test('another site cannot sign a browser in', async () => {
  const headers = { ...anns, origin: 'https://evil.example.com' }
  expect((await signIn(server.newBrowser(), headers)).status).toBe(403)
  const withoutProject = await server.app.inject({
    method: 'POST',
    url: '/v1/stint/proxy/session',
    headers: anns,
  })
  expect(withoutProject.json()).toMatchObject({ type: 'project_not_found' })
})

test('while sign-up is closed only people with an account come in', async () => {
  const { userId } = await account(anns['remote-email'])
  const closed = await start({ signup: 'closed' })
  const browser = closed.newBrowser()
  expect((await signIn(browser, bobs)).body).toMatchObject({
    type: 'user_auth_method_unsupported',
    message: 'Sign-up is closed on this server.',
  })
  expect((await signIn(browser, anns)).body.userId).toBe(userId)
})

describe('an account that somebody else may have made with the address', () => {
  test('is taken over: its password, sessions, keys and calendar address end', async () => {
    const thief = await server.signedInUser(anns['remote-name'])
    const key = await server.program(thief)
    const feed = await thief.call('PUT', '/stint/feed', {})
    const owner = server.newBrowser()
    expect((await signIn(owner, anns)).body.userId).toBe(thief.id)
    expect(events().slice(-2)).toEqual(['account-linked', 'sign-in'])

    expect((await thief.call('GET', '/account')).status).toBe(401)
    expect((await key('GET', '/now')).status).toBe(401)
    expect((await server.app.inject(feed.body.path)).statusCode).toBe(404)
    const again = await server
      .newBrowser()
      .call('POST', '/account/sessions/email', { email: thief.email, password: TEST_PASSWORD })
    expect(again.body.type).toBe('user_invalid_credentials')
  })
})

test('an account that the proxy made has no password until one is set by recovery', async () => {
  const browser = server.newBrowser()
  const { body } = await signIn(browser, anns)
  for (const password of [TEST_PASSWORD, '12345678']) {
    const reply = await server
      .newBrowser()
      .call('POST', '/account/sessions/email', { email: anns['remote-email'], password })
    expect(reply.body.type).toBe('user_invalid_credentials')
  }
  const change = (path: string, input: object) => browser.call('PATCH', path, input, anns)
  for (const reply of [
    await change('/account/password', { password: TEST_PASSWORD, oldPassword: '' }),
    await change('/account/email', { email: 'x@example.com', password: TEST_PASSWORD }),
  ]) {
    expect(reply).toMatchObject({ status: 403, body: { type: 'stint_password_missing' } })
  }
  const issued = await accounts.issueRecovery({ db, hub, now: server.clock.now }, body.userId, 1000)
  const { secret } = issued
  const recovery = { userId: body.userId, secret, password: TEST_PASSWORD }
  expect((await browser.call('PUT', '/account/recovery', recovery)).status).toBe(200)
  const ann = { email: anns['remote-email'], password: TEST_PASSWORD }
  expect((await server.newBrowser().call('POST', '/account/sessions/email', ann)).status).toBe(201)
})

test('the app is told of the proxy and of the person', async () => {
  const signOutUrl = 'https://auth.example.com/logout'
  expect((await info(anns)).body.proxy).toEqual({ person: anns['remote-email'], signOutUrl })
  expect((await info({})).body.proxy).toEqual({ person: null, signOutUrl })
})

test('without a proxy the route refuses, and the header means nothing', async () => {
  const plain = await start({ authProxy: null })
  const ann = await plain.signedInUser()
  expect((await ann.call('GET', '/account', undefined, bobs)).body.email).toBe(ann.email)
  expect((await signIn(plain.newBrowser(), bobs)).body).toMatchObject({
    type: 'user_auth_method_unsupported',
    message: 'No proxy signs people in to this server.',
  })
  expect((await plain.newBrowser().call('GET', '/stint/info')).body.proxy).toBeNull()
})

test('an address has a limited number of refused tries', async () => {
  const limited = await start({ rateLimits: true })
  const browser = limited.newBrowser()
  let refused = 0
  for (; refused < 200; refused++) {
    if ((await signIn(browser, {})).status === 429) break
  }
  expect(refused).toBe(100)
  expect(events().filter((event) => event === 'limit-reached')).toHaveLength(1)
})

/** Starts another server on the same database, for this test. */
async function start(config: Partial<Config>): Promise<TestApp> {
  const started = await newServer(config)
  servers.push(started)
  return started
}

function newServer(config: Partial<Config> = {}): Promise<TestApp> {
  const { authProxy, trustProxy } = PROXY
  return createTestApp({
    db,
    config: { authProxy, trustProxy, ...config },
    logger: { level: 'info', stream: { write: (line: string) => void lines.push(line) } },
  })
}

/** Signs in with a header of these bytes. Returns the status. */
async function entered(address: string): Promise<number> {
  const headers = { 'x-appwrite-project': 'stint', 'remote-email': address }
  const url = '/v1/stint/proxy/session'
  return (await server.app.inject({ method: 'POST', url, headers })).statusCode
}

function info(headers: Record<string, string>) {
  return server.newBrowser().call('GET', '/stint/info', undefined, headers)
}

function signIn(browser: TestBrowser, headers: Record<string, string>) {
  return browser.call('POST', '/stint/proxy/session', {}, headers)
}

async function account(email: string) {
  const { body } = await signIn(server.newBrowser(), { 'remote-email': email })
  return { userId: String(body.userId) }
}

/** Returns the security events since the last call. */
function events(): string[] {
  return lines
    .splice(0)
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === 'security')
    .map(({ event }) => event)
}

/** Sends a request with exactly these header lines. Returns its status. */
async function rawStatus(port: number, line: string, header: string, cookie = ''): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const socket = connect(port, '127.0.0.1', () => {
    socket.write(
      `${line} HTTP/1.1\r\nHost: localhost:3000\r\nX-Appwrite-Project: stint\r\nCookie: ${cookie}\r\n` +
        `Content-Length: 0\r\nConnection: close\r\n${header}\r\n\r\n`,
    )
  })
  socket.once('data', (data) => {
    resolve(Number(String(data).split(' ')[1]))
    socket.destroy()
  })
  socket.once('error', reject)
  return promise
}
