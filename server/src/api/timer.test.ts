/** The timer from a program: what it answers, what is stored, and what the person's devices hear. */
import { beforeEach, expect, test } from 'vitest'
import { serverForFile, userForEach } from '@stint/testing/server-tests.ts'
import type { Program, Reply } from '@stint/testing/test-app.ts'

const MINUTE = 60_000
const COLLECTIONS = '/databases/stint/collections'
const server = serverForFile()
const ann = userForEach(server)
let shell: Program

beforeEach(async () => {
  await ann.call('PATCH', '/account/prefs', { prefs: { timeZone: 'Europe/Berlin' } })
  shell = await server.program(ann)
})

test('a timer that is started, paused, resumed and stopped becomes one session', async () => {
  const started = await shell('POST', '/start', { task: 'Write report', note: 'part 2 #acme' })
  expect(started).toMatchObject({
    status: 201,
    body: {
      timer: {
        task: { name: 'Write report' },
        startedAt: '2026-01-15T12:00:00.000Z',
        seconds: 0,
        state: 'running',
        note: 'part 2 #acme',
        tags: ['acme'],
      },
      stopped: null,
      overlaps: [],
    },
  })
  const { id, task } = started.body.timer
  server.clock.advance(10 * MINUTE)
  expect((await shell('POST', '/pause')).body.timer).toMatchObject({
    state: 'paused',
    seconds: 600,
  })
  server.clock.advance(5 * MINUTE)
  expect((await shell('POST', '/pause')).body.timer).toMatchObject({
    state: 'paused',
    seconds: 600,
  })
  expect((await shell('POST', '/resume')).body.timer).toMatchObject({ state: 'running' })
  server.clock.advance(MINUTE)
  expect((await shell('GET', '/now')).body).toMatchObject({
    timeZone: 'Europe/Berlin',
    timer: { id, seconds: 660 },
    todaySeconds: 660,
  })
  const { body } = await shell('POST', '/stop')
  expect(body.session).toEqual({
    id,
    task,
    start: '2026-01-15T12:00:00.000Z',
    end: '2026-01-15T12:16:00.000Z',
    seconds: 660,
    note: 'part 2 #acme',
    tags: ['acme'],
    billable: null,
    invoiced: [],
  })
  expect(await list('timer_sessions')).toEqual([])
  expect(await list('time_entries')).toMatchObject([
    { $id: id, sessionId: id, entryType: 'timer', durationSeconds: 660 },
  ])
  expect((await shell('GET', '/now')).body).toMatchObject({ timer: null, todaySeconds: 660 })
})

test('toggle pauses and resumes', async () => {
  await shell('POST', '/start', { task: 'Write' })
  expect((await shell('POST', '/toggle')).body.timer.state).toBe('paused')
  expect((await shell('POST', '/toggle')).body.timer.state).toBe('running')
})

test.each(['stop', 'pause', 'resume', 'toggle'])('%s without a timer is refused', async (press) => {
  const refused = await shell('POST', `/${press}`)
  expect(refused).toMatchObject({ status: 409, body: { type: 'stint_no_timer' } })
})

test('a start saves the active timer first, up to the new start', async () => {
  await shell('POST', '/start', { task: 'Write' })
  server.clock.advance(30 * MINUTE)
  const { body } = await shell('POST', '/start', { task: 'Read', at: '10m ago' })
  expect(body.stopped).toMatchObject({ task: { name: 'Write' }, seconds: 20 * 60 })
  expect(body.timer).toMatchObject({ task: { name: 'Read' }, seconds: 600 })
  expect(await list('timer_sessions')).toHaveLength(1)
})

test('the start of the task that is timed changes nothing', async () => {
  const { body } = await shell('POST', '/start', { task: 'Write' })
  server.clock.advance(MINUTE)
  const again = await shell('POST', '/start', { taskId: body.timer.task.id })
  expect(again.body).toMatchObject({ timer: { id: body.timer.id, seconds: 60 }, stopped: null })
  expect(await list('time_entries')).toEqual([])
})

test.each([
  ['9:05', '2026-01-15T08:05:00.000Z'],
  ['10m ago', '2026-01-15T11:50:00.000Z'],
  ['2026-01-15T11:00:00+01:00', '2026-01-15T10:00:00.000Z'],
])('a timer starts at %s', async (at, startedAt) => {
  const { body } = await shell('POST', '/start', { task: 'Write', at })
  expect(body.timer.startedAt).toBe(startedAt)
})

test('a clock time after midnight that is still to come was yesterday', async () => {
  server.clock.set(Date.UTC(2026, 0, 15, 23, 30))
  const { body } = await shell('POST', '/start', { task: 'Write', at: '23:50' })
  expect(body.timer.startedAt).toBe('2026-01-15T22:50:00.000Z')
})

test.each([
  [{ task: 'Write', at: '18:00' }, 'The time is in the future.'],
  [{ task: 'Write', at: '2026-01-15T12:00:01Z' }, 'The time is in the future.'],
  [{ task: 'Write', at: 'soon' }, 'Value must be an instant'],
  [{ task: 'Write', at: '2025-12-01T09:00:00Z' }, 'A session can last at most 31 days.'],
  [{ task: 'Write', at: '9:05', timeZone: 'Mars/Base' }, 'the name of a time zone'],
  [{}, 'Send exactly one of `task`, `taskId`, `newTask` and `line`.'],
  [{ task: 'Write', line: 'Write' }, 'Send exactly one of'],
  [{ line: '9-10 hiring' }, 'It names an end'],
  [{ task: ' ' }, 'Enter a task name.'],
  [{ task: 'x'.repeat(256) }, 'no longer than 255 chars'],
])('%j starts nothing', async (body, message) => {
  const refused = await shell('POST', '/start', body)
  expect(refused).toMatchObject({ status: 400, body: { type: 'general_argument_invalid' } })
  expect(refused.body.message).toContain(message)
  expect(await everything()).toEqual([])
})

test('a clock time needs a time zone, and an instant does not', async () => {
  await ann.call('PATCH', '/account/prefs', { prefs: {} })
  const refused = await shell('POST', '/start', { task: 'Write', at: '9:05' })
  expect(refused).toMatchObject({ status: 400, body: { type: 'stint_time_zone_missing' } })
  expect((await shell('GET', '/now')).body.type).toBe('stint_time_zone_missing')
  expect((await shell('POST', '/start', { task: 'Write' })).status).toBe(201)
  const now = await shell('GET', '/now?timeZone=America/New_York')
  expect(now.body).toMatchObject({ timeZone: 'America/New_York', todaySeconds: 0 })
})

test('a stop at an instant cuts what follows, and one before the start is refused', async () => {
  await shell('POST', '/start', { task: 'Write' })
  server.clock.advance(30 * MINUTE)
  const refused = await shell('POST', '/stop', { at: '12:59' })
  expect(refused.body.message).toContain('The timer was started or changed after that.')
  const { body } = await shell('POST', '/stop', { at: '13:20' })
  expect(body.session).toMatchObject({ end: '2026-01-15T12:20:00.000Z', seconds: 1200 })
})

test('a pause before the last resume is refused', async () => {
  await shell('POST', '/start', { task: 'Write' })
  server.clock.advance(10 * MINUTE)
  await shell('POST', '/pause')
  server.clock.advance(MINUTE)
  await shell('POST', '/resume')
  server.clock.advance(10 * MINUTE)
  expect((await shell('POST', '/pause', { at: '13:05' })).status).toBe(400)
  const paused = await shell('POST', '/pause', { at: '13:15' })
  expect(paused.body.timer).toMatchObject({ state: 'paused', seconds: 14 * 60 })
})

test('a timer of less than a second leaves a deleted entry', async () => {
  const { id } = (await shell('POST', '/start', { task: 'Write' })).body.timer
  expect((await shell('POST', '/stop')).body).toEqual({ session: null })
  const [entry, ...others] = await list('time_entries')
  expect(others).toEqual([])
  expect(entry).toMatchObject({ $id: id, durationSeconds: 0, deletedAt: expect.any(String) })
})

test('a task is found by its name, and created when none fits', async () => {
  await shell('POST', '/start', { task: 'Write report' })
  for (const task of ['write REPORT', '  Write  report ', 'report', 'Wríte repórt']) {
    const { body } = await shell('POST', '/start', { task })
    expect([task, body.timer.task.name]).toEqual([task, 'Write report'])
  }
  const { body } = await shell('POST', '/start', { task: 'Hiring' })
  expect(body.timer.task.name).toBe('Hiring')
  expect(await list('tasks')).toHaveLength(2)
})

test('a name that fits several tasks is answered with them, those worked on last first', async () => {
  for (const newTask of ['Call Ann', 'Call Bob', 'Call']) {
    await shell('POST', '/start', { newTask })
    server.clock.advance(MINUTE)
  }
  const exact = await shell('POST', '/start', { task: 'call' })
  expect(exact.body.timer.task.name).toBe('Call')
  await shell('POST', '/start', { task: 'Call Ann' })
  server.clock.advance(MINUTE)
  await shell('POST', '/stop')
  const before = await everything()
  const refused = await shell('POST', '/start', { task: 'cal' })
  expect(refused).toMatchObject({ status: 409, body: { type: 'stint_task_ambiguous' } })
  expect(refused.body.choices.map(({ name }: { name: string }) => name)).toEqual([
    'Call Ann',
    'Call',
    'Call Bob',
  ])
  expect(await everything()).toEqual(before)
  const [choice] = refused.body.choices
  expect((await shell('POST', '/start', { taskId: choice.id })).body.timer.task).toEqual(choice)
})

test('a task that is deleted, missing or another person’s is not found', async () => {
  const { task } = (await shell('POST', '/start', { task: 'Write' })).body.timer
  await shell('POST', '/stop')
  const bob = await server.signedInUser()
  const bobs = await server.program(bob)
  await ann.call('PATCH', `${COLLECTIONS}/tasks/documents/${task.id}`, {
    data: { isActive: false },
  })
  for (const [program, taskId] of [
    [shell, 'missing'],
    [shell, task.id],
    [bobs, task.id],
  ] as const) {
    const refused = await program('POST', '/start', { taskId })
    expect(refused).toMatchObject({ status: 404, body: { type: 'stint_task_not_found' } })
  }
})

test('a line is read as in the app', async () => {
  const { body } = await shell('POST', '/start', { line: 'call Ann #acme 10m ago' })
  expect(body.timer).toMatchObject({
    task: { name: 'call Ann' },
    startedAt: '2026-01-15T11:50:00.000Z',
    tags: ['acme'],
  })
})

test('a line or a call names the category, in which a new task is created with its colour', async () => {
  await ann.call('PATCH', '/account/prefs', {
    prefs: { 'category:acme': 'teal', timeZone: 'Europe/Berlin' },
  })
  const fixed = await shell('POST', '/start', { line: 'fix @Acme' })
  expect(fixed.body.timer.task.name).toBe('fix')
  await shell('POST', '/start', { newTask: 'Fix', category: 'Beta' })
  await shell('POST', '/start', { newTask: 'Plan', category: 'ACME' })
  const { body } = await shell('GET', '/tasks?q=@acme')
  const shown = body.tasks.map(
    ({ name, category }: Record<string, string>) => `${name} ${category}`,
  )
  expect(shown.toSorted()).toEqual(['Plan Acme', 'fix Acme'])
  const { documents } = (await ann.call('GET', `${COLLECTIONS}/tasks/documents`)).body
  const colors = documents.map(({ name, color }: Record<string, string>) => `${name} ${color}`)
  expect(colors).toContain('fix bg-teal-500')

  // Of the tasks of one name that of the category, and of a category alone its only task.
  const again = await shell('POST', '/start', { task: 'fix', category: 'acme' })
  expect(again.body.timer.task).toEqual(fixed.body.timer.task)
  expect((await shell('POST', '/start', { line: '@beta' })).body.timer.task.name).toBe('Fix')
  const unclear = await shell('POST', '/start', { line: '@acme' })
  expect(unclear.body.choices.map(({ name }: { name: string }) => name).toSorted()).toEqual([
    'Plan',
    'fix',
  ])

  const found = await shell('GET', `/sessions?filter=${encodeURIComponent('@acme')}`)
  expect(found.body.filter).toEqual(['Category is acme'])
})

test.each([
  [{ newTask: 'Fix', category: '  ' }, 'Invalid `category` param: Enter a category.'],
  [{ taskId: 'x', category: 'Acme' }, 'Send exactly one of `category` and `taskId`.'],
  [{ line: 'fix', category: 'Acme' }, 'Send exactly one of `category` and `line`.'],
])('a start of %j is refused', async (sent, message) => {
  expect(await shell('POST', '/start', sent)).toMatchObject({ status: 400, body: { message } })
})

test('a session that is over is added, and what it overlaps is named', async () => {
  const first = await shell('POST', '/sessions', { line: '9-10:30 Call Ann' })
  expect(first).toMatchObject({
    status: 201,
    body: {
      session: {
        task: { name: 'Call Ann' },
        start: '2026-01-15T08:00:00.000Z',
        end: '2026-01-15T09:30:00.000Z',
        seconds: 5400,
      },
      overlaps: [],
    },
  })
  const times = { start: '10:00', end: '2026-01-15T10:00:00Z' }
  const cvs = { task: 'Hiring', note: 'two #cvs' }
  const second = await shell('POST', '/sessions', { ...cvs, ...times, billable: false })
  expect(second.body).toMatchObject({
    session: { seconds: 3600, note: 'two #cvs', tags: ['cvs'], billable: false },
    overlaps: [first.body.session],
  })
  expect(await list('time_entries')).toMatchObject([
    { entryType: 'manual', durationSeconds: 5400 },
    { entryType: 'manual', durationSeconds: 3600 },
  ])
})

test.each([
  [{ task: 'Write', start: '9:00' }, 'Param "end" is not optional.'],
  [{ task: 'Write', start: '9:00', end: '8:00' }, 'The end must be after the start.'],
  [{ task: 'Write', start: '9:00', end: '18:00' }, 'The time is in the future.'],
  [{ line: 'call Ann' }, 'It must name a start and an end'],
])('%j adds nothing', async (body, message) => {
  const refused = await shell('POST', '/sessions', body)
  expect(refused.status).toBe(400)
  expect(refused.body.message).toContain(message)
  expect(await everything()).toEqual([])
})

test('a start that overlaps saved work names it', async () => {
  const added = await shell('POST', '/sessions', { line: '9-10:30 Call Ann' })
  const { body } = await shell('POST', '/start', { task: 'Write', at: '10:00' })
  expect(body.overlaps).toEqual([added.body.session])
})

test('a call that is repeated with its key is carried out once', async () => {
  const headers = { 'idempotency-key': 'press 1' }
  const first = await shell('POST', '/start', { task: 'Write' }, headers)
  server.clock.advance(MINUTE)
  expect(await shell('POST', '/start', { task: 'Write' }, headers)).toMatchObject({
    status: 201,
    body: first.body,
  })
  const stopped = await shell('POST', '/stop', {}, { 'idempotency-key': 'press 2' })
  expect(await shell('POST', '/stop', {}, { 'idempotency-key': 'press 2' })).toMatchObject({
    status: 200,
    body: stopped.body,
  })
  const both = await Promise.all(
    ['a', 'a', 'b'].map((name) =>
      shell('POST', '/sessions', { line: '9-10 Call' }, { 'idempotency-key': name }),
    ),
  )
  expect(new Set(both.map(({ body }) => body.session.id)).size).toBe(2)
  expect(await list('time_entries')).toHaveLength(3)
})

test('an idempotency key is refused with another call, is one program’s alone, and is kept a day', async () => {
  const headers = { 'idempotency-key': 'press' }
  await shell('POST', '/start', { task: 'Write' }, headers)
  for (const [path, body] of [
    ['/start', { task: 'Read' }],
    ['/stop', { task: 'Write' }],
  ] as const) {
    const refused = await shell('POST', path, body, headers)
    expect(refused).toMatchObject({ status: 422, body: { type: 'stint_idempotency_conflict' } })
  }
  const other = await server.program(ann)
  expect((await other('POST', '/pause', {}, headers)).status).toBe(200)
  await other('POST', '/resume')
  server.clock.advance(24 * 60 * MINUTE)
  const { body } = await shell('POST', '/stop', {}, headers)
  expect(body.session).toMatchObject({ seconds: 86_400 })
})

test('answers that are kept take no more than a bound, however much overlaps', async () => {
  const [now, note] = [server.clock.now(), 'x'.repeat(2000)]
  const times = { startTime: new Date(now - MINUTE).toISOString(), durationSeconds: 60 }
  const endTime = new Date(now).toISOString()
  const documents = Array.from({ length: 300 }, (_, index) => ({
    documentId: `e${index}`,
    data: { taskId: 'x', userId: ann.id, ...times, endTime, note },
  }))
  const path = '/stint/collections/time_entries/documents'
  expect((await ann.call('PUT', path, { documents })).status).toBe(200)
  const start = (name: string) =>
    shell('POST', '/start', { task: 'Write', at: endTime }, { 'idempotency-key': name })
  await shell('POST', '/start', { task: 'Write', at: times.startTime })
  const last = []
  for (let count = 0; count < 20; count++) last.push(await start(`press ${count}`))
  expect(last.at(-1)).toMatchObject({ status: 201 })
  expect(last.at(-1)?.body.overlaps).toHaveLength(100)
  expect((await start('press 19')).body).toEqual(last.at(-1)?.body)
  const { build } = server.db
  const herKeys = build.selectFrom('keys').select('id').where('user_id', '=', ann.id)
  const kept = await server.db.read(
    build.selectFrom('key_answers').select('body').where('key_id', 'in', herKeys),
  )
  expect(kept.length).toBeGreaterThan(0)
  const characters = kept.reduce((sum, { body }) => sum + body.length, 0)
  expect(characters).toBeLessThan(2.5 * 1024 * 1024)
})

test('what a device has stopped and not saved is saved by the next press', async () => {
  const { timer } = (await shell('POST', '/start', { task: 'Write' })).body
  server.clock.advance(10 * MINUTE)
  const data = { isRunning: false, endTime: '2026-01-15T12:10:00.000Z' }
  await ann.call('PATCH', `${COLLECTIONS}/timer_sessions/documents/${timer.id}`, { data })
  expect((await shell('GET', '/now')).body).toMatchObject({ timer: null, todaySeconds: 600 })
  await shell('POST', '/start', { task: 'Read' })
  expect(await list('time_entries')).toMatchObject([{ $id: timer.id, durationSeconds: 600 }])
  expect(await list('timer_sessions')).toHaveLength(1)
})

test('presses of programs and devices at the same moment leave one timer and lose no time', async () => {
  await shell('POST', '/start', { task: 'Write' })
  server.clock.advance(10 * MINUTE)
  const replies = await Promise.all([
    shell('POST', '/start', { task: 'Read' }),
    shell('POST', '/pause'),
    shell('POST', '/start', { task: 'Hiring' }),
    shell('POST', '/toggle'),
  ])
  expect(replies.map(({ status }) => status)).toEqual([201, 200, 201, 200])
  expect(await list('timer_sessions')).toHaveLength(1)
  const entries = await list('time_entries')
  expect(sum(entries)).toBe(600)
})

function sum(entries: readonly { readonly durationSeconds: number }[]): number {
  return entries.reduce((seconds, each) => seconds + each.durationSeconds, 0)
}

async function list(collection: string): Promise<Reply['body'][]> {
  return (await ann.call('GET', `${COLLECTIONS}/${collection}/documents`)).body.documents
}

/** All documents of Ann. */
async function everything(): Promise<Reply['body'][]> {
  return [
    ...(await list('tasks')),
    ...(await list('timer_sessions')),
    ...(await list('time_entries')),
  ]
}
