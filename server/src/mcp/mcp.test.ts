/** Uses `/mcp` over the network, with the client of the SDK, as an assistant does. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { PROPOSAL } from '@stint/testing/mcp.ts'
import { serverForFile } from '@stint/testing/server-tests.ts'
import { createTestApp } from '@stint/testing/test-app.ts'
import type { Program, TestUser } from '@stint/testing/test-app.ts'

const NOW = Date.UTC(2026, 0, 15, 12)
const HOUR = 3_600_000

const server = serverForFile({ now: NOW })
let ann: TestUser
let url: URL
let assistant: Client
let program: Program

beforeAll(async () => {
  url = new URL('/mcp', await server.app.listen({ port: 0, host: '127.0.0.1' }))
})
beforeEach(async () => {
  server.clock.set(NOW)
  ann = await server.signedInUser()
  await ann.call('PATCH', '/account/prefs', { prefs: { timeZone: 'Europe/Berlin' } })
  program = await server.program(ann)
  assistant = await connected(await newKey('write'))
})
afterEach(() => assistant.close())

test('no answer to an assistant is kept by a cache', async () => {
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
  const started = { name: 'start', arguments: { task: 'Write' } }
  const requests = [
    { method: 'POST', body: { ...ping, method: 'tools/call', params: started } },
    { method: 'POST', body: { ...ping, method: 'tools/call', params: { name: 'now' } } },
    { method: 'POST', body: { ...ping, method: 'tools/list' } },
    { method: 'POST', body: [ping] },
    { method: 'POST', body: { nothing: true } },
    { method: 'GET' },
    { method: 'DELETE' },
  ]
  const secret = await newKey('write')
  for (const { method, body } of requests) {
    for (const authorization of [`Bearer ${secret}`, 'Bearer wrong']) {
      const reply = await fetch(url, {
        method,
        headers: {
          authorization,
          accept: 'application/json, text/event-stream',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: body === undefined ? null : JSON.stringify(body),
      })
      await reply.text()
      expect([reply.status, reply.headers.get('cache-control')]).toEqual([
        expect.any(Number),
        'no-store',
      ])
    }
  }
})

test.each([
  ['2026-07-28', 'auto'],
  ['2025-11-25', 'legacy'],
] as const)('an assistant of revision %s tracks time and sums it up', async (revision, mode) => {
  const client = await connected(await newKey('write'), mode)
  expect(client.getNegotiatedProtocolVersion()).toBe(revision)
  const { tools } = await client.listTools()
  const names = ['now', 'start', 'stop', 'find_sessions', 'total', 'propose_changes']
  expect(tools.map(({ name }) => name)).toEqual(names)
  const started = await use('start', { task: 'Write report', at: '11:00', note: '#acme' }, client)
  expect(started).toMatchObject({
    timer: { task: { name: 'Write report' }, seconds: 7200, startedAt: '2026-01-15T10:00:00.000Z' },
    stopped: null,
  })
  expect(await use('now', {}, client)).toMatchObject({
    timer: { id: started.timer.id },
    todaySeconds: 7200,
  })
  const { session } = await use('stop', {}, client)
  expect(session).toMatchObject({ id: started.timer.id, seconds: 7200, tags: ['acme'] })
  expect(await use('find_sessions', { filter: '#acme' }, client)).toMatchObject({
    sessions: [session],
    total: { count: 1, seconds: 7200 },
    next: null,
  })
  expect(await use('total', { period: 'last 30 days', by: 'task' }, client)).toMatchObject({
    seconds: 7200,
    groups: [{ name: 'Write report', seconds: 7200 }],
  })
  await client.close()
})

test('an assistant gets the figures of the API, each with a link to its sessions', async () => {
  await addSession('Write report', -50 * HOUR, HOUR, '#acme')
  await addSession('Call Ann', -30 * HOUR, 2 * HOUR, null)
  await addSession('Write report', -3 * HOUR, HOUR, '#acme #late')
  await program('POST', '/start', { task: 'Call Ann', at: '12:30' })
  const { explain: ofToday, ...now } = await use('now', {})
  expect(now).toEqual((await program('GET', '/now')).body)
  expect(now.todaySeconds).toBe(3600 + 1800)
  expect(ofToday).toBe('http://localhost:3000/sessions?explain=2026-01-15..2026-01-15')
  for (const filter of ['', '#acme', 'task:call', '-#late yesterday', 'nothing like it']) {
    const query = new URLSearchParams({ filter }).toString()
    const { explain, ...found } = await use('find_sessions', { filter })
    expect(found).toEqual((await program('GET', `/sessions?${query}`)).body)
    expect(new URL(explain).searchParams.get('q') ?? '').toBe(filter)
    for (const by of ['day', 'task', 'category', 'tag']) {
      const total = await use('total', { filter, period: 'this month', by })
      const same = await program('GET', `/total?${query}&period=this+month&by=${by}`)
      expect(total).toEqual(same.body)
      expect(new URL(total.explain).searchParams.get('explain')).toBe('2026-01-01..2026-01-31')
    }
  }
  const { stopped, timer, explain } = await use('start', { task: 'Write report' })
  expect(explain).toBe(
    `http://localhost:3000/sessions?${new URLSearchParams({ explain: `${timer.id},${stopped.id}` })}`,
  )
  server.clock.advance(HOUR)
  const saved = await use('stop', {})
  expect(saved.explain).toBe(`http://localhost:3000/sessions?explain=${saved.session.id}`)
})

test('pages of sessions follow each other without a gap', async () => {
  for (let hours = 2; hours < 7; hours++)
    await addSession(`Task ${hours}`, -hours * HOUR, 60_000, null)
  const names: string[] = []
  let cursor: string | undefined
  do {
    const page = await use('find_sessions', { limit: 2, ...(cursor ? { cursor } : {}) })
    expect(page.total.count).toBe(5)
    names.push(...page.sessions.map(({ task }: { task: { name: string } }) => task.name))
    cursor = page.next ?? undefined
  } while (cursor !== undefined)
  expect(names).toEqual(['Task 2', 'Task 3', 'Task 4', 'Task 5', 'Task 6'])
})

test('all definitions of tools together take fewer than 1,500 tokens', async () => {
  const { tools } = await assistant.listTools()
  expect(tools.length).toBeLessThanOrEqual(6)
  // A token of English or JSON has more than three characters.
  const size = JSON.stringify([tools, assistant.getInstructions()]).length
  expect(size / 3).toBeLessThan(1500)
})

test('a key that may only read has only the tools that read', async () => {
  const reader = await connected(await newKey('read'))
  const { tools } = await reader.listTools()
  expect(tools.map(({ name }) => name)).toEqual(['now', 'find_sessions', 'total'])
  expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true)
  for (const name of ['start', 'stop', 'propose_changes']) {
    expect(await refusal(name, { task: 'Write' }, reader)).toBe('stint_key_forbidden')
  }
  expect((await use('now', {})).timer).toBeNull()
  await reader.close()
})

test('a call that is refused says why, and changes nothing', async () => {
  await program('POST', '/start', { newTask: 'Write report' })
  await program('POST', '/start', { newTask: 'Write letter' })
  await program('POST', '/stop')
  const before = (await use('find_sessions', {})).total
  expect(await refusal('stop', {})).toBe('stint_no_timer')
  expect(await failure('start', { task: 'write' })).toMatchObject({
    type: 'stint_task_ambiguous',
    choices: [{ name: expect.stringContaining('Write ') }, { name: expect.any(String) }],
  })
  expect(await refusal('start', { task: 'Call', at: '23:00' })).toBe('general_argument_invalid')
  expect(await refusal('start', { task: 'Call', at: 'soonish' })).toBe('general_argument_invalid')
  expect(await refusal('start', {})).toBe('general_argument_invalid')
  expect(await refusal('start', { task: 7 })).toBe('general_argument_invalid')
  expect(await refusal('find_sessions', { limit: 1000 })).toBe('general_argument_invalid')
  expect(await refusal('total', { period: 'whenever' })).toBe('general_argument_invalid')
  expect(await refusal('total', { period: '17-3 nov' })).toBe('general_argument_invalid')
  expect(await refusal('total', { from: '2026-10-22', to: '2026-10-20' })).toBe(
    'general_argument_invalid',
  )
  expect(await refusal('find_sessions', { filter: '17-3 nov' })).toBe('general_argument_invalid')
  expect(await refusal('total', { by: 'moon' })).toBe('general_argument_invalid')
  expect(await refusal('now', { timeZone: 'Mars/Olympus' })).toBe('general_argument_invalid')
  await expect(assistant.callTool({ name: 'delete_all', arguments: {} })).rejects.toThrow(
    'no such tool',
  )
  expect(await use('now', {})).toMatchObject({ timer: null })
  expect((await use('find_sessions', {})).total).toEqual(before)
})

test('what an assistant proposes waits for its owner, and changes nothing', async () => {
  await addSession('Write report', -3 * HOUR, HOUR, '#acme')
  await addSession('Call Ann', -5 * HOUR, HOUR, null)
  const before = await use('find_sessions', {})
  const [written, other] = before.sessions
  const proposed = await use('propose_changes', {
    reason: 'From your calendar',
    changes: [
      { task: 'write', start: '2026-01-14T08:00:00Z', end: '2026-01-14T09:30:00Z', note: '#acme' },
      { id: written.id, newTask: 'Plan', end: '2026-01-15T10:30:00Z' },
      { id: written.id, note: '' },
      { id: other.id, delete: true },
    ],
  })
  expect(proposed).toMatchObject({ changes: 4, review: 'http://localhost:3000/data' })
  expect(await use('find_sessions', {})).toEqual(before)
  expect((await ann.call('GET', '/stint/proposals')).body.proposals).toEqual([
    {
      id: proposed.id,
      keyName: 'Assistant',
      reason: 'From your calendar',
      createdAt: '2026-01-15T12:00:00.000Z',
      changes: [
        proposal('add', {
          taskId: written.task.id,
          startedAt: Date.UTC(2026, 0, 14, 8),
          endedAt: Date.UTC(2026, 0, 14, 9, 30),
          note: '#acme',
        }),
        proposal('edit', {
          id: written.id,
          seenAt: NOW,
          newTask: 'Plan',
          endedAt: Date.UTC(2026, 0, 15, 10, 30),
        }),
        proposal('edit', { id: written.id, seenAt: NOW, note: '' }),
        proposal('delete', { id: other.id, seenAt: NOW }),
      ],
    },
  ])
  expect((await ann.call('DELETE', `/stint/proposals/${proposed.id}`)).status).toBe(204)
  expect((await ann.call('GET', '/stint/proposals')).body.proposals).toEqual([])
  expect((await ann.call('DELETE', `/stint/proposals/${proposed.id}`)).status).toBe(404)
})

test('a proposal that could never be accepted is refused whole', async () => {
  await addSession('Write report', -3 * HOUR, HOUR, null)
  const [{ id }] = (await use('find_sessions', {})).sessions
  const times = { start: '2026-01-14T08:00:00Z', end: '2026-01-14T09:00:00Z' }
  const fine = { task: 'Write', ...times }
  for (const [change, type] of [
    [{ id: 'missing', note: 'x' }, 'stint_session_not_found'],
    [{ taskId: 'missing', ...times }, 'stint_task_not_found'],
    [{ task: 'Write', start: times.start }, 'general_argument_invalid'],
    [{ ...times }, 'general_argument_invalid'],
    [{ delete: true }, 'general_argument_invalid'],
    [{ ...fine, end: '2026-02-01T00:00:00Z' }, 'general_argument_invalid'],
    [{ ...fine, end: times.start }, 'general_argument_invalid'],
    [{ id, start: '2026-01-15T10:30:00Z' }, 'general_argument_invalid'],
    [{ id, note: 7 }, 'general_argument_invalid'],
  ] as const) {
    const sent = { reason: 'Why not', changes: [fine, change] }
    expect({ change, type: await refusal('propose_changes', sent) }).toEqual({ change, type })
  }
  const many = { reason: 'Many', changes: Array.from({ length: 101 }, () => fine) }
  expect(await refusal('propose_changes', many)).toBe('general_argument_invalid')
  // The clocks skipped 02:15.
  const skipped = { ...fine, start: '2025-03-30 02:15', end: '2025-03-30 03:45' }
  const sent = { reason: 'Early', changes: [skipped] }
  expect(await refusal('propose_changes', sent)).toBe('general_argument_invalid')
  expect((await ann.call('GET', '/stint/proposals')).body.proposals).toEqual([])
})

test('twenty proposals wait at most, for thirty days', async () => {
  const { reason, changes } = PROPOSAL
  for (let count = 0; count < 20; count++) await use('propose_changes', { reason, changes })
  expect(await refusal('propose_changes', { reason, changes })).toBe('stint_quota_exceeded')
  server.clock.advance(31 * 24 * HOUR)
  await use('propose_changes', { reason, changes })
  expect(await storedProposals()).toHaveLength(1)
})

test('the deletion of an account deletes its proposals', async () => {
  await use('propose_changes', PROPOSAL)
  const credentials = { email: ann.email, password: ann.password }
  expect((await ann.call('POST', '/stint/account/deletion', credentials)).status).toBe(204)
  expect(await storedProposals()).toEqual([])
})

test('without a time zone in the settings, a call names one or is told to', async () => {
  const bob = await server.signedInUser()
  const { body } = await bob.call('POST', '/stint/keys', { name: 'Assistant', access: 'read' })
  const client = await connected(body.secret)
  expect(await refusal('now', {}, client)).toBe('stint_time_zone_missing')
  expect(await use('now', { timeZone: 'Asia/Tokyo' }, client)).toMatchObject({ todaySeconds: 0 })
  await client.close()
})

test('one person’s assistant does not see another person’s time', async () => {
  await addSession('Secret', -2 * HOUR, HOUR, null)
  const bob = await server.signedInUser()
  const { body } = await bob.call('POST', '/stint/keys', { name: 'Assistant', access: 'write' })
  const client = await connected(body.secret)
  const zone = { timeZone: 'Europe/Berlin' }
  expect((await use('find_sessions', zone, client)).total.count).toBe(0)
  expect((await use('total', zone, client)).seconds).toBe(0)
  expect(await refusal('stop', zone, client)).toBe('stint_no_timer')
  await client.close()
})

test.each(['no key', 'a wrong key', 'a revoked key', 'a key that is not valid yet'])(
  'an assistant with %s is refused',
  async (kind) => {
    const headers: Record<string, string> = {}
    if (kind === 'a wrong key') headers['authorization'] = 'Bearer stint_wrong'
    if (kind === 'a revoked key') {
      const { body } = await ann.call('POST', '/stint/keys', { name: 'Old', access: 'write' })
      await ann.call('DELETE', `/stint/keys/${body.id}`)
      headers['authorization'] = `Bearer ${body.secret}`
    }
    if (kind === 'a key that is not valid yet') {
      const key = { name: 'Early', access: 'write', notBefore: '2027-01-01T00:00:00Z' }
      const { body } = await ann.call('POST', '/stint/keys', key)
      headers['authorization'] = `Bearer ${body.secret}`
    }
    for (const method of ['POST', 'GET', 'DELETE']) {
      const reply = await post(listing(), headers, method)
      expect(reply.status).toBe(401)
      expect(reply.headers.get('www-authenticate')).toBe('Bearer')
      expect(await reply.json()).toMatchObject({ type: 'stint_key_invalid', code: 401 })
    }
  },
)

test('the cookie of a signed-in person and a page of another site count for nothing', async () => {
  const cookie = [...ann.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  expect((await post(listing(), { cookie })).status).toBe(401)
  const authorization = `Bearer ${await newKey('write')}`
  const foreign = await post(listing(), { authorization, origin: 'https://evil.example' })
  expect(foreign.status).toBe(403)
  expect(await foreign.json()).toMatchObject({ type: 'general_unknown_origin' })
  expect((await post(listing(), { authorization })).status).toBe(200)
})

test('a body that is too large, no JSON, a batch or no call is refused', async () => {
  const authorization = `Bearer ${await newKey('write')}`
  const large = await post({ ...listing(), padding: 'x'.repeat(70_000) }, { authorization })
  expect(large.status).toBe(400)
  expect(await large.json()).toMatchObject({ message: 'The request body is too large.' })
  const batch = await post([listing(), listing()], { authorization })
  expect(batch.status).toBe(400)
  expect(await batch.json()).toMatchObject({ message: 'Send one call at a time.' })
  expect((await post({ hello: 'world' }, { authorization })).status).toBe(400)
  expect((await post('{', { authorization })).status).toBe(400)
  const text = await post('now', { authorization, 'content-type': 'text/plain' })
  expect(text.status).toBe(415)
})

test('GET and DELETE are answered with 405, because there are no sessions', async () => {
  const authorization = `Bearer ${await newKey('write')}`
  for (const method of ['GET', 'DELETE']) {
    const reply = await post(undefined, { authorization }, method)
    expect(reply.status).toBe(405)
    expect(reply.headers.get('allow')).toBe('POST')
  }
})

test('searches of an assistant are limited as those of a program, and reads of proposals as those of documents', async () => {
  const strict = await createTestApp({ now: NOW, config: { rateLimits: true } })
  const bob = await strict.signedInUser()
  const key = (await bob.call('POST', '/stint/keys', { name: 'Assistant', access: 'read' })).body
  const to = new URL('/mcp', await strict.app.listen({ port: 0, host: '127.0.0.1' }))
  const client = await connected(key.secret, 'auto', to)
  const timeZone = 'UTC'
  for (let count = 0; count < 60; count++) await use('total', { period: 'today', timeZone }, client)
  expect(await refusal('find_sessions', { timeZone }, client)).toBe('general_rate_limit_exceeded')
  expect(await use('now', { timeZone }, client)).toMatchObject({ timer: null })
  const left = async (path: string) => {
    const { headers } = await bob.call('GET', path)
    return ['limit', 'remaining'].map((name) => Number(headers.get(`x-ratelimit-${name}`)))
  }
  expect(await left('/databases/stint/collections/tasks/documents')).toEqual([600, 599])
  expect(await left('/stint/proposals')).toEqual([600, 598])
  await client.close()
  await strict.close()
})

function storedProposals() {
  const { db } = server
  return db.read(db.build.selectFrom('proposals').select('id').where('user_id', '=', ann.id))
}

async function newKey(access: 'read' | 'write'): Promise<string> {
  const { body } = await ann.call('POST', '/stint/keys', { name: 'Assistant', access })
  return body.secret
}

/** Returns a connected client, of the newest revision of the protocol ('auto') or of those before it. */
async function connected(
  secret: string,
  mode: 'auto' | 'legacy' = 'auto',
  to = url,
): Promise<Client> {
  const client = new Client({ name: 'Test', version: '1.0.0' }, { versionNegotiation: { mode } })
  const headers = { authorization: `Bearer ${secret}` }
  await client.connect(new StreamableHTTPClientTransport(to, { requestInit: { headers } }))
  return client
}

// oxlint-disable-next-line typescript/no-explicit-any -- tests compare what came, whatever it is
async function use(name: string, sent: Record<string, unknown>, client = assistant): Promise<any> {
  const { isError, answer } = await called(name, sent, client)
  expect({ name, isError, answer }).toEqual({ name, isError: false, answer })
  return answer
}

async function failure(name: string, sent: Record<string, unknown>, client = assistant) {
  const { isError, answer } = await called(name, sent, client)
  expect({ name, isError }).toEqual({ name, isError: true })
  return answer
}

async function refusal(
  name: string,
  sent: Record<string, unknown>,
  client = assistant,
): Promise<string> {
  return (await failure(name, sent, client)).type
}

async function called(name: string, sent: Record<string, unknown>, client: Client) {
  const { content, isError = false } = await client.callTool({ name, arguments: sent })
  const [first] = content
  return { isError, answer: JSON.parse(first?.type === 'text' ? first.text : '') }
}

async function addSession(task: string, start: number, length: number, note: string | null) {
  const times = [NOW + start, NOW + start + length].map((time) => new Date(time).toISOString())
  const [from, to] = times
  const { status } = await program('POST', '/sessions', { task, start: from, end: to, note })
  expect(status).toBe(201)
}

/** Returns a proposed change as it waits. */
function proposal(kind: string, named: object): object {
  const nothing = { id: null, seenAt: null, taskId: null, newTask: null }
  return { kind, ...nothing, startedAt: null, endedAt: null, note: null, ...named }
}

function listing(): object {
  return { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
}

/** Sends a request without the SDK. */
function post(body: unknown, headers: Record<string, string> = {}, method = 'POST') {
  const accept = 'application/json, text/event-stream'
  return fetch(url, {
    method,
    headers: {
      accept,
      ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(method === 'POST' ? { body: typeof body === 'string' ? body : JSON.stringify(body) } : {}),
  })
}
