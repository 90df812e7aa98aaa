import { beforeEach, expect, test } from 'vitest'
import { serverForFile } from '@stint/testing/server-tests.ts'
import type { Program, TestUser } from '@stint/testing/test-app.ts'

const MINUTE = 60_000
const server = serverForFile()
let ann: TestUser
let program: Program
let session: string
let began: number

beforeEach(async () => {
  ann = await server.signedInUser()
  program = await server.program(ann)
  began = server.clock.now()
  session = (await program('POST', '/start', { task: 'Write' })).body.timer.id
})

test('pause, resume and stop count at their instants, however late they arrive', async () => {
  server.clock.advance(60 * MINUTE)
  const paused = await press('pause', 10)
  expect(paused.body).toEqual({
    outcome: 'done',
    timer: {
      state: 'paused',
      session,
      since: instant(10),
      seconds: null,
      task: null,
      question: null,
      asOf: instant(60),
    },
  })
  expect((await press('resume', 15)).body.timer).toMatchObject({
    state: 'running',
    since: instant(15),
  })
  expect((await press('stop', 40)).body).toMatchObject({
    outcome: 'done',
    timer: { state: 'stopped', since: instant(40), seconds: 35 * 60 },
  })
  expect(await saved()).toEqual([{ start: instant(0), end: instant(40), seconds: 35 * 60 }])
})

test.each(['pause', 'resume', 'stop'] as const)(
  'a %s whose answer was lost is carried out once',
  async (kind) => {
    server.clock.advance(10 * MINUTE)
    if (kind === 'resume') await press('pause', 2)
    await press(kind, 5, 'same-press')
    server.clock.advance(10 * MINUTE)
    if (kind === 'pause') await program('POST', '/resume', {})
    const between = await stored()
    const again = await press(kind, 5, 'same-press')
    expect(again).toMatchObject({ status: 200, body: { outcome: 'done' } })
    expect(await stored()).toEqual(between)
  },
)

test('a press that is sent twice at once counts once', async () => {
  server.clock.advance(10 * MINUTE)
  const answers = await Promise.all([1, 2, 3].map(() => press('stop', 5, 'same-press')))
  for (const { body } of answers) expect(body).toMatchObject({ outcome: 'done' })
  expect(await saved()).toEqual([{ start: instant(0), end: instant(5), seconds: 300 }])
})

test('a press for a session that has ended changes nothing and says so', async () => {
  server.clock.advance(5 * MINUTE)
  await program('POST', '/stop', {})
  const before = await stored()
  server.clock.advance(5 * MINUTE)
  for (const kind of ['pause', 'resume', 'stop'] as const) {
    expect((await press(kind, 8)).body).toMatchObject({
      outcome: 'ended',
      timer: { state: 'stopped', since: instant(5), seconds: 300 },
    })
  }
  await program('POST', '/start', { task: 'Read' })
  const other = (await press('stop', 9)).body
  expect(other).toMatchObject({ outcome: 'ended', timer: { state: 'running' } })
  expect(other.timer.session).not.toBe(session)
  expect((await saved()).slice(0, 1)).toEqual([
    { start: instant(0), end: instant(5), seconds: 300 },
  ])
  expect(await stored()).toMatchObject({ entries: before.entries })
})

test('a pause that arrives after a later pause and resume of another device joins them', async () => {
  server.clock.advance(30 * MINUTE)
  await program('POST', '/pause', {})
  server.clock.advance(10 * MINUTE)
  await program('POST', '/resume', {})
  expect((await press('pause', 20)).body).toMatchObject({
    outcome: 'done',
    timer: { state: 'running', since: instant(40) },
  })
  server.clock.advance(10 * MINUTE)
  await program('POST', '/stop', {})
  expect(await saved()).toEqual([{ start: instant(0), end: instant(50), seconds: 30 * 60 }])
})

test('what the timer did at that instant already changes nothing', async () => {
  server.clock.advance(10 * MINUTE)
  const before = await stored()
  expect((await press('resume', 5)).body).toMatchObject({
    outcome: 'done',
    timer: { state: 'running', since: instant(0) },
  })
  expect(await stored()).toEqual(before)
})

test('a press before its timer began counts from the begin', async () => {
  server.clock.advance(10 * MINUTE)
  expect((await press('pause', -5)).body.timer).toMatchObject({
    state: 'paused',
    since: instant(0),
  })
})

test('a press over a timer that another client has made and changed counts', async () => {
  await program('POST', '/stop', {})
  const path = '/databases/stint/collections/timer_sessions/documents'
  const data = { taskId: 'x', startTime: instant(0), userId: ann.id }
  const body = { documentId: 'plain', data }
  expect((await ann.call('POST', path, body)).status).toBe(201)
  session = 'plain'
  server.clock.advance(10 * MINUTE)
  expect((await press('pause', 5)).body.timer).toMatchObject({ state: 'paused' })
  const since = { isRunning: true, isPaused: false, currentPauseStart: null }
  expect((await ann.call('PATCH', `${path}/plain`, { data: since })).status).toBe(200)
  server.clock.advance(10 * MINUTE)
  expect((await press('stop', 15)).body).toMatchObject({
    outcome: 'done',
    timer: { state: 'stopped' },
  })
})

test('a press for another person’s session finds none', async () => {
  const bob = await server.signedInUser()
  server.clock.advance(MINUTE)
  const before = await stored()
  expect((await press('stop', 1, undefined, bob)).body).toMatchObject({
    outcome: 'ended',
    timer: { state: 'none' },
  })
  expect(await stored()).toEqual(before)
})

test('a press without a sign-in is refused, and counts when it is sent again after one', async () => {
  server.clock.advance(10 * MINUTE)
  const kept = [...ann.cookies]
  await ann.call('DELETE', '/account/sessions/current')
  for (const [name, value] of kept) ann.cookies.set(name, value)
  expect(await press('stop', 5, 'kept-press')).toMatchObject({ status: 401 })
  const { email, password } = ann
  await ann.call('POST', '/account/sessions/email', { email, password })
  expect((await press('stop', 5, 'kept-press')).body.outcome).toBe('done')
  expect(await saved()).toEqual([{ start: instant(0), end: instant(5), seconds: 300 }])
})

test.each([
  ['a press that is none', { press: 'discard' }],
  ['no id', { id: undefined }],
  ['an id that is no name', { id: 'a.b.c.d.e' }],
  ['an instant to come', { age: -1 }],
  ['an instant of long ago', { age: 32 * 86_400_000 }],
])('%s is refused', async (_what, wrong) => {
  const body = { id: 'some-press', session, press: 'stop', age: 0, ...wrong }
  expect((await ann.call('POST', '/stint/push/presses', body)).status).toBe(400)
})

let presses = 0

/** Sends a press that was made so many minutes after the begin. */
function press(
  kind: 'pause' | 'resume' | 'stop',
  minute: number,
  id = `press-no-${++presses}`,
  user = ann,
) {
  const age = server.clock.now() - (began + minute * MINUTE)
  return user.call('POST', '/stint/push/presses', { id, session, press: kind, age })
}

function instant(minute: number): string {
  return new Date(began + minute * MINUTE).toISOString()
}

async function stored() {
  const path = '/databases/stint/collections'
  const sessions = await ann.call('GET', `${path}/timer_sessions/documents`)
  const entries = await ann.call('GET', `${path}/time_entries/documents`)
  return { sessions: sessions.body.documents, entries: entries.body.documents }
}

async function saved() {
  const { entries } = await stored()
  return entries.map((each: Record<string, string>) => ({
    start: new Date(each['startTime'] ?? '').toISOString(),
    end: new Date(each['endTime'] ?? '').toISOString(),
    seconds: each['durationSeconds'],
  }))
}
