/** Raw bytes on the socket, which none of the test clients sends. */
import { connect } from 'node:net'
import { beforeAll, expect, test } from 'vitest'
import { serverForFile } from '@stint/testing/server-tests.ts'

const HOST = 'Host: localhost:3000\r\nX-Appwrite-Project: stint\r\n'
const server = serverForFile()

beforeAll(async () => {
  await server.app.listen({ host: '127.0.0.1', port: 0 })
})

test.each([
  [
    'two lengths',
    `POST /v1/account HTTP/1.1\r\n${HOST}Content-Length: 2\r\nContent-Length: 40\r\n\r\n{}`,
    400,
  ],
  [
    'a length and chunks',
    `POST /v1/account HTTP/1.1\r\n${HOST}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /v1/ping HTTP/1.1\r\n\r\n`,
    400,
  ],
  [
    'chunks of no length',
    `POST /v1/account HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
    400,
  ],
  [
    'a header without end',
    `GET /v1/health HTTP/1.1\r\n${HOST}X-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
    431,
  ],
  ['a line break in a header', `GET /v1/health HTTP/1.1\r\n${HOST}X: a\rb\r\n\r\n`, 400],
  ['no HTTP at all', 'hello\r\n\r\n', 400],
])('%s is refused', async (_, bytes, status) => {
  expect(await raw(bytes).received).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
})

test.each(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'PATCH', 'POST', 'PUT'])(
  'a %s that names the type of a body and brings none is answered',
  async (method) => {
    const type = 'Content-Type: application/json\r\nConnection: close\r\n'
    for (const path of ['/v1/account/sessions/current', '/v1/account', '/nothing']) {
      // A 503 would come from the timeout of handlers.
      const reply = await raw(`${method} ${path} HTTP/1.1\r\n${HOST}${type}\r\n`).received
      expect(reply).toMatch(/^HTTP\/1\.1 (?:204|400|401|404) /)
    }
  },
)

test('pipelined requests are answered in their order', async () => {
  const ping = `GET /v1/ping HTTP/1.1\r\n${HOST}\r\n`
  const last = `GET /v1/health HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`
  const reply = await raw(ping + ping + last).received
  expect(reply.match(/Pong!|"pass"/g)).toEqual(['Pong!', 'Pong!', '"pass"'])
})

test('TRACE is refused', async () => {
  expect(await raw(`TRACE /v1/ping HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`).received).toMatch(
    /^HTTP\/1\.1 404 /,
  )
})

// The database has no influence, so one run is enough.
test.runIf(process.env['TEST_DATABASE'] === 'sqlite')(
  'a client that never finishes a request is cut off, though a byte comes now and then',
  async () => {
    const { socket, received } = raw('GET /v1/health HTTP/1.1\r\n')
    const drip = setInterval(() => socket.write('X-Drip: 1\r\n'), 500)
    const reply = await received
    clearInterval(drip)
    expect(reply).toMatch(/^HTTP\/1\.1 408 /)
  },
)

/** Sends the bytes, and returns all received bytes until the server closes. */
function raw(bytes: string) {
  const { port } = new URL(server.app.listeningOrigin)
  const socket = connect(Number(port), '127.0.0.1')
  const received = new Promise<string>((done) => {
    let text = ''
    socket.on('data', (chunk) => void (text += String(chunk)))
    socket.on('error', () => {})
    socket.on('close', () => done(text))
  })
  socket.write(bytes)
  return { socket, received }
}
