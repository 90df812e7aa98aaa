import { once } from 'node:events'
import { connect } from 'node:net'
import Fastify from 'fastify'
import { afterEach, expect, test, vi } from 'vitest'
import { DEFAULT_PASSWORD_COST } from '#accounts/password-hash.ts'
import { registerErrorHandler } from '#errors.ts'
import { MAX_PIPELINED, MAX_QUEUE, MAX_WAIT, registerAdmission } from './admission.ts'
import { createTestApp } from '@stint/testing/test-app.ts'
import type { TestApp } from '@stint/testing/test-app.ts'

const UNAVAILABLE = { status: 503, type: 'general_service_unavailable', retryAfter: '2' }
let server: TestApp | undefined
/** The clock of the queue: only `block` advances it. */
let time = 0
const now = () => time
afterEach(async () => {
  await server?.close()
  server = undefined
})

test('a request that waited up to the bound is served, and one that waited longer is refused', async () => {
  const app = Fastify()
  registerErrorHandler(app)
  const admission = registerAdmission(app, { now })
  let waited = MAX_WAIT
  app.addHook('onRequest', async (request) => void (request.queuedFor = waited))
  app.get('/unshed', async () => 'done')
  await app.register(async (api) => {
    await admission.shedLoad(api)
    api.get('/', async () => 'done')
  })
  expect((await app.inject('/')).statusCode).toBe(200)
  expect(admission.isOverloaded()).toBe(false)
  waited = MAX_WAIT + 0.1
  const refused = await app.inject('/')
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '2'])
  expect(admission.isOverloaded()).toBe(true)
  expect((await app.inject('/unshed')).statusCode).toBe(200)
  waited = 0
  expect((await app.inject('/')).statusCode).toBe(200)
  block(999)
  expect(admission.isOverloaded()).toBe(true)
  block(1)
  expect(admission.isOverloaded()).toBe(false)
  await app.close()
})

test('requests are refused while the event loop is repeatedly blocked, and served again afterwards', async () => {
  server = await createTestApp({ shedsLoad: true })
  const ann = await server.signedInUser('Ann')
  await vi.waitFor(
    async () => {
      blockLoop(400)
      for (const path of ['/account', '/databases/stint/collections/tasks/documents']) {
        expect(outcome(await ann.call('GET', path))).toEqual(UNAVAILABLE)
      }
    },
    { interval: 1 },
  )
  expect(outcome(await ann.call('GET', '/health/ready'))).toEqual(UNAVAILABLE)
  expect((await ann.call('GET', '/health')).status).toBe(200)
  await vi.waitFor(
    async () => {
      expect((await ann.call('GET', '/account')).status).toBe(200)
      expect((await ann.call('GET', '/health/ready')).status).toBe(200)
    },
    { interval: 20 },
  )
})

test('requests begin in the order of arrival, in several turns of the event loop', async () => {
  const app = Fastify()
  registerAdmission(app, { now })
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
    block(3)
    void reply.send('done')
  })
  const numbers = Array.from({ length: 20 }, (_, index) => String(index))
  const answers = numbers.map((number) => app.inject(`/${number}`))
  expect((await Promise.all(answers)).map(({ statusCode }) => statusCode)).toEqual(
    numbers.map(() => 200),
  )
  expect(begun).toEqual(numbers)
  // Five milliseconds; a request that has begun is not interrupted.
  expect(new Set(inTurn.values())).toEqual(new Set([2]))
  clearImmediate(nextTurn)
  await app.close()
})

test('of too many requests those that waited too long are refused', async () => {
  const app = Fastify()
  registerErrorHandler(app)
  const admission = registerAdmission(app, { now })
  await app.register(async (api) => {
    await admission.shedLoad(api)
    api.get('/', (_request, reply) => {
      block(5)
      void reply.send('done')
    })
  })
  await app.ready()
  const replies = await Promise.all(Array.from({ length: 300 }, () => app.inject('/')))
  const served = replies.filter(({ statusCode }) => statusCode === 200)
  expect(served).toHaveLength(MAX_WAIT / 5 + 1)
  expect(replies.filter(({ statusCode }) => statusCode === 503)).toHaveLength(300 - served.length)
  expect((await app.inject('/')).statusCode).toBe(200)
  await app.close()
})

test('a request whose connection is closed while it waits never begins', async () => {
  const app = Fastify()
  registerAdmission(app, { now })
  const begun: string[] = []
  app.get('/:name', ({ params }, reply) => {
    begun.push(Object(params).name)
    block(50)
    void reply.send('done')
  })
  const url = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  app.server.on('request', ({ url: path, socket }) => {
    if (path === '/gone') socket.destroy()
  })
  const ask = (path: string) => {
    const socket = connect(Number(url.port), '127.0.0.1')
    socket.on('error', () => {})
    socket.write(request(path))
    return socket
  }
  const closed = ask('/gone')
  await once(closed, 'close')
  const open = ask('/here')
  await once(open, 'data')
  expect(begun).toEqual(['here'])
  open.destroy()
  await app.close()
})

test('a connection that pipelines does not delay the other connections', async () => {
  const app = Fastify()
  registerAdmission(app, { now })
  const begun: string[] = []
  app.get('/:name', ({ params }, reply) => {
    begun.push(Object(params).name)
    block(1)
    void reply.send(Object(params).name)
  })
  const url = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const many = connect(Number(url.port), '127.0.0.1')
  const numbers = Array.from({ length: 200 }, (_, index) => String(index))
  const arrived = new Promise<void>((all) => {
    app.server.on('request', ({ url: path }) => path === '/199' && all())
  })
  let replies = ''
  many.on('data', (bytes) => (replies += String(bytes)))
  many.write(numbers.map((each) => request(`/${each}`)).join(''))
  await arrived
  expect(await (await fetch(new URL('/other', url))).text()).toBe('other')
  expect(begun.indexOf('other')).toBeLessThan(100)
  await vi.waitFor(() => expect(replies.match(/(?<=\r\n\r\n)\d+/g)).toEqual(numbers))
  many.destroy()
  await app.close()
})

test('the number of waiting pipelined requests is bounded, and none waits after its connection is closed', async () => {
  const app = Fastify()
  registerErrorHandler(app)
  const admission = registerAdmission(app)
  app.get('/', async () => 'done')
  // Its reply never comes, so later requests of the connection wait.
  app.get('/never', () => new Promise(() => {}))
  const sent: number[] = []
  app.addHook('onSend', async (_request, { statusCode }) => void sent.push(statusCode))
  const url = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const pipelining = (first: string, others: number) => {
    const socket = connect(Number(url.port), '127.0.0.1')
    socket.on('error', () => {})
    socket.write(request(first) + request('/').repeat(others))
    return socket
  }

  const stuck = pipelining('/never', MAX_PIPELINED + 1)
  await vi.waitFor(() => expect(sent).toEqual([503]))
  expect(admission.isOverloaded()).toBe(false)
  stuck.destroy()
  await vi.waitFor(async () => {
    sent.length = 0
    const other = pipelining('/', 1)
    await vi.waitFor(() => expect(sent).toHaveLength(2))
    other.destroy()
    expect(sent).toEqual([200, 200])
  })
  await app.close()
})

test('a full queue refuses further requests', async () => {
  const app = Fastify()
  registerErrorHandler(app)
  registerAdmission(app)
  app.get('/', async () => 'done')
  await app.ready()
  const replies = await Promise.all(Array.from({ length: MAX_QUEUE + 1 }, () => app.inject('/')))
  const statuses = replies.map(({ statusCode }) => statusCode)
  expect(statuses.filter((status) => status === 503)).toEqual([503])
  await app.close()
})

test('some of many simultaneous sign-ins are refused while other requests are served', async () => {
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
  const refused = replies.filter(({ status }) => status === 503)
  expect(replies.filter(({ status }) => status === 401)).toHaveLength(200 - refused.length)
  expect(refused.length).toBeGreaterThan(50)
  for (const reply of refused) expect(outcome(reply)).toEqual(UNAVAILABLE)
  const after = await browsers.newBrowser().call('POST', '/account/sessions/email', ann)
  expect(after.status).toBe(201)
})

function request(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: here\r\n\r\n`
}

/** Advances the clock of the queue, as work on the event loop does. */
function block(milliseconds: number): void {
  time += milliseconds
}

/** Blocks the event loop for so many milliseconds. */
function blockLoop(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

function outcome({ status, body, headers }: Awaited<ReturnType<TestApp['browser']['call']>>) {
  return { status, type: body.type, retryAfter: headers.get('retry-after') }
}
