/** Requests of programs that are refused, each in the one shape of errors, with nothing changed. */
import { beforeEach, expect, test } from 'vitest'
import { serverForFile, userForEach } from '@stint/testing/server-tests.ts'
import { createTestApp } from '@stint/testing/test-app.ts'
import type { Program } from '@stint/testing/test-app.ts'
import { storeRecord } from '@stint/testing/worst-records.ts'

const server = serverForFile()
const ann = userForEach(server)
let shell: Program

beforeEach(async () => {
  await ann.call('PATCH', '/account/prefs', { prefs: { timeZone: 'Europe/Berlin' } })
  shell = await server.program(ann)
})

test.each([
  ['/total?period=soon', 'Invalid `period` param: Not understood. Try yesterday'],
  ['/total?period=last+month+%23acme', 'Not understood. Try yesterday'],
  ['/total?period=-today', 'Not understood. Try yesterday'],
  ['/total?period=17-3+nov', 'Invalid `period` param: The range ends before it begins.'],
  ['/total?period=since+2099', 'The range ends before it begins.'],
  ['/total?filter=17+nov+-+3+nov', 'Invalid `filter` param: The range ends before it begins.'],
  ['/sessions?filter=17-3+nov', 'Invalid `filter` param: The range ends before it begins.'],
  ['/total?from=2026-10-22&to=2026-10-20', 'Invalid `to` param: The range ends before it begins.'],
  ['/total?period=today&from=2026-01-01', 'Send exactly one of `period` and `from`.'],
  ['/total?from=2026-02-30', 'Value must be a date like 2026-01-31.'],
  ['/total?to=2026-01-01', 'Value must be a date like 2026-01-31.'],
  ['/total?by=week', 'Value must be one of (day, task, category, tag).'],
  [`/total?filter=${'x'.repeat(501)}`, 'no longer than 500 chars'],
  [`/total?filter=${'a+'.repeat(21)}`, 'Invalid `filter` param: Use at most 20 parts.'],
  ['/total?filter=a&filter=b', 'Value must be a valid string'],
  ['/sessions?limit=0', 'Value must be a whole number from 1 to 500.'],
  ['/sessions?limit=501', 'Value must be a whole number from 1 to 500.'],
  ['/sessions?cursor=first', 'Value must be the `next` of an earlier answer.'],
  ['/sessions.csv?separator=;', 'Value must be one of (comma, semicolon, tab).'],
  ['/sessions.csv?decimal=dot', 'Value must be one of (point, comma).'],
  ['/sessions.csv?duration=minutes', 'Value must be one of (clock, hours, seconds).'],
  ['/sessions.csv?limit=501', 'Value must be a whole number from 1 to 500.'],
  ['/now?timeZone=Mars/Base', 'Value must be the name of a time zone'],
  ['/now?timeZone=2026-01-15T12:00:00Z', 'Value must be the name of a time zone'],
  ['/now?timeZone=', 'at least 1 chars'],
])('%s is refused', async (path, message) => {
  const refused = await shell('GET', path)
  expect(refused).toMatchObject({
    status: 400,
    body: { code: 400, type: 'general_argument_invalid' },
  })
  expect(refused.body.message).toContain(message)
})

test('sessions are given as CSV in the form that is asked for, page by page', async () => {
  await shell('POST', '/sessions', { line: '2026-01-14 9:00-10:05 =Call', note: 'Ann; #acme' })
  await shell('POST', '/sessions', { line: '2026-01-13 9:00-9:30 Write' })
  const first = await shell(
    'GET',
    '/sessions.csv?limit=1&separator=semicolon&decimal=comma&duration=hours',
  )
  expect(first.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(first.body).toBe(
    'Task;Start;End;Duration;Seconds;Note;Tags;Billable;Invoiced\r\n' +
      `'=Call;2026-01-14T08:00:00.000Z;2026-01-14T09:05:00.000Z;1,0833;3900;"Ann; #acme";acme;;\r\n`,
  )
  const [, next = ''] =
    /^<\/v1\/stint([^>]*)>; rel="next"$/.exec(first.headers.get('link') ?? '') ?? []
  const last = await shell('GET', next)
  expect(last.body).toContain(';0,5000;1800;')
  expect(last.headers.get('link')).toBeNull()
  expect((await shell('GET', '/sessions.csv?filter=write')).body).toBe(
    'Task,Start,End,Seconds,Note,Tags,Billable,Invoiced\r\n' +
      'Write,2026-01-13T08:00:00.000Z,2026-01-13T08:30:00.000Z,1800,,,,\r\n',
  )
})

test.each([
  [{ line: '2025-10-26 2:30-3 twice' }, '00:30', '02:00'],
  [{ line: '26.10.2025 2:30 second-3 twice' }, '01:30', '02:00'],
  [{ newTask: 'twice', start: '2025-10-26 2:30 second', end: '2025-10-26 3:00' }, '01:30', '02:00'],
  [{ newTask: 'twice', start: '2025-10-26T02:30+01:00', end: '2025-10-26 3:00' }, '01:30', '02:00'],
])('of a time that comes twice, either can be named: %j', async (sent, start, end) => {
  const { body } = await shell('POST', '/sessions', sent)
  expect(body.session).toMatchObject({
    start: `2025-10-26T${start}:00.000Z`,
    end: `2025-10-26T${end}:00.000Z`,
  })
})

test.each([
  [{ line: '2025-03-30 02:30-03:30 gap' }, 'line'],
  [{ line: 'gap 2025-03-30 1:30-2:30' }, 'line'],
  [{ newTask: 'gap', start: '2025-03-30 02:30', end: '2025-03-30 03:30' }, 'start'],
  [{ newTask: 'gap', start: '2025-03-30T01:30', end: '2025-03-30T02:30' }, 'end'],
])(
  'a session at a time that the clocks skipped is refused with the reason: %j',
  async (sent, name) => {
    const refused = await shell('POST', '/sessions', sent)
    expect(refused).toMatchObject({
      status: 400,
      body: {
        type: 'general_argument_invalid',
        message: `Invalid \`${name}\` param: There is no 02:30 on 30 March: clocks went forward at 02:00.`,
      },
    })
    expect((await shell('GET', '/tasks')).body).toEqual({ tasks: [] })
  },
)

test('a body that is too large, no JSON or of another type changes nothing', async () => {
  for (const [body, type, status, error] of [
    [`{"task":"${'x'.repeat(70_000)}"}`, 'application/json', 400, 'general_argument_invalid'],
    ['{"task":', 'application/json', 400, 'general_argument_invalid'],
    ['task=Write', 'application/x-www-form-urlencoded', 415, 'general_media_type_unsupported'],
  ] as const) {
    const refused = await shell('POST', '/start', body, { 'content-type': type })
    expect(refused).toMatchObject({ status, body: { code: status, type: error } })
  }
  expect((await shell('GET', '/tasks')).body).toEqual({ tasks: [] })
})

test.each(['', 'x'.repeat(256)])('an idempotency key of %s is refused', async (key) => {
  const refused = await shell('POST', '/start', { task: 'Write' }, { 'idempotency-key': key })
  expect(refused).toMatchObject({ status: 400, body: { type: 'general_argument_invalid' } })
  expect((await shell('GET', '/now')).body.timer).toBeNull()
})

test('a body that is nested deep is carried out once, without what is ignored', async () => {
  const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`
  const headers = { 'idempotency-key': 'press' }
  const start = () => shell('POST', '/start', `{"task":"Write","other":${deep}}`, headers)
  const started = await start()
  expect(started.status).toBe(201)
  expect(await start()).toMatchObject({ status: 201, body: started.body })
})

test('a press waits for a device that writes at the same moment, and both count', async () => {
  const { timer } = (await shell('POST', '/start', { task: 'Write' })).body
  const session = `/databases/stint/collections/timer_sessions/documents/${timer.id}`
  server.clock.advance(60_000)
  const [paused, ...noted] = await Promise.all([
    shell('POST', '/pause'),
    ...['a', 'b', 'c'].map((note) => ann.call('PATCH', session, { data: { note } })),
  ])
  expect([paused.status, ...noted.map(({ status }) => status)]).toEqual([200, 200, 200, 200])
  expect((await ann.call('GET', session)).body).toMatchObject({
    isPaused: true,
    note: expect.stringMatching(/^[abc]$/),
  })
})

test('a person calls three hundred times a minute with all keys together, and sums up sixty times', async () => {
  const strict = await createTestApp({ config: { rateLimits: true } })
  const bob = await strict.signedInUser()
  const programs = [await strict.program(bob), await strict.program(bob)]
  const ask = async (path: string, count: number) => {
    const reply = await programs[count % 2]?.('GET', `${path}?timeZone=UTC`)
    return [reply?.status, reply?.headers.get('retry-after')]
  }
  for (let count = 0; count < 60; count++) expect(await ask('/total', count)).toEqual([200, null])
  expect(await ask('/total', 60)).toEqual([429, '60'])
  for (let count = 61; count < 300; count++) {
    expect(await ask('/keys/current', count)).toEqual([200, null])
  }
  expect(await ask('/keys/current', 300)).toEqual([429, '60'])
  expect(await ask('/keys/current', 301)).toEqual([429, '60'])
  strict.clock.advance(60_000)
  expect(await ask('/total', 302)).toEqual([200, null])
  await strict.close()
})

test('programs refuse an account with more tasks than they can read', async () => {
  await storeRecord(server.db, ann.id, 'many usual names', server.clock.now())
  const tasks = Array.from({ length: 101 }, (_, index) => {
    return { documentId: `more${index}`, data: { name: `Task ${index}`, userId: ann.id } }
  })
  await put('tasks', tasks.slice(1))
  expect((await shell('GET', '/tasks')).status).toBe(200)
  expect((await shell('POST', '/start', { taskId: 't9' })).status).toBe(201)
  await put('tasks', tasks.slice(0, 1))
  const refusal = { status: 403, body: { type: 'stint_quota_exceeded' } }
  expect(await shell('GET', '/tasks')).toMatchObject(refusal)
  expect(await shell('POST', '/start', { taskId: 't9' })).toMatchObject(refusal)
  expect(await shell('GET', '/now')).toMatchObject(refusal)
})

test('a press saves ten sessions that devices have stopped, and later ones the others', async () => {
  const endTime = new Date(server.clock.now()).toISOString()
  const startTime = new Date(server.clock.now() - 60_000).toISOString()
  const documents = Array.from({ length: 15 }, (_, index) => ({
    documentId: `s${index}`,
    data: { taskId: 'x', userId: ann.id, startTime, endTime, isRunning: false },
  }))
  await put('timer_sessions', documents)
  const entries = '/databases/stint/collections/time_entries/documents'
  await shell('POST', '/start', { task: 'Write' })
  expect((await ann.call('GET', entries)).body.total).toBe(10)
  await shell('POST', '/pause')
  expect((await ann.call('GET', entries)).body.total).toBe(15)
})

async function put(collection: string, documents: object[]): Promise<void> {
  const path = `/stint/collections/${collection}/documents`
  expect((await ann.call('PUT', path, { documents })).status).toBe(200)
}
