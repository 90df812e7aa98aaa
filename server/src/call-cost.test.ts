/**
 * No call with a key takes the event loop for long, whatever its owner has stored: every route with a key, every tool of
 * assistants and the calendar, over the worst records that the quota allows. The measure is the processor time of the
 * thread that serves everybody, which other programs on the machine do not change.
 */
import { FULL_FILTERS } from '@stint/core/test/filter-parts.ts'
import { beforeAll, expect, test } from 'vitest'
import { MAX_SHORT } from '#history/histories.ts'
import { TOOLS } from '#mcp/tools.ts'
import { IS_SHORT } from '@stint/testing/size.ts'
import { serverForFile } from '@stint/testing/server-tests.ts'
import { storeRecord, WORST_RECORD_NAMES } from '@stint/testing/worst-records.ts'
import type { WorstRecord } from '@stint/testing/worst-records.ts'

/** The most processor time of one call on the event loop, in milliseconds. */
const MAX_COST = 250

const NOW = Date.UTC(2026, 0, 15, 12)
const ZONE = 'timeZone=Europe/Berlin'

/** Fits the names `a a a …` in as many ways as possible, and none of them at its end. */
const MANY_WAYS = `${'a '.repeat(110)}b`
/** As many parts as a filter may have, and as it may have characters for. */
const MANY_PARTS = Array(20).fill('-b').join(' ')
const TOO_MANY_PARTS = Array(160).fill('-b').join(' ')

/** Prints the costs, and measures PostgreSQL as well. */
const PRINTS = process.env['COSTS'] !== undefined
const MANY_CHANGES = Array.from({ length: 100 }, (_, index) => ({
  task: `report ${index} customer`,
  start: '2026-01-14T08:00:00Z',
  end: '2026-01-14T09:00:00Z',
}))

interface Call {
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** After `/v1`, or an address from `/` on with its own prefix. */
  readonly path: string
  readonly body?: object
}

/** The calls of each route, its worst inputs among them. */
const CALLS: Readonly<Record<string, readonly Omit<Call, 'name'>[]>> = {
  'GET /v1/stint/keys/current': [get('/stint/keys/current')],
  'GET /v1/stint/now': [get(`/stint/now?${ZONE}`)],
  'POST /v1/stint/start': [
    post('/stint/start', { newTask: 'Something new', at: '2026-01-01T00:00:00Z' }),
    post('/stint/start', { task: MANY_WAYS }),
    post('/stint/start', { line: `${MANY_WAYS} 10m ago`.slice(0, 255) }),
  ],
  'POST /v1/stint/pause': [post('/stint/pause', {})],
  'POST /v1/stint/resume': [post('/stint/resume', {})],
  'POST /v1/stint/toggle': [post('/stint/toggle', {})],
  'POST /v1/stint/stop': [post('/stint/stop', {})],
  'POST /v1/stint/sessions': [
    post('/stint/sessions', {
      task: MANY_WAYS,
      start: '2026-01-08T08:00:00Z',
      end: '2026-01-09T09:00:00Z',
    }),
  ],
  'GET /v1/stint/sessions': [
    get(`/stint/sessions?${ZONE}&limit=500`),
    get(`/stint/sessions?${ZONE}&limit=500&filter=${encodeURIComponent(MANY_PARTS)}`),
    get(`/stint/sessions?${ZONE}&limit=500&filter=${encodeURIComponent(TOO_MANY_PARTS)}`),
    ...FULL_FILTERS.map(([, filter]) =>
      get(`/stint/sessions?${ZONE}&filter=${encodeURIComponent(filter)}`),
    ),
  ],
  'GET /v1/stint/sessions.csv': [
    get(`/stint/sessions.csv?${ZONE}`),
    get(`/stint/sessions.csv?${ZONE}&filter=${encodeURIComponent(MANY_PARTS)}&duration=hours`),
  ],
  'GET /v1/stint/total': [
    ...['tag', 'category', 'task', 'day'].map((by) => get(`/stint/total?${ZONE}&by=${by}`)),
    get(`/stint/total?${ZONE}&by=day&from=0001-01-01&to=9998-12-31`),
    get(`/stint/total?${ZONE}&by=tag&filter=${encodeURIComponent(MANY_PARTS)}`),
    get(`/stint/total?${ZONE}&by=tag&filter=${encodeURIComponent(TOO_MANY_PARTS)}`),
  ],
  'GET /v1/stint/balance': [
    get(`/stint/balance?${ZONE}`),
    get(`/stint/balance?${ZONE}&by=day&from=0001-01-01&to=9998-12-31`),
  ],
  'GET /v1/stint/balance.csv': [get(`/stint/balance.csv?${ZONE}`)],
  'GET /v1/stint/timesheet': [
    get(`/stint/timesheet?${ZONE}&from=0001-01-01&to=9998-12-31`),
    get(
      `/stint/timesheet?${ZONE}&from=0001-01-01&to=9998-12-31&step=15&per=total&filter=${encodeURIComponent(MANY_PARTS)}`,
    ),
  ],
  'GET /v1/stint/timesheet.csv': [
    get(`/stint/timesheet.csv?${ZONE}&from=0001-01-01&to=9998-12-31&group=task`),
  ],
  'POST /v1/stint/timesheets': [
    post('/stint/timesheets', { from: '0001-01-01', to: '9998-12-31' }),
    // As many sessions as are sealed in one call, then the same ones once more.
    post('/stint/timesheets', { from: '2026-01-03', to: '2026-01-14', step: 15 }),
    post('/stint/timesheets', { from: '2026-01-03', to: '2026-01-14', again: true }),
  ],
  // The sheet that was sealed last.
  'GET /v1/stint/timesheets/:sheetId': [get(`/stint/timesheets/:sheetId?${ZONE}`)],
  'DELETE /v1/stint/timesheets/:sheetId': [
    { method: 'DELETE', path: '/stint/timesheets/:sheetId', body: {} },
  ],
  'GET /v1/stint/timesheets': [get('/stint/timesheets')],
  'GET /v1/stint/rates': [get('/stint/rates')],
  'GET /v1/stint/targets': [get(`/stint/targets?${ZONE}`)],
  'GET /v1/stint/tasks': [
    get('/stint/tasks'),
    get(`/stint/tasks?q=${encodeURIComponent(MANY_WAYS)}`),
  ],
  'tool now': [tool('now', {})],
  'tool start': [tool('start', { task: MANY_WAYS })],
  'tool stop': [tool('stop', {})],
  'tool find_sessions': [tool('find_sessions', { limit: 100, filter: MANY_PARTS })],
  'tool total': [
    tool('total', { by: 'tag' }),
    tool('total', { by: 'category', filter: MANY_PARTS }),
  ],
  'tool propose_changes': [
    tool('propose_changes', { reason: 'many', changes: MANY_CHANGES }),
    tool('propose_changes', {
      reason: 'many',
      changes: MANY_CHANGES.map((_, index) => ({ id: `e${index}`, note: 'x' })),
    }),
  ],
  'GET /feed/*': [{ method: 'GET', path: 'feed' }],
}

const TARGETS = {
  'target:least:month:tag:acme': 36_000,
  'target:least:month:category:Development': 36_000,
  'target:most:week:tag:other': 36_000,
  'target:most:day:all': 36_000,
}

const server = serverForFile({ now: NOW, config: { quota: { documents: null, bytes: null } } })

beforeAll(async () => {
  // The code that is loaded at the first call counts for nobody.
  await callsOver('odd notes', { documents: 10, bytes: Infinity })
  await callsOver('odd notes', { documents: 250, bytes: Infinity })
})

test('every route with a key, every tool and the calendar has its cases', () => {
  const keyed = server.app.routeTable.flatMap(({ name, access }) =>
    access === 'read' || access === 'write' ? name : [],
  )
  const tools = TOOLS.map(({ name }) => `tool ${name}`)
  expect(Object.keys(CALLS).toSorted()).toEqual([...keyed, ...tools, 'GET /feed/*'].toSorted())
})

/** The short run has many tasks, and many sessions. */
const READ_ON_LOOP: readonly WorstRecord[] = IS_SHORT
  ? ['many usual names', 'many tags']
  : WORST_RECORD_NAMES
const isMeasured = PRINTS || process.env['TEST_DATABASE'] !== 'postgres'

test.runIf(isMeasured).each(READ_ON_LOOP)(
  'no call takes the event loop for long over the longest record of %s that is read on it',
  async (record) => expect(tooCostly(await callsOver(record, MAX_SHORT))).toEqual([]),
)

// A long record is read in a thread; core/src/cost.test.ts bounds what is searched in it in the short run, too.
test.runIf(isMeasured && !IS_SHORT).each(WORST_RECORD_NAMES)(
  'no call takes the event loop for long over a record of %s',
  async (record) => expect(tooCostly(await callsOver(record))).toEqual([]),
)

function tooCostly(costs: readonly Cost[]): readonly Cost[] {
  return costs.filter(({ milliseconds, status }) => milliseconds > MAX_COST || status >= 500)
}

interface Cost {
  readonly call: string
  readonly status: number
  readonly milliseconds: number
}

/** Makes every call once over a record, or so much of it. Returns what each took of this thread's processor. */
async function callsOver(record: WorstRecord, max?: typeof MAX_SHORT): Promise<Cost[]> {
  const ann = await server.signedInUser()
  const { body: key } = await ann.call('POST', '/stint/keys', { name: 'Shell', access: 'write' })
  const { body: feed } = await ann.call('PUT', '/stint/feed', {})
  await ann.call('PATCH', '/account/prefs', { prefs: TARGETS })
  await storeRecord(server.db, ann.id, record, NOW, max)
  const browser = server.newBrowser()
  const headers = {
    authorization: `Bearer ${key.secret}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const costs: Cost[] = []
  let sealed = 'none'
  for (const [route, calls] of Object.entries(CALLS)) {
    for (const { method, path, body } of calls) {
      const isOutside = path === 'feed' || path === '/mcp'
      const named = path.replace(':sheetId', sealed)
      const url = path === 'feed' ? feed.path : isOutside ? path : `/v1${named}`
      const payload = body === undefined ? {} : { body: JSON.stringify(body) }
      const before = process.threadCpuUsage()
      const reply = await browser.fetch(`http://localhost:3000${url}`, {
        method,
        headers,
        ...payload,
      })
      const { user, system } = process.threadCpuUsage(before)
      if (route === 'POST /v1/stint/timesheets' && reply.ok) sealed = (await reply.json()).sheet.id
      costs.push({
        call: `${route} ${path.slice(0, 60)}`,
        status: reply.status,
        milliseconds: (user + system) / 1000,
      })
    }
  }
  // oxlint-disable-next-line no-console -- the figures, on demand
  if (PRINTS) console.table(costs)
  return costs
}

function get(path: string): Omit<Call, 'name'> {
  return { method: 'GET', path }
}

function post(path: string, body: object): Omit<Call, 'name'> {
  return { method: 'POST', path, body: { ...body, timeZone: 'Europe/Berlin' } }
}

function tool(name: string, sent: object): Omit<Call, 'name'> {
  const params = { name, arguments: { ...sent, timeZone: 'Europe/Berlin' } }
  return {
    method: 'POST',
    path: '/mcp',
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
  }
}
