import Ical from 'ical.js'
import { sync as nodeIcal } from 'node-ical'
import { beforeEach, expect, test } from 'vitest'
import { serverForFile, userForEach } from '@stint/testing/server-tests.ts'
import { createTestApp, TEST_PASSWORD } from '@stint/testing/test-app.ts'
import type { TestAppOptions, TestUser } from '@stint/testing/test-app.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Three weeks after clocks changed in Europe. */
const NOW = Date.UTC(2026, 3, 19, 12)

const lines: string[] = []
const OPTIONS: TestAppOptions = {
  now: NOW,
  config: { logLevel: 'debug', rateLimits: false },
  logger: { level: 'debug', stream: { write: (line: string) => void lines.push(line) } },
}
const server = serverForFile(OPTIONS)
beforeEach(() => void (lines.length = 0))
const ann = userForEach(server)

interface Event {
  readonly id: string
  readonly start: number
  readonly end: number
  readonly title: unknown
  readonly description: unknown
}

test('two independent parsers read the sessions of the last eight weeks', async () => {
  await createTask('write', 'Write; "report", part 1\\2')
  await createTask('read', 'Lire 世界 👩‍💻')
  const note = `Line one\n${'línea, dos; '.repeat(12)}\nEND:VEVENT`
  const overTheChange = {
    startTime: '2026-03-29T00:30:00.000Z',
    endTime: '2026-03-29T02:30:00.000Z',
    durationSeconds: 5400,
    pauses: '[["2026-03-29T01:00:00.000Z","2026-03-29T01:30:00.000Z"]]',
  }
  await createEntry('change', { taskId: 'read', ...overTheChange, note })
  await createEntry('last', { taskId: 'write', ...hoursAgo(1) })
  await createEntry('first', { taskId: 'write', ...hoursAgo(56 * 24) })
  await createEntry('too-old', { taskId: 'write', ...hoursAgo(56 * 24 + 1) })
  await createEntry('deleted', { taskId: 'write', ...hoursAgo(3), deletedAt: wire(NOW) })
  await createEntry('lost', { taskId: 'gone', ...hoursAgo(5) })
  const bob = await server.signedInUser()
  await createTask('write', 'Bob’s', bob)
  await createEntry('bobs', { taskId: 'write', ...hoursAgo(2) }, bob)

  const { text, headers } = await read(await newFeed())
  expect(headers.get('content-type')).toBe('text/calendar; charset=utf-8')
  expect(headers.get('cache-control')).toBe('private, no-cache')
  expect(text).toContain('X-WR-CALNAME:Stint\r\n')
  const title = 'Write; "report", part 1\\2'
  const events: Event[] = [
    {
      id: 'first@stint',
      start: NOW - 56 * DAY,
      end: NOW - 56 * DAY + HOUR / 2,
      title,
      description: 'Worked 30m',
    },
    {
      id: 'change@stint',
      start: Date.UTC(2026, 2, 29, 0, 30),
      end: Date.UTC(2026, 2, 29, 2, 30),
      title: 'Lire 世界 👩‍💻',
      description: `${note}\n\nWorked 1h 30m, paused 30m`,
    },
    {
      id: 'lost@stint',
      start: NOW - 5 * HOUR,
      end: NOW - 4.5 * HOUR,
      title: 'Unknown task',
      description: 'Worked 30m',
    },
    {
      id: 'last@stint',
      start: NOW - HOUR,
      end: NOW - HOUR / 2,
      title,
      description: 'Worked 30m',
    },
  ]
  expect(readByIcal(text)).toEqual(events)
  expect(readByNodeIcal(text)).toEqual(events)
})

test('a session keeps its event when it changes, and a deleted one goes', async () => {
  await createTask('write', 'Write')
  await createEntry('one', { taskId: 'write', ...hoursAgo(2) })
  await createEntry('two', { taskId: 'write', ...hoursAgo(1) })
  const path = await newFeed()
  await changeEntry('one', hoursAgo(4))
  await changeEntry('two', { deletedAt: wire(NOW) })
  const [event, ...more] = readByIcal((await read(path)).text)
  expect([event?.id, event?.start, more]).toEqual(['one@stint', NOW - 4 * HOUR, []])
})

test('a calendar has the newest 2,000 sessions', async () => {
  const ids = Array.from({ length: 2001 }, (_, index) => index)
  for (const start of [0, 500, 1000, 1500, 2000]) {
    const documents = ids.slice(start, start + 500).map((index) => {
      const times = hoursAgo(1 + index / 4)
      const data = { taskId: 'x', userId: ann.id, durationSeconds: 1800, ...times }
      return { documentId: `e${index}`, data, isNew: true }
    })
    const path = '/stint/collections/time_entries/documents'
    expect((await ann.call('PUT', path, { documents })).status).toBe(200)
  }
  const events = readByIcal((await read(await newFeed())).text)
  expect([events.length, events[0]?.id, events.at(-1)?.id]).toEqual([
    2000,
    'e1999@stint',
    'e0@stint',
  ])
})

test('a calendar that did not change is answered with 304', async () => {
  await createTask('write', 'Write')
  for (let count = 1; count <= 20; count++) {
    await createEntry(`e${count}`, { taskId: 'write', ...hoursAgo(count) })
  }
  const path = await newFeed()
  const { headers } = await read(path)
  const etag = headers.get('etag') ?? ''
  server.clock.advance(HOUR)
  for (const known of [etag, etag.slice(2), `"other", ${etag}`]) {
    const again = await read(path, { 'if-none-match': known })
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag])
  }
  const compressed = await read(path, { 'accept-encoding': 'gzip' })
  expect(compressed.headers.get('content-encoding')).toBe('gzip')
  expect(compressed.headers.get('etag')).toBe(etag)
  await changeEntry('e1', { note: 'changed' })
  expect((await read(path, { 'if-none-match': etag })).status).toBe(200)
})

test('a new address replaces the old one, and a revoked one is not found', async () => {
  expect(await created()).toBe(null)
  const old = await newFeed()
  expect(await created()).toBe('2026-04-19T12:00:00.000Z')
  server.clock.advance(DAY)
  const path = await newFeed()
  expect(await created()).toBe('2026-04-20T12:00:00.000Z')
  await expectNotFound(old)
  expect((await read(path)).status).toBe(200)
  for (let count = 0; count < 2; count++) {
    expect((await ann.call('DELETE', '/stint/feed')).status).toBe(204)
    await expectNotFound(path)
  }
  expect(await created()).toBe(null)
})

test('two addresses that are created at once leave one', async () => {
  const paths = await Promise.all([newFeed(), newFeed()])
  const statuses = await Promise.all(paths.map(async (path) => (await read(path)).status))
  expect(statuses.map(String).toSorted()).toEqual(['200', '404'])
})

test('whatever is no address of a calendar is not found', async () => {
  const path = await newFeed()
  for (const wrong of [
    '/feed/',
    '/feed/.ics',
    '/feed/stint.ics',
    path.slice(0, -4),
    `${path}/`,
    path.replace('/feed/', '/feed/a/'),
    path.replace('.ics', 'x.ics'),
    path.toUpperCase().replace('/FEED/', '/feed/').replace('.ICS', '.ics'),
    `/feed/${'%00'.repeat(43)}.ics`,
  ]) {
    await expectNotFound(wrong)
  }
  expect((await read(`${path}?from=calendar`)).status).toBe(200)
})

test('a blocked person’s calendar is refused, and a deleted one’s is not found', async () => {
  const path = await newFeed()
  await ann.call('PATCH', '/account/status', {})
  const refused = await read(path)
  expect([refused.status, JSON.parse(refused.text).type]).toEqual([403, 'user_blocked'])

  const bob = await server.signedInUser()
  const bobs = await newFeed(bob)
  const credentials = { email: bob.email, password: TEST_PASSWORD }
  expect((await bob.call('POST', '/stint/account/deletion', credentials)).status).toBe(204)
  await expectNotFound(bobs)
  expect(await feedsOf(ann)).toHaveLength(1)
  expect(await feedsOf(bob)).toEqual([])
})

test('a new password keeps the address', async () => {
  const path = await newFeed()
  const change = { oldPassword: TEST_PASSWORD, password: 'another horse 22' }
  expect((await ann.call('PATCH', '/account/password', change)).status).toBe(200)
  expect((await read(path)).status).toBe(200)
})

test('the secret of an address is neither stored nor logged', async () => {
  const path = await newFeed()
  const secret = path.slice('/feed/'.length, -'.ics'.length)
  await read(path)
  await ann.call('DELETE', '/stint/feed')
  await read(`${path}?again`)
  await newFeed()
  expect(JSON.stringify([await feedsOf(ann), lines])).not.toContain(secret)
  const logged = lines.map((line) => JSON.parse(line))
  expect(logged.filter(({ msg, route }) => msg === 'request' && route === '/feed/*')).toHaveLength(
    2,
  )
  const events = logged
    .filter(({ msg, event }) => msg === 'security' && event.startsWith('feed-'))
    .map(({ event, accountId, reason }) => [event, accountId, reason])
  expect(events).toEqual([
    ['feed-created', ann.id, undefined],
    ['feed-revoked', ann.id, undefined],
    ['feed-refused', null, 'stint_feed_not_found'],
    ['feed-created', ann.id, undefined],
  ])
})

test('a browser that tries wrong addresses is refused, and a right one from there 120 times an hour', async () => {
  const config = { ...OPTIONS.config, rateLimits: true }
  const strict = await createTestApp({ ...OPTIONS, config })
  const path = await newFeed(await strict.signedInUser())
  const ask = async (at: string) => (await strict.newBrowser().fetch(at)).status
  for (let count = 0; count < 100; count++) expect(await ask(`/feed/${count}.ics`)).toBe(404)
  expect(await ask('/feed/wrong.ics')).toBe(429)
  for (let count = 0; count < 120; count++) expect(await ask(path)).toBe(200)
  expect(await ask(path)).toBe(429)
  strict.clock.advance(HOUR)
  expect(await ask(path)).toBe(200)
  await strict.close()
})

async function newFeed(user: TestUser = ann): Promise<string> {
  const { status, body } = await user.call('PUT', '/stint/feed', {})
  expect(status).toBe(200)
  expect(body.path).toMatch(/^\/feed\/[\w-]{43}\.ics$/)
  return body.path
}

function feedsOf({ id }: TestUser) {
  const { db } = server
  return db.read(db.build.selectFrom('feeds').selectAll().where('user_id', '=', id))
}

async function created(): Promise<string | null> {
  return (await ann.call('GET', '/stint/feed')).body.createdAt
}

/** Reads a calendar as a program without a cookie. */
async function read(path: string, headers: Record<string, string> = {}) {
  const reply = await server.newBrowser().fetch(path, { headers })
  return { status: reply.status, headers: reply.headers, text: await reply.text() }
}

async function expectNotFound(path: string): Promise<void> {
  const { status, text } = await read(path, { accept: 'text/html' })
  expect({ path, status, body: JSON.parse(text) }).toMatchObject({
    path,
    status: 404,
    body: { code: 404, type: 'stint_feed_not_found' },
  })
}

async function createTask(id: string, name: string, user: TestUser = ann): Promise<void> {
  await create('tasks', id, { name }, user)
}

async function createEntry(id: string, data: object, user: TestUser = ann): Promise<void> {
  await create('time_entries', id, { durationSeconds: 1800, ...data }, user)
}

async function create(
  collection: string,
  documentId: string,
  data: object,
  user: TestUser,
): Promise<void> {
  const path = `/databases/stint/collections/${collection}/documents`
  const body = { documentId, data: { ...data, userId: user.id } }
  const reply = await user.call('POST', path, body)
  expect(reply).toMatchObject({ status: 201 })
}

async function changeEntry(id: string, data: object): Promise<void> {
  const path = `/databases/stint/collections/time_entries/documents/${id}`
  expect((await ann.call('PATCH', path, { data })).status).toBe(200)
}

/** A session of half an hour that began so many hours ago. */
function hoursAgo(hours: number) {
  const start = NOW - hours * HOUR
  return { startTime: wire(start), endTime: wire(start + HOUR / 2) }
}

function wire(instant: number): string {
  return new Date(instant).toISOString()
}

function readByIcal(text: string): Event[] {
  const calendar = new Ical.Component(Ical.parse(text))
  return calendar.getAllSubcomponents('vevent').map((component) => {
    const { uid, startDate, endDate, summary, description } = new Ical.Event(component)
    return {
      id: uid,
      start: startDate.toJSDate().getTime(),
      end: endDate.toJSDate().getTime(),
      title: summary,
      description,
    }
  })
}

function readByNodeIcal(text: string): Event[] {
  return Object.values(nodeIcal.parseICS(text)).flatMap((part) =>
    part?.type === 'VEVENT'
      ? {
          id: part.uid,
          start: part.start.getTime(),
          end: part.end?.getTime() ?? NaN,
          title: part.summary,
          description: part.description,
        }
      : [],
  )
}
