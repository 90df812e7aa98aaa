import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp } from '@stint/testing/test-app.ts'
import type { TestApp } from '@stint/testing/test-app.ts'

const HSTS = 'strict-transport-security'
let folder: string
let plain: TestApp
let secure: TestApp

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stint-headers-'))
  for (const name of ['index.html', 'app.html', 'sw.js']) writeFileSync(join(folder, name), name)
  plain = await createTestApp({ siteFolder: folder })
  secure = await createTestApp({
    siteFolder: folder,
    config: { publicUrl: 'https://time.example.com' },
  })
  await secure.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await plain.close()
  await secure.close()
  rmSync(folder, { recursive: true })
})

/** Every kind of reply: from the API, the site, Fastify and Node's parser. */
const REPLIES = [
  ['an API call', 'GET /v1/health', 200],
  ['an API error', 'GET /v1/account', 404],
  ['an unknown API route', 'GET /v1/nowhere', 404],
  ['the realtime route without a socket', 'GET /v1/realtime', 404],
  ['a page', 'GET /', 200],
  ['a screen', 'GET /dashboard', 200],
  ['a file', 'GET /sw.js', 200],
  ['an unknown file', 'GET /nowhere.png', 404],
  ['an unknown method', 'PUT /', 404],
  ['an address that is none', 'GET /%zz', 400],
  ['a parameter that is too long', `DELETE /v1/account/sessions/${'x'.repeat(200)}`, 404],
] as const

test.each(REPLIES)('%s is protected, and by https for a year', async (_, line, status) => {
  const reply = await raw(`${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  expect(reply).toContain(`HTTP/1.1 ${status} `)
  expectProtected(reply)
})

test.each([
  ['no HTTP', 'hello\r\n\r\n', 400],
  ['a header that is too long', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ['a request without Host', 'GET /v1/health HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
])('the refusal of %s has the default headers', async (_, bytes, status) => {
  const reply = await raw(bytes)
  expect(reply).toContain(`HTTP/1.1 ${status} `)
  expect(reply).toContain('"type":"general_argument_invalid"')
  expectProtected(reply)
})

test.each(REPLIES.map(([name, line]) => [name, ...line.split(' ', 2)] as const))(
  'by http, %s does not ask for https',
  async (_, method = '', url = '') => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- any method will do
    const { headers } = await plain.app.inject({ method: method as 'GET', url })
    expect(headers[HSTS]).toBeUndefined()
    expect(headers['x-content-type-options']).toBe('nosniff')
  },
)

test('a request that arrives while the server closes is refused with the same headers', async () => {
  const closing = await createTestApp({ config: { publicUrl: 'https://time.example.com' } })
  await closing.app.listen({ host: '127.0.0.1', port: 0 })
  const socket = connect(Number(new URL(closing.app.listeningOrigin).port), '127.0.0.1')
  const reply = untilClosed(socket)
  const request = 'GET /v1/health HTTP/1.1\r\nHost: x\r\n'
  socket.write(`${request}\r\n${request}`)
  // The first request is answered, so the beginning of the second has arrived.
  await once(socket, 'data')
  const closed = closing.close()
  setImmediate(() => socket.write('\r\n'))
  expect(await reply).toContain('HTTP/1.1 503 ')
  expect(await reply).toContain('"type":"general_service_unavailable"')
  expectProtected(await reply)
  await closed
})

function expectProtected(reply: string): void {
  for (const line of [
    'strict-transport-security: max-age=31536000\r\n',
    'x-content-type-options: nosniff\r\n',
    'referrer-policy: no-referrer\r\n',
    'cross-origin-resource-policy: same-origin\r\n',
    "content-security-policy: default-src 'none'",
    'cache-control: no-',
  ]) {
    expect(reply).toContain(line)
  }
}

/** Sends the bytes, and returns all received text until the server closes. */
async function raw(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(secure.app.listeningOrigin).port), '127.0.0.1')
  socket.write(bytes)
  return untilClosed(socket)
}

async function untilClosed(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (chunk) => void (text += String(chunk)))
  socket.on('error', () => {})
  await new Promise((done) => void socket.on('close', done))
  return text
}
