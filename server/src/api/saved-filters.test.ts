/** A saved filter is used by its name wherever programs and calendars send a filter. */
import { beforeEach, expect, test } from 'vitest'
import { MAX_FILTER_PARTS } from '@stint/core/record/session-filter.ts'
import { serverForFile, userForEach } from '@stint/testing/server-tests.ts'
import type { Program } from '@stint/testing/test-app.ts'

const NOW = Date.UTC(2026, 3, 19, 12)
const PREFS = {
  timeZone: 'Europe/Berlin',
  'filter:Acme this month': '#acme this month',
  // Its text is the name of another one.
  'filter:Chained': 'march',
  'filter:March': '#none',
  'filter:Broken': 'word '.repeat(MAX_FILTER_PARTS + 1).trim(),
}

const server = serverForFile({ now: NOW, config: { rateLimits: false } })
const ann = userForEach(server)
let shell: Program

beforeEach(async () => {
  await ann.call('PATCH', '/account/prefs', { prefs: PREFS })
  const create = async (collection: string, documentId: string, data: object) => {
    const path = `/databases/stint/collections/${collection}/documents`
    const reply = await ann.call('POST', path, { documentId, data: { ...data, userId: ann.id } })
    expect(reply.status).toBe(201)
  }
  await create('tasks', 'write', { name: 'Write' })
  for (const [id, day, note] of [
    ['march', '2026-03-30', '#acme'],
    ['april', '2026-04-02', '#acme'],
    // In Berlin it is April, in London still March.
    ['edge', '2026-03-31', '#acme'],
    ['other', '2026-04-03', 'Acme'],
  ] as const) {
    await create('time_entries', id, {
      taskId: 'write',
      startTime: `${day}T22:30:00.000Z`,
      endTime: `${day}T22:50:00.000Z`,
      durationSeconds: 1200,
      note,
    })
  }
  shell = await server.program(ann)
})

test.each(['Acme this month', ' ACME this MONTH', '#acme this month'])(
  'the API finds and sums up what the filter %j finds',
  async (filter) => {
    const query = new URLSearchParams({ filter }).toString()
    const found = await shell('GET', `/sessions?${query}`)
    expect(found.body.sessions.map(({ id }: { id: string }) => id)).toEqual(['april', 'edge'])
    expect(found.body.filter).toEqual(['#acme', 'April 2026'])
    const total = await shell('GET', `/total?${query}`)
    expect(total.body.seconds).toBe(2400)
    expect(new URL(total.body.explain).searchParams.get('q')).toBe(
      filter.includes('#') ? filter : '#acme this month',
    )
  },
)

test('a name is looked up once: the text of a saved filter is no name', async () => {
  const found = await shell('GET', '/sessions?filter=chained')
  const total = await shell('GET', '/total?filter=chained')
  expect([found.body.filter, total.body.filter]).toEqual([['March 2026'], ['March 2026']])
})

test('a filter that is no name is searched as words, and a saved one with a problem is refused', async () => {
  expect((await shell('GET', '/sessions?filter=acme')).body.total.count).toBe(4)
  const refused = await shell('GET', '/sessions?filter=broken')
  expect([refused.status, refused.body.message]).toEqual([
    400,
    expect.stringContaining('Use at most 20 parts.'),
  ])
})

async function calendar(query: string) {
  const { body } = await ann.call('PUT', '/stint/feed', {})
  const reply = await server.newBrowser().fetch(`${body.path}?${query}`)
  const text = await reply.text()
  const ids = [...text.matchAll(/^UID:(\w+)@/gm)].map(([, id]) => id)
  return { status: reply.status, text, ids }
}

test.each([
  ['', ['march', 'edge', 'april', 'other']],
  ['filter=', ['march', 'edge', 'april', 'other']],
  ['filter=%23acme', ['march', 'edge', 'april']],
  ['filter=Acme+this+month', ['edge', 'april']],
  ['filter=Acme%20this%20month&timeZone=Europe/London', ['april']],
  ['filter=nothing+like+it', []],
])('a calendar with %j has the sessions that it finds', async (query, ids) => {
  expect(await calendar(query)).toMatchObject({ status: 200, ids })
})

test.each([
  ['filter=broken', 'Use at most 20 parts.'],
  [`filter=${'x'.repeat(501)}`, 'no longer than 500 chars'],
  ['filter=%23acme&timeZone=Mars', 'Value must be the name of a time zone'],
])('a calendar with %j is refused with a sentence', async (query, message) => {
  const { status, text } = await calendar(query)
  expect([status, JSON.parse(text).message]).toEqual([400, expect.stringContaining(message)])
})

test('a calendar without a zone in the settings has the days of UTC', async () => {
  await ann.call('PATCH', '/account/prefs', { prefs: { ...PREFS, timeZone: null } })
  expect((await calendar('filter=acme+this+month')).ids).toEqual(['april'])
})
