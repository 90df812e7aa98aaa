import { once } from 'node:events'
import { connect } from 'node:net'
import fastifyWebsocket from '@fastify/websocket'
import Fastify from 'fastify'
import { afterEach, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { DEFAULT_PASSWORD_COST } from '#accounts/password-hash.ts'
import { registerErrorHandler } from '#errors.ts'
import {
  answerForTheSlow,
  beginInTurns,
  OVERLOADED_AT,
  smoothed,
  watchEventLoop,
} from './overload.ts'
import { createTestApp } from '@stint/testing/test-app.ts'
import type { TestApp } from '@stint/testing/test-app.ts'

const UNAVAILABLE = { status: 503, type: 'general_service_unavailable', retryAfter: '2' }
let server: TestApp | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

test('serves up to the bound, refuses above it, and serves again below', async () => {
  let delay = OVERLOADED_AT
  server = await createTestApp({ eventLoopDelay: () => delay })
  const ann = await server.signedInUser('Ann')
  delay = OVERLOADED_AT + 0.1
  for (const path of ['/account', '/databases/stint/collections/tasks/documents']) {
    expect(outcome(await ann.call('GET', path))).toEqual(UNAVAILABLE)
  }
  expect(outcome(await ann.call('GET', '/health/ready'))).toEqual(UNAVAILABLE)
  expect((await ann.call('GET', '/health')).status).toBe(200)
  delay = OVERLOADED_AT
  expect((await ann.call('GET', '/account')).status).toBe(200)
  expect((await ann.call('GET', '/health/ready')).status).toBe(200)
})

test(
  'notices a loop that is really blocked again and again, and that it is free again',
  { timeout: 60_000 },
  async () => {
    server = await createTestApp({ eventLoopDelay: null })
    const ann = await server.signedInUser('Ann')
    await vi.waitFor(
      async () => {
        block(400)
        expect(outcome(await ann.call('GET', '/account'))).toEqual(UNAVAILABLE)
      },
      { timeout: 20_000, interval: 1 },
    )
    await vi.waitFor(async () => expect((await ann.call('GET', '/account')).status).toBe(200), {
      timeout: 20_000,
      interval: 20,
    })
  },
)

test('begins requests in their order, and lets the loop turn in between', async () => {
  const app = Fastify()
  const waited = beginInTurns(app)
  const begun: string[] = []
  const inTurn = new Map<number, number>()
  let turn = 0
  let nextTurn = setImmediate(function count() {
    turn++
    nextTurn = setImmediate(count)
  })
  app.get('/:number', ({ params }, reply) => {
    begun.push(Object(params).number)
    inTurn.set(turn, (inTurn.get(turn) ?? 0) + 1)
    block(0.6)
    void reply.send('done')
  })
  const numbers = Array.from({ length: 20 }, (_, index) => String(index))
  const answers = numbers.map((number) => app.inject(`/${number}`))
  expect((await Promise.all(answers)).map(({ statusCode }) => statusCode)).toEqual(
    numbers.map(() => 200),
  )
  expect(begun).toEqual(numbers)
  // A turn is a millisecond, and what has begun is not cut short.
  expect(Math.max(...inTurn.values())).toBeLessThanOrEqual(2)
  expect(waited()).toBe(0)
  clearImmediate(nextTurn)
  await app.close()
})

test('requests that wait to begin are a delay, though every timer is on time', async () => {
  const app = Fastify()
  const waited = beginInTurns(app)
  let longest = 0
  app.get('/', (_request, reply) => {
    block(1)
    longest = Math.max(longest, waited())
    void reply.send('done')
  })
  await Promise.all(Array.from({ length: 300 }, () => app.inject('/')))
  expect(longest).toBeGreaterThanOrEqual(200)
  const meter = watchEventLoop(() => 2 * OVERLOADED_AT)
  await vi.waitFor(() => expect(meter.delay()).toBeGreaterThan(OVERLOADED_AT), { timeout: 10_000 })
  meter.stop()
  await app.close()
})

test('one long pause is no overload, five in a row are', () => {
  expect(smoothed(0, 1000)).toBeLessThan(OVERLOADED_AT)
  expect(Array<number>(5).fill(400).reduce(smoothed, 0)).toBeGreaterThan(OVERLOADED_AT)
})

test(
  'a storm of sign-ins is turned away in part, while others are served',
  { timeout: 60_000 },
  async () => {
    const browsers = await createTestApp({ passwordCost: DEFAULT_PASSWORD_COST })
    server = browsers
    const ann = await server.signedInUser('Ann')
    const wrong = { email: ann.email, password: 'wrong horse 1' }
    const storm = Promise.all(
      Array.from({ length: 200 }, () =>
        browsers.newBrowser().call('POST', '/account/sessions/email', wrong),
      ),
    )
    expect((await ann.call('GET', '/account')).status).toBe(200)
    const replies = await storm
    const turnedAway = replies.filter(({ status }) => status === 503)
    expect(replies.filter(({ status }) => status === 401)).toHaveLength(200 - turnedAway.length)
    expect(turnedAway.length).toBeGreaterThan(50)
    for (const reply of turnedAway) expect(outcome(reply)).toEqual(UNAVAILABLE)
    const after = await browsers.newBrowser().call('POST', '/account/sessions/email', ann)
    expect(after.status).toBe(201)
  },
)

test('a handler that never answers is answered for, others are not', async () => {
  const app = Fastify()
  registerErrorHandler(app)
  answerForTheSlow(app, 50)
  app.get('/never', () => new Promise(() => {}))
  app.get('/now', async () => 'done')
  const [never, soon] = await Promise.all([app.inject('/never'), app.inject('/now')])
  expect([never.statusCode, never.headers['retry-after']]).toEqual([503, '2'])
  expect(soon.body).toBe('done')
  await app.close()
})

test('on a connection that was answered before, it is answered for as well', async () => {
  const app = Fastify()
  registerErrorHandler(app)
  answerForTheSlow(app, 50)
  app.get('/never', () => new Promise(() => {}))
  app.get('/now', async () => 'done')
  const url = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const socket = connect(Number(url.port), '127.0.0.1')
  let said = ''
  socket.on('data', (bytes) => (said += String(bytes)))
  for (const [path, answer] of [
    ['/now', 'HTTP/1.1 200 OK'],
    ['/never', 'HTTP/1.1 503 Service Unavailable'],
    ['/now', 'HTTP/1.1 200 OK'],
  ]) {
    said = ''
    socket.write(`GET ${path} HTTP/1.1\r\nHost: here\r\n\r\n`)
    await vi.waitFor(() => expect(said).toContain('\r\n\r\n'), { timeout: 10_000 })
    expect(said).toContain(answer)
  }
  socket.destroy()
  await app.close()
})

test('a client that does not take its answer is cut off, one that is slow is not', async () => {
  const app = Fastify({ forceCloseConnections: true })
  answerForTheSlow(app, 50, 500)
  const large = Buffer.alloc(40_000_000)
  app.get('/large', async () => large)
  const url = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const ask = async () => {
    const socket = connect(Number(url.port), '127.0.0.1')
    socket.write('GET /large HTTP/1.1\r\nHost: here\r\n\r\n')
    await once(socket, 'readable')
    return socket
  }
  const [deaf, slow] = [await ask(), await ask()]
  let taken = 0
  const take = setInterval(() => {
    // The whole takes several times the pause that is allowed.
    taken += slow.read()?.length ?? 0
  }, 5)
  const isOpen = () =>
    new Promise<number>((done, failed) =>
      app.server.getConnections((error, count) => (error ? failed(error) : done(count))),
    )
  await vi.waitFor(async () => expect(await isOpen()).toBe(1), { timeout: 10_000 })
  await vi.waitFor(() => expect(taken).toBeGreaterThan(large.length), { timeout: 15_000 })
  clearInterval(take)
  deaf.destroy()
  slow.destroy()
  await app.close()
})

test('a WebSocket on which nothing is said stays open', async () => {
  const app = Fastify()
  answerForTheSlow(app, 50, 100)
  await app.register(fastifyWebsocket)
  app.get('/quiet', { websocket: true }, (socket) => {
    socket.on('message', (text) => socket.send(text))
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const socket = new WebSocket(`${url.replace('http', 'ws')}/quiet`)
  await once(socket, 'open')
  // Ten times as long as a client may leave its answer.
  await new Promise((later) => setTimeout(later, 1000))
  socket.send('still here')
  const [heard] = await once(socket, 'message')
  expect(String(heard)).toBe('still here')
  socket.close()
  await app.close()
})

/** Keeps the loop from everything else for so many milliseconds. */
function block(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

function outcome({ status, body, headers }: Awaited<ReturnType<TestApp['browser']['call']>>) {
  return { status, type: body.type, retryAfter: headers.get('retry-after') }
}
