import { spawnSync } from 'node:child_process'
import parsePrometheusTextFormat from 'parse-prometheus-text-format'
import type { ParsedFamily } from 'parse-prometheus-text-format'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestApp } from '@stint/testing/test-app.ts'
import type { TestApp, TestUser } from '@stint/testing/test-app.ts'
import { testSockets } from '@stint/testing/test-sockets.ts'

/** A program of Prometheus, in packages of the operating system. */
const canLint = spawnSync('promtool', ['--version']).status === 0

const TOKEN = 'f'.repeat(40)
const TASKS = '/databases/stint/collections/tasks/documents'
const TASKS_ROUTE = '/v1/databases/:databaseId/collections/:collectionId/documents'

describe('what is counted', () => {
  let server: TestApp
  let ann: TestUser

  beforeEach(async () => {
    const lastAt = Date.UTC(2026, 0, 15, 3)
    server = await createTestApp({
      config: { rateLimits: true },
      backupStatus: () => ({ state: 'on', lastAt, lastBytes: 8192, problem: null, failures: 2 }),
    })
    ann = await server.signedInUser('Ann')
  })
  afterEach(() => server.close())

  test('requests are counted by method, pattern of the route and class of status', async () => {
    await create('t1')
    await create('t2')
    await create('t2')
    await ann.call('GET', `${TASKS}/t1`)
    await ann.call('GET', `${TASKS}/none`)
    await ann.call('GET', '/nothing/here')
    const metrics = await read()
    expect(value(metrics, 'stint_http_requests_total', ['POST', TASKS_ROUTE, '2xx'])).toBe(2)
    expect(value(metrics, 'stint_http_requests_total', ['POST', TASKS_ROUTE, '4xx'])).toBe(1)
    const one = `${TASKS_ROUTE}/:documentId`
    expect(value(metrics, 'stint_http_requests_total', ['GET', one, '2xx'])).toBe(1)
    expect(value(metrics, 'stint_http_requests_total', ['GET', one, '4xx'])).toBe(1)
    expect(value(metrics, 'stint_http_requests_total', ['GET', '/v1/*', '4xx'])).toBe(1)
    const { body } = await server.app.inject('/metrics')
    expect(body).toContain(
      `stint_http_request_duration_seconds_count{method="POST",route="${TASKS_ROUTE}"} 3\n`,
    )
  })

  test('no label holds anything that a caller or a person has chosen', async () => {
    const canary = 'canary-4711'
    await create(canary)
    await ann.call('GET', `${TASKS}/${canary}`)
    await ann.call('GET', `/${canary}?${canary}=1`)
    await ann.call('POST', '/account/sessions/email', {
      email: `${canary}@example.com`,
      password: canary,
    })
    await server.app.inject({
      method: 'GET',
      url: `/${canary}/page`,
      headers: { accept: 'text/html' },
    })
    await server.app.inject({ method: 'GET', url: `/%zz${canary}` })
    await server.app.inject('/metrics')
    const text = await server.app.inject('/metrics')
    expect(text.body).not.toContain(canary)
    expect(text.body).not.toContain(ann.id)
    // However many addresses are called, the lines do not grow.
    const lines = text.body.split('\n').length
    for (let count = 0; count < 50; count++) await ann.call('GET', `/${canary}-${count}`)
    expect((await server.app.inject('/metrics')).body.split('\n')).toHaveLength(lines)
  })

  test('sign-ins, refused ones, keys and refusals by limits are counted', async () => {
    const wrong = { email: ann.email, password: 'wrong horse 1' }
    const guest = server.newBrowser()
    for (let count = 0; count < 11; count++) {
      await guest.call('POST', '/account/sessions/email', wrong)
    }
    const program = await server.program(ann, 'read')
    await program('GET', '/now')
    await program('GET', '/now')
    const metrics = await read()
    expect(value(metrics, 'stint_security_events_total', ['sign-in'])).toBe(1)
    expect(value(metrics, 'stint_security_events_total', ['sign-in-refused'])).toBe(10)
    expect(value(metrics, 'stint_security_events_total', ['key-used'])).toBe(1)
    expect(value(metrics, 'stint_key_uses_total', ['read'])).toBe(2)
    expect(value(metrics, 'stint_limit_refusals_total', ['sign-in'])).toBe(1)
  })

  test('sockets, events, rows, sizes, backups and the process are measured', async () => {
    await server.app.listen({ host: '127.0.0.1', port: 0 })
    const sockets = testSockets()
    const laptop = await sockets.subscribed(server, ann, ['documents'])
    await create('t1')
    await laptop.next()
    const metrics = await read()
    const numbers = Object.fromEntries(
      metrics.map(({ name, metrics: [first] }) => [name, Number(first?.value)]),
    )
    expect(numbers).toMatchObject({
      stint_realtime_sockets: 1,
      stint_realtime_events_total: 1,
      stint_users: 1,
      stint_sessions: 1,
      stint_backup_enabled: 1,
      stint_backup_ok: 1,
      stint_backup_last_timestamp_seconds: Date.UTC(2026, 0, 15, 3) / 1000,
      stint_backup_age_seconds: 9 * 3600,
      stint_backup_last_bytes: 8192,
      stint_backup_failures_total: 2,
      stint_overload_refusals_total: 0,
    })
    expect(numbers['stint_database_bytes']).toBeGreaterThan(50_000)
    expect(numbers['process_resident_memory_bytes']).toBeGreaterThan(20_000_000)
    expect(numbers['process_cpu_seconds_total']).toBeGreaterThan(0)
    expect(numbers['stint_event_loop_delay_max_seconds']).toBeGreaterThanOrEqual(0)
    sockets.closeAll()
  })

  test.runIf(canLint)(
    'Prometheus itself reads them without a complaint (needs promtool)',
    async () => {
      await create('t1')
      const program = await server.program(ann)
      await program('GET', '/now')
      const input = (await server.app.inject('/metrics')).body
      const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
        input,
        encoding: 'utf8',
      })
      expect([stdout, stderr, status]).toEqual(['', '', 0])
    },
  )

  function create(documentId: string) {
    return ann.call('POST', TASKS, { documentId, data: { name: 'x', userId: ann.id } })
  }

  async function read(): Promise<readonly ParsedFamily[]> {
    const reply = await server.app.inject('/metrics')
    expect(reply.statusCode).toBe(200)
    expect(reply.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
    return parsePrometheusTextFormat(reply.body)
  }
})

describe('who reads it', () => {
  const HERE = { remoteAddress: '127.0.0.1', headers: { host: 'localhost:3000' } }
  const PLAIN = {}
  const PROXIED = { trustProxy: '127.0.0.1', publicUrl: 'https://time.example.com' }
  const CLOSED = { metricsToken: TOKEN }
  /** One for each of these configurations. */
  const servers = new Map<object, TestApp>()

  afterAll(async () => {
    for (const server of servers.values()) await server.close()
  })

  test.each<[string, object, object, number]>([
    ['this machine', PLAIN, HERE, 200],
    ['this machine by its address', PLAIN, { ...HERE, headers: { host: '127.0.0.1' } }, 200],
    [
      'this machine over IPv6',
      PLAIN,
      { remoteAddress: '::1', headers: { host: '[::1]:3000' } },
      200,
    ],
    ['this machine, mapped', PLAIN, { ...HERE, remoteAddress: '::ffff:127.0.0.1' }, 200],
    ['this machine beside a proxy', PROXIED, HERE, 200],
    ['another machine', PLAIN, { ...HERE, remoteAddress: '192.168.1.7' }, 401],
    [
      'another machine that says it is this one',
      { trustProxy: '192.168.1.7' },
      from('127.0.0.1', '192.168.1.7'),
      401,
    ],
    ['anybody through a proxy on this machine', PROXIED, from('203.0.113.7'), 401],
    ['this machine through its proxy', PROXIED, from('127.0.0.1'), 401],
    ['a proxy that is not named', PLAIN, from('203.0.113.7'), 401],
    [
      'a proxy that sets no header, at a public address',
      { publicUrl: 'https://time.example.com' },
      HERE,
      401,
    ],
    [
      'a page that leads its own name to this machine',
      PLAIN,
      { ...HERE, headers: { host: 'evil.example.com' } },
      401,
    ],
    [
      'a proxy that sets its own name',
      PLAIN,
      { ...HERE, headers: { host: 'localhost', via: '1.1 caddy' } },
      401,
    ],
    ['who has the token', CLOSED, withToken(TOKEN), 200],
    ['who has a wrong token', CLOSED, withToken(`${TOKEN}f`), 401],
    ['who has a token although there is none', PLAIN, withToken(TOKEN), 401],
    ['who sends no token', CLOSED, withToken(''), 401],
  ])('%s', async (_, config, request, status) => {
    const server = servers.get(config) ?? (await createTestApp({ config }))
    servers.set(config, server)
    const reply = await server.app.inject({ method: 'GET', url: '/metrics', ...request })
    expect(reply.statusCode).toBe(status)
    expect(reply.body.includes('stint_info')).toBe(status === 200)
    expect(reply.headers['www-authenticate']).toBe(status === 200 ? undefined : 'Bearer')
    // The health check tells the same readers about backups, and everybody that it is well.
    const health = await server.app.inject({ method: 'GET', url: '/v1/health/ready', ...request })
    expect(health.statusCode).toBe(200)
    expect('backup' in health.json()).toBe(status === 200)
  })

  test('the operator sees the state of backups in the health check', async () => {
    const lastAt = Date.UTC(2026, 0, 14, 3)
    const server = await createTestApp({
      backupStatus: () => ({
        state: 'on',
        lastAt,
        lastBytes: 1,
        problem: 'disk full',
        failures: 3,
      }),
    })
    expect((await server.app.inject({ url: '/v1/health/ready', ...HERE })).json()).toEqual({
      status: 'pass',
      backup: {
        state: 'on',
        lastAt: '2026-01-14T03:00:00.000+00:00',
        ageSeconds: 33 * 3600,
        bytes: 1,
        problem: 'disk full',
        failures: 3,
      },
    })
    await server.close()
  })
})

function from(forwardedFor: string, remoteAddress = '127.0.0.1') {
  return { remoteAddress, headers: { host: 'localhost', 'x-forwarded-for': forwardedFor } }
}

function withToken(token: string) {
  const authorization = { authorization: `Bearer ${token}` }
  return { remoteAddress: '203.0.113.7', headers: { host: 'time.example.com', ...authorization } }
}

function seriesOf(metrics: readonly ParsedFamily[], name: string): ParsedFamily['metrics'] {
  return metrics.find((each) => each.name === name)?.metrics ?? []
}

/** Returns the value of the series with these labels, in order. */
function value(metrics: readonly ParsedFamily[], name: string, labels: readonly string[]): number {
  const found = seriesOf(metrics, name).find(
    (each) => String(Object.values(each.labels ?? {})) === String(labels),
  )
  return Number(found?.value)
}
