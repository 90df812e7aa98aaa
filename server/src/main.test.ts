/** Tests of the whole process: how it ends, what it logs, what it refuses to start with. */
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { get } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { COMPILE_CACHE } from '@stint/testing/compile-cache.ts'
import { newTestDatabase } from '@stint/testing/databases.ts'
import type { TestDatabasePlace } from '@stint/testing/databases.ts'
import { freePort } from '@stint/testing/free-port.ts'
import { startServer } from '@stint/testing/server-process.ts'

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url))
const TASKS = '/databases/stint/collections/tasks/documents'
const CROWD = 1000
const PING = 'GET /v1/ping HTTP/1.1\r\nHost: localhost\r\nX-Appwrite-Project: stint\r\n\r\n'
let place: TestDatabasePlace
let port: number

beforeEach(async () => {
  place = await newTestDatabase()
  port = await freePort()
})
afterEach(() => place.remove())

test('a server that is told to stop keeps all acknowledged writes, closes its sockets for a reconnect, and exits with 0', async () => {
  const server = await startServer(place.url, port)
  const ann = await signedIn()
  const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/realtime?project=stint`, {
    headers: { cookie: ann.cookie },
  })
  const closed = new Promise<number>((done) => socket.on('close', done))
  await new Promise((done) => socket.once('message', done))
  const answers = Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      ann
        .call('POST', TASKS, { documentId: `t${index}`, data: { name: 'x', userId: 'ann' } })
        .then(({ status }) => ({ index, status }))
        .catch(() => ({ index, status: 0 })),
    ),
  )
  await ann.call('GET', '/account')
  server.end('SIGTERM')
  const kept = (await answers).filter(({ status }) => status === 201)
  expect(await closed).toBe(1012)
  expect(await server.exited).toBe(0)

  const again = await startServer(place.url, port)
  const { body } = await ann.call(
    'GET',
    `${TASKS}?queries[0]=%7B%22method%22%3A%22limit%22%2C%22values%22%3A%5B100%5D%7D`,
  )
  const there = new Set(body.documents.map(({ $id }: { $id: string }) => $id))
  expect(kept.filter(({ index }) => !there.has(`t${index}`))).toEqual([])
  again.end('SIGTERM')
  expect(await again.exited).toBe(0)
})

test('the log at its most detailed level contains no password, cookie or secret', async () => {
  const server = await startServer(place.url, port, { LOG_LEVEL: 'trace' })
  const canary = 'canary horse 4711'
  const ann = await signedIn(canary)
  await ann.call('POST', '/account/sessions/email', { email: 'x@example.com', password: canary })
  await ann.call('PATCH', '/account/password', { password: canary, oldPassword: canary })
  await ann.call('PUT', '/account/recovery', { userId: 'ann', secret: canary, password: canary })
  await ann.call('GET', `/account?secret=${encodeURIComponent(canary)}`)
  await ann.call('POST', TASKS, `{"broken": "${canary}"`)
  const key = await ann.call('POST', '/stint/keys', { name: 'Shell', access: 'write' })
  const url = 'https://1.1.1.1/'
  const hook = await ann.call('PUT', `/stint/keys/${key.body.id}/webhook`, { url })
  const feed = await ann.call('PUT', '/stint/feed')
  const [, address = ''] = /^\/feed\/(.{43})\.ics$/.exec(feed.body.path) ?? []
  expect([key.status, hook.status, address.length]).toEqual([201, 200, 43])
  const headers = { authorization: `Bearer ${key.body.secret}` }
  for (const path of [
    `/v1/stint/now?timeZone=UTC`,
    '/mcp',
    '/metrics',
    `/feed/${address}.ics`,
    `//feed/${address}.ics`,
    `/feed%2f${address}.ics`,
    `/FEED/${address}.ics`,
    `/%66eed/${address}.ics`,
    `/fee%64/${address}.ics`,
    `/%46%45ED/${address}.ics`,
    `/feed/%${address.charCodeAt(0).toString(16)}${address.slice(1)}.ics`,
    `/feed//${address}.ics`,
    `/feed%2F${address}.ics`,
    `/feed%5c${address}.ics`,
    `/feed;x/${address}.ics`,
    `/x/../feed/${address}.ics`,
    `/calendar/feeds/${address}.ics`,
    `/feed/${address}.ics/%`,
    `/${address}.ics`,
    `/v1/feed/${address}.ics`,
    `/recovery%3FuserId=ann&secret=${address}`,
    `/signup?invite=${address}`,
    `/v1/stint/oidc/callback?code=${address}&state=${address}`,
  ]) {
    // As it is: `fetch` would change some of them.
    const asked = get({ host: '127.0.0.1', port, path, headers })
    const [answer] = await once(asked, 'response')
    answer.resume()
  }
  server.end('SIGTERM')
  await server.exited
  const log = server.output()
  expect(log).toContain('"msg":"request"')
  expect(log).toContain('"event":"password-changed"')
  const [, token = ''] = ann.cookie.split('=')
  expect(token.length).toBeGreaterThan(40)
  const secrets = [canary, encodeURIComponent(canary), token, decodeURIComponent(token)]
  for (const secret of [...secrets, key.body.secret, hook.body.secret, address.slice(1)]) {
    expect(log).not.toContain(secret)
  }
})

// Only Linux reports how many connections may wait, and the database has no influence.
test.runIf(process.env['TEST_DATABASE'] === 'sqlite' && mostWaiting() >= CROWD)(
  'a thousand who come at once while it is busy are all let in',
  async () => {
    const server = await startServer(place.url, port)
    server.end('SIGSTOP')
    const sockets = Array.from({ length: CROWD }, () => connect(port, '127.0.0.1'))
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    for (const socket of sockets) socket.write(PING)
    const answers = Promise.all(sockets.map((socket) => once(socket, 'data')))
    server.end('SIGCONT')
    for (const [answer] of await answers) expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /)
    for (const socket of sockets) socket.destroy()
    server.end('SIGTERM')
    await server.exited
  },
)

test('an invalid setting stops the start with one readable message', () => {
  const { status, stderr } = spawnSync(process.execPath, [MAIN], {
    env: { ...process.env, ...COMPILE_CACHE, PORT: 'many', SIGNUP: 'maybe' },
    encoding: 'utf8',
  })
  expect(status).toBe(1)
  expect(stderr).toBe(
    'The configuration is invalid:\n' +
      '  - PORT must be a whole number from 0 to 65535, not "many".\n' +
      '  - SIGNUP must be "open", "invite" or "closed".\n',
  )
})

test.each([
  [{ HOST: '192.0.2.1' }, 'HOST must be an address of this machine'],
  [{ DATABASE_URL: `file:${tmpdir()}` }, 'is a folder. Name a file in DATABASE_URL.'],
])('%j stops the start with a sentence', async (environment, sentence) => {
  const { status, stderr } = spawnSync(process.execPath, [MAIN], {
    env: {
      ...process.env,
      ...COMPILE_CACHE,
      DATABASE_URL: place.url,
      PORT: String(port),
      ...environment,
    },
    encoding: 'utf8',
  })
  expect(status).toBe(1)
  expect(stderr).toContain(sentence)
  expect(stderr).not.toContain('    at ')
})

/** Returns how many connections the system lets wait for a server. */
function mostWaiting(): number {
  const file = '/proc/sys/net/core/somaxconn'
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
}

/** Returns a user with a session at the server on `port`, under the id `ann`. */
async function signedIn(password = 'correct horse 1') {
  const account = { userId: 'ann', email: 'ann@example.com', password }
  await call('', 'POST', '/account', account)
  const reply = await call('', 'POST', '/account/sessions/email', account)
  const cookie = reply.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  return {
    cookie,
    call: (method: string, path: string, body?: object | string) =>
      call(cookie, method, path, body),
  }
}

async function call(cookie: string, method: string, path: string, body?: object | string) {
  const reply = await fetch(`http://127.0.0.1:${port}/v1${path}`, {
    method,
    headers: { 'x-appwrite-project': 'stint', 'content-type': 'application/json', cookie },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  // oxlint-disable-next-line typescript/no-explicit-any -- whatever came
  const parsed: any = JSON.parse((await reply.text()) || '{}')
  return { status: reply.status, body: parsed, headers: reply.headers }
}
