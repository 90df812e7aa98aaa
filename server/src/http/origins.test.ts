import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { serverForFile } from '@stint/testing/server-tests.ts'
import { createTestApp } from '@stint/testing/test-app.ts'
import type { TestApp, TestUser } from '@stint/testing/test-app.ts'

const FRIEND = 'https://friend.example.com'
const server = serverForFile({ config: { allowedOrigins: [FRIEND] } })
let ann: TestUser

beforeAll(async () => {
  ann = await server.signedInUser('Ann')
})

const write = (headers: Record<string, string>) =>
  ann.call(
    'PUT',
    '/databases/stint/collections/tasks/documents/t1',
    { data: { name: 'x', userId: ann.id } },
    headers,
  )

test.each([
  ['a foreign page', { origin: 'https://evil.example.com' }],
  ['a sandboxed page', { origin: 'null' }],
  ['another port of this host', { origin: 'http://localhost:4000' }],
  ['a sibling without Origin', { 'sec-fetch-site': 'same-site' }],
  ['another site without Origin', { 'sec-fetch-site': 'cross-site' }],
  ['a name that begins like ours', { origin: 'http://localhost:3000.evil.example.com' }],
  ['our host by another scheme', { origin: 'https://localhost:3000' }],
  ['a name that DNS leads to us', { origin: 'http://evil.example.com', host: 'evil.example.com' }],
  ['an address that is not in Host', { origin: 'http://192.168.1.5:3000' }],
  ['a loopback name that is not in Host', { origin: 'http://127.0.0.1:4000' }],
])('a write from %s is refused', async (_, headers) => {
  expect(await write(headers)).toMatchObject({
    status: 403,
    body: { type: 'general_unknown_origin' },
  })
})

test.each([
  ['our own page', { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' }],
  ['an origin on the list', { origin: FRIEND, 'sec-fetch-site': 'cross-site' }],
  ['a program', {}],
])('a write from %s is accepted', async (_, headers) => {
  expect((await write(headers)).status).toBe(200)
})

test.each([
  'localhost:3000',
  'localhost:8080',
  'stint.localhost:3000',
  '127.0.0.1:3000',
  '[::1]:3000',
  '192.168.1.5:3000',
  '[fd00::5]:3000',
])('without PUBLIC_URL, a page at http://%s may call its own address', async (host) => {
  expect((await write({ origin: `http://${host}`, host })).status).toBe(200)
})

test('the refusal of an origin names its host', async () => {
  const { body } = await write({ origin: 'https://evil.example.com:8443' })
  expect(body.message).toBe(
    'Invalid Origin. Register your new client (evil.example.com) as a new Web platform on your project console dashboard',
  )
})

describe('with an https PUBLIC_URL', () => {
  const OURS = 'https://time.example.com'
  let https: TestApp
  let bob: TestUser
  beforeAll(async () => {
    https = await createTestApp({
      config: { publicUrl: OURS, allowedOrigins: [FRIEND], trustProxy: '127.0.0.1' },
    })
    await https.app.listen({ host: '127.0.0.1', port: 0 })
    bob = await https.signedInUser('Bob')
  })
  afterAll(() => https.close())

  test.each([
    ['http://time.example.com', 'time.example.com'],
    ['http://localhost:3000', 'localhost:3000'],
    ['http://192.168.1.5:3000', '192.168.1.5:3000'],
    ['https://evil.example.com', 'evil.example.com'],
    ['https://friend.example.com:444', 'friend.example.com:444'],
  ])('with an https PUBLIC_URL, %s is refused even if Host is the same', async (origin, host) => {
    const from = { origin, host, 'sec-fetch-site': 'same-origin' }
    expect((await bob.call('PATCH', '/account/name', { name: 'x' }, from)).status).toBe(403)
    expect(await connects(from)).toBe(false)
  })

  test.each([OURS, FRIEND])(
    'with an https PUBLIC_URL, %s is accepted, whatever Host the proxy sends',
    async (origin) => {
      const from = { origin, host: '127.0.0.1:3000' }
      expect((await bob.call('PATCH', '/account/name', { name: 'x' }, from)).status).toBe(200)
      expect(await connects(from)).toBe(true)
    },
  )

  /** Returns whether the socket opens; false: it is closed after a refusal. */
  async function connects(headers: Record<string, string>): Promise<boolean> {
    const url = `${https.app.listeningOrigin.replace('http', 'ws')}/v1/realtime?project=stint`
    const socket = new WebSocket(url, { headers })
    const [message] = await once(socket, 'message')
    socket.terminate()
    return JSON.parse(String(message)).type === 'connected'
  }
})

test('a write must name the project in a header, which a form cannot set', async () => {
  const path = '/databases/stint/collections/tasks/documents/t1?project=stint'
  expect(
    await ann.call('PATCH', path, { data: { name: 'y' } }, { 'x-appwrite-project': '' }),
  ).toMatchObject({
    status: 404,
    body: { type: 'project_not_found' },
  })
})

test.each([
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json-patch+json',
])('a %s body is refused', async (type) => {
  expect(await write({ 'content-type': type })).toMatchObject({ status: 415 })
})

test('only a listed origin gets CORS headers', async () => {
  const reply = await ann.call('GET', '/account', undefined, { origin: FRIEND })
  expect(Object.fromEntries(reply.headers)).toMatchObject({
    'access-control-allow-origin': FRIEND,
    'access-control-allow-credentials': 'true',
    vary: 'Origin',
  })
  const own = await ann.call('GET', '/account', undefined, { origin: 'http://localhost:3000' })
  expect(own.headers.get('access-control-allow-origin')).toBeNull()
})

describe('an extension of a browser', () => {
  const EXTENSION = 'chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn'

  test.each([EXTENSION, 'moz-extension://2c127fa4-62c7-7e4f-90e5-472b45eecfdc'])(
    '%s may press the timer with a key, and gets no CORS headers',
    async (origin) => {
      const program = await server.program(ann)
      const reply = await program('POST', '/start', { task: 'Write' }, { origin })
      expect(reply.status).toBe(201)
      expect(reply.headers.get('access-control-allow-origin')).toBeNull()
    },
  )

  test('gets nowhere with the cookie of its owner', async () => {
    const key = `Bearer stint_${'a'.repeat(43)}`
    expect(await write({ origin: EXTENSION })).toMatchObject({
      body: { type: 'general_unknown_origin' },
    })
    for (const authorization of [key.replace('stint_', 'STINT_'), 'Bearer x', 'Basic stint_x']) {
      expect(await write({ origin: EXTENSION, authorization })).toMatchObject({
        body: { type: 'general_unknown_origin' },
      })
    }
    expect(await write({ origin: EXTENSION, authorization: key })).toMatchObject({
      status: 403,
      body: { type: 'stint_key_forbidden' },
    })
  })

  test('has one of the schemes of extensions: a page with a key is refused', async () => {
    const program = await server.program(ann)
    for (const origin of ['https://evil.example.com', 'null', 'x-chrome-extension://abc']) {
      const reply = await program('POST', '/start', { task: 'Write' }, { origin })
      expect(reply.body.type).toBe('general_unknown_origin')
    }
  })
})

test('a preflight is answered without a look-up of the caller', async () => {
  const allowed = await preflight(FRIEND)
  expect(allowed.statusCode).toBe(204)
  expect(allowed.headers['access-control-allow-headers']).toContain('X-Appwrite-Project')
  expect((await preflight('https://evil.example.com')).statusCode).toBe(403)
})

test.each([
  ['no JSON', '{"data":'],
  ['a prototype', '{"data":{"name":"x"},"__proto__":{"isAdmin":true}}'],
  ['invalid UTF-8', Buffer.from([0x22, 0xff, 0x22]).toString('latin1')],
  ['too much', JSON.stringify({ data: { name: 'x'.repeat(70_000) } })],
])('a body that is %s is refused with 400', async (_, body) => {
  const reply = await server.app.inject({
    method: 'POST',
    url: '/v1/account',
    headers: { 'x-appwrite-project': 'stint', 'content-type': 'application/json' },
    payload: Buffer.from(body, 'latin1'),
  })
  expect(reply.json()).toMatchObject({ code: 400, type: 'general_argument_invalid' })
})

function preflight(origin: string) {
  return server.app.inject({ method: 'OPTIONS', url: '/v1/account', headers: { origin } })
}
