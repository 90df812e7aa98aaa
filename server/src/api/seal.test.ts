/** A timesheet that a program seals is as one that the app seals: the same sheet, hash and marks. */
import { COLLECTIONS } from '@stint/core/collections.ts'
import { logOfEntryDocument } from '@stint/core/log/documents.ts'
import { foldState } from '@stint/core/log/fold.ts'
import { projectionOf } from '@stint/core/log/projection.ts'
import { unbilledCategories } from '@stint/core/record/billable.ts'
import { parseFilter } from '@stint/core/record/session-filter.ts'
import { newTask, taskAttributes, taskFromDocument } from '@stint/core/record/task.ts'
import type { Task } from '@stint/core/record/task.ts'
import { newEntry } from '@stint/core/record/entry-edit.ts'
import { entryAttributes, entryFromDocument } from '@stint/core/record/time-entry.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { findSessions } from '@stint/core/reports/found-sessions.ts'
import { dayRuleOf } from '@stint/core/time/day-rule.ts'
import { ratesOf } from '@stint/core/timesheet/rates.ts'
import { sealChanges, sealDifferences } from '@stint/core/timesheet/seal-sheet.ts'
import { prefsWithSheet, sealedSheets } from '@stint/core/timesheet/sealed-sheets.ts'
import { timesheet } from '@stint/core/timesheet/timesheet.ts'
import { serverForEach } from '@stint/testing/server-tests.ts'
import type { Program, TestUser } from '@stint/testing/test-app.ts'
import { expect, test } from 'vitest'
import { MAX_MARKED } from './seal.ts'
import { sheetHash } from './timesheet.ts'

/** Tuesday 31 March 2026, 12:00 in Berlin, two days after the clocks went forward. */
const NOW = Date.UTC(2026, 2, 31, 10)
const MARCH = { from: '2026-03-01', to: '2026-04-01' } as const
const RULE = { step: 15, direction: 'up', per: 'line' } as const
const DAY_RULE = dayRuleOf('Europe/Berlin')
const PREFS = {
  timeZone: 'Europe/Berlin',
  'rate:category:Development:2026-01-01': '95.50 EUR',
  'notBillable:Admin': true,
}
const SHEET = /^sheet:/

const server = serverForEach({ now: NOW })

const WORK = [
  ['write', '2026-02-28T22:30Z', '2026-02-28T23:30Z', null],
  ['write', '2026-03-26T08:00Z', '2026-03-26T09:07Z', 'Draft #acme'],
  ['call', '2026-03-26T10:00Z', '2026-03-26T10:10Z', null],
  ['write', '2026-03-28T22:00Z', '2026-03-29T01:00Z', null],
] as const

/** Signs somebody in with the same documents as everybody else. */
async function withSessions(name: string) {
  const user = await server.signedInUser(name)
  await user.call('PATCH', '/account/prefs', { prefs: PREFS })
  const tasks = [
    newTask('write', 'Write', NOW),
    { ...newTask('call', 'Call', NOW), category: 'Admin' },
  ]
  await put(user, 'tasks', tasks, (task) => taskAttributes(task, user.id))
  const entries = WORK.map(([taskId, start, end, note], index) => {
    const times = { startedAt: Date.parse(start), endedAt: Date.parse(end) }
    return newEntry({ id: `e${index}`, taskId, note, ...times }, NOW).after
  })
  await put(user, 'time_entries', entries, (entry) => entryAttributes(entry, user.id))
  return { user, program: await server.program(user) }
}

async function put<Item extends { readonly id: string }>(
  user: TestUser,
  collection: string,
  items: readonly Item[],
  attributesOf: (item: Item) => object,
): Promise<void> {
  const documents = items.map((item) => ({ documentId: item.id, data: attributesOf(item) }))
  const { status, body } = await user.call('PUT', `/stint/collections/${collection}/documents`, {
    documents,
  })
  expect([status, body.message]).toEqual([200, undefined])
}

/** Returns what the app reads. */
async function recordOf(user: TestUser): Promise<{
  readonly prefs: Record<string, unknown>
  readonly entries: readonly TimeEntry[]
  readonly tasks: readonly Task[]
}> {
  const list = async (collection: string) =>
    (await user.call('GET', `/databases/stint/collections/${collection}/documents`)).body.documents
  const entries: Parameters<typeof entryFromDocument>[0][] = await list('time_entries')
  const tasks: Parameters<typeof taskFromDocument>[0][] = await list('tasks')
  return {
    prefs: (await user.call('GET', '/account/prefs')).body,
    entries: entries
      .map((each) => entryFromDocument(each))
      .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    tasks: tasks.map((each) => taskFromDocument(each)),
  }
}

/** Returns the sheet of March as the app makes it. */
function sheetOf({ entries, tasks, prefs }: Awaited<ReturnType<typeof recordOf>>) {
  const found = findSessions(parseFilter('', { now: NOW, dayRule: DAY_RULE }), entries, tasks)
  const pricing = { rates: ratesOf(prefs), unbilled: unbilledCategories(prefs) }
  return timesheet(found, MARCH, tasks, { rounding: RULE, pricing, onlyBillable: false })
}

/** Seals March as the app does. */
async function sealInApp(user: TestUser): Promise<void> {
  const record = await recordOf(user)
  const sheet = sheetOf(record)
  const sealed = {
    id: 'k3f9x2',
    sealedOn: '2026-03-31',
    dates: MARCH,
    filter: '',
    rounding: RULE,
    onlyBillable: false,
    seconds: sheet.seconds,
    hash: sheetHash(sheet),
  } as const
  const changes = sealChanges(sheet, sealed, NOW).map(({ after }) => after)
  await put(user, 'time_entries', changes, (entry) => entryAttributes(entry, user.id))
  await user.call('PATCH', '/account/prefs', {
    prefs: { ...record.prefs, ...prefsWithSheet(sealed) },
  })
}

const SEAL = { period: 'march', ...RULE, billable: 'all' }

test('what a program seals is what the app seals: sheet, hash, marks, and no difference to it', async () => {
  const ann = await withSessions('Ann')
  const bob = await withSessions('Bob')
  await sealInApp(bob.user)
  const { status, body } = await ann.program('POST', '/timesheets', SEAL)
  expect([status, body.sessions]).toEqual([201, 4])
  expect(body.explain).toMatch(new RegExp(`/timesheet\\?sheet=${body.sheet.id}$`))

  const [byProgram, byApp] = [await recordOf(ann.user), await recordOf(bob.user)]
  const seals = ({ prefs }: typeof byApp) =>
    Object.entries(prefs).flatMap(([key, value]) => (SHEET.test(key) ? [value] : []))
  expect(seals(byProgram)).toEqual(seals(byApp))
  const marks = ({ entries }: typeof byApp) =>
    entries.map(({ id, invoiced }) => [id, invoiced?.replace(/^[^/]+/, '')])
  expect(marks(byProgram)).toEqual(marks(byApp))
  expect(marks(byProgram)[0]?.[1]).toBe('/20543/write/1//20513:1800')

  // As the sealed sheet is on screen: the hash of its lines now, and no difference.
  const [sealed] = sealedSheets(byProgram.prefs)
  const current = sheetOf(byProgram)
  expect([sealed?.id, sealed?.hash]).toEqual([body.sheet.id, sheetHash(current)])
  const { entries, tasks, prefs } = byProgram
  const unbilled = unbilledCategories(prefs)
  const about = { entries, tasks, dayRule: DAY_RULE, unbilled, current }
  expect(sealed && sealDifferences(sealed, about)).toEqual([])
  expect((await ann.program('GET', '/timesheets')).body.sheets).toEqual([body.sheet])
  expect((await ann.program('GET', '/sessions?filter=-invoiced')).body.total.count).toBe(0)
})

test('a seal of a program is a part of the log of a session, as devices read it', async () => {
  const { user, program } = await withSessions('Ann')
  await program('POST', '/start', { task: 'Write' })
  server.clock.advance(600_000)
  await program('POST', '/stop')
  expect(await program('POST', '/timesheets', { period: 'today' })).toMatchObject({ status: 201 })
  const logged = (await recordOf(user)).entries.find(({ log }) => log !== null)
  if (!logged) throw new Error('A timer has a log')
  const state = foldState(logOfEntryDocument(logged, [], () => undefined))
  const [read] = state ? projectionOf(logged.id, state).entries : []
  expect(logged.invoiced).toMatch(/^[0-9a-f]{20}\/20543\/write\/1\/\/20543:600$/)
  expect(read?.invoiced).toBe(logged.invoiced)
})

test('a call that is repeated seals once, and a sheet that is there is sealed again only if that is said', async () => {
  const { user, program } = await withSessions('Ann')
  const key = { 'idempotency-key': 'march' }
  const first = await program('POST', '/timesheets', SEAL, key)
  expect(await program('POST', '/timesheets', SEAL, key)).toMatchObject({
    status: 201,
    body: first.body,
  })
  expect(await refusalOf(program, SEAL)).toBe(
    'Sessions on it are on a sealed timesheet with these days already: 4. Send `again`, or the filter `-invoiced`.',
  )
  expect(await program('POST', '/timesheets', { ...SEAL, again: true })).toMatchObject({
    status: 201,
    body: { sessions: 4 },
  })
  const { prefs, entries } = await recordOf(user)
  expect(sealedSheets(prefs)).toHaveLength(2)
  expect(entries.map(({ invoiced }) => invoiced?.split(' ').length)).toEqual([2, 2, 2, 2])
})

test('a sealed timesheet is opened with its lines as they are now, and what differs from its seal', async () => {
  const { user, program } = await withSessions('Ann')
  const { sheet } = (await program('POST', '/timesheets', SEAL)).body
  const lines = (await program('GET', '/timesheet?period=march&step=15&direction=up&per=line')).body
  const before = (await program('GET', `/timesheets/${sheet.id}`)).body
  expect(before).toMatchObject({
    sheet,
    isSame: true,
    differences: [],
    seconds: sheet.seconds,
    amounts: lines.amounts,
    lines: lines.lines,
    sha256: sheet.sha256,
  })

  const entry = '/databases/stint/collections/time_entries/documents'
  await user.call('PATCH', `${entry}/e1`, { data: { note: 'Another' } })
  await user.call('PATCH', `${entry}/e2`, { data: { deletedAt: '2026-03-30T00:00:00.000Z' } })
  await program('POST', '/sessions', { line: 'yesterday 9-10 Write' })
  const after = (await program('GET', `/timesheets/${sheet.id}`)).body
  expect([after.isSame, after.sha256 === sheet.sha256, after.sheet]).toEqual([false, false, sheet])
  const task = { id: 'write', name: 'Write' }
  expect(after.differences).toEqual([
    { id: 'e1', task, what: ['note'], sealedSeconds: 4020, seconds: 4020 },
    {
      id: 'e2',
      task: { id: 'call', name: 'Call' },
      what: ['deleted'],
      sealedSeconds: 600,
      seconds: 0,
    },
    { id: expect.any(String), task, what: ['added'], sealedSeconds: 0, seconds: 3600 },
  ])
  expect(await program('GET', '/timesheets/missing')).toMatchObject({
    status: 404,
    body: { type: 'stint_sheet_not_found' },
  })
})

test('a seal is removed with its marks alone, once, and by a key that may write', async () => {
  const { user, program } = await withSessions('Ann')
  const { sheet } = (await program('POST', '/timesheets', { ...SEAL, period: '26 mar' })).body
  const all = (await program('POST', '/timesheets', { ...SEAL, again: true })).body.sheet
  const path = `/timesheets/${all.id}`
  const reader = await server.program(user, 'read')
  expect(await reader('DELETE', path, {})).toMatchObject({ status: 403 })

  const key = { 'idempotency-key': 'once' }
  const removed = { status: 200, body: { sheet: all, sessions: 4 } }
  expect(await program('DELETE', path, {}, key)).toMatchObject(removed)
  expect(await program('DELETE', path, {}, key)).toMatchObject(removed)
  expect(await program('DELETE', path, {})).toMatchObject({ status: 404 })
  const { prefs, entries } = await recordOf(user)
  expect(sealedSheets(prefs).map(({ id }) => id)).toEqual([sheet.id])
  expect(prefs).toMatchObject(PREFS)
  expect(entries.map(({ invoiced }) => invoiced?.split('/')[0] ?? null)).toEqual([
    null,
    sheet.id,
    sheet.id,
    null,
  ])
  // Nobody else's sheet is there for Bob.
  const bob = await withSessions('Bob')
  expect(await bob.program('DELETE', `/timesheets/${sheet.id}`, {})).toMatchObject({ status: 404 })
  expect(await bob.program('GET', `/timesheets/${sheet.id}`)).toMatchObject({ status: 404 })
})

/** Returns the sentence of a refusal, after which nothing is sealed that was not before. */
async function refusalOf(program: Program, body: object): Promise<string> {
  const before = (await program('GET', '/timesheets')).body
  const refused = await program('POST', '/timesheets', body)
  expect(refused.status).toBeGreaterThanOrEqual(400)
  expect((await program('GET', '/timesheets')).body).toEqual(before)
  return refused.body.message
}

test('what cannot be sealed is refused in one sentence, and nothing is marked', async () => {
  const { user, program } = await withSessions('Ann')
  expect(await refusalOf(program, { period: '2024' })).toBe(
    'There is no work on these days to seal.',
  )
  expect(await refusalOf(program, { ...SEAL, filter: '#acme '.repeat(11) })).toBe(
    'The filter of a sealed timesheet has at most 60 characters.',
  )
  expect(await refusalOf(program, { ...SEAL, step: 7 })).toBe(
    'Invalid `step` param: Value must be one of (0, 1, 5, 6, 15, 30).',
  )
  const reader = await server.program(user, 'read')
  expect(await reader('POST', '/timesheets', SEAL)).toMatchObject({
    status: 403,
    body: { type: 'stint_key_forbidden' },
  })

  // Its device has stopped a timer and not saved the session yet.
  await put(user, 'timer_sessions', [{ id: 's1' }], () => ({
    taskId: 'write',
    userId: user.id,
    startTime: '2026-03-31T08:00:00.000Z',
    endTime: '2026-03-31T09:00:00.000Z',
    isRunning: false,
    pauses: null,
  }))
  expect(await refusalOf(program, SEAL)).toBe(
    'A session has changed meanwhile. Send the call again.',
  )
  const { entries, prefs } = await recordOf(user)
  expect(entries.map(({ invoiced }) => invoiced)).toEqual([null, null, null, null])

  const large = { ...prefs, other: 'x'.repeat(65_400) }
  await user.call('PATCH', '/account/prefs', { prefs: large })
  expect(await refusalOf(program, { period: '26 mar' })).toBe(
    'The preferences of this account are full. Remove a sealed timesheet first.',
  )
  const [, sheet] = Object.entries(prefsWithSheet({ ...SOME, id: 'a' }))[0] ?? []
  const full = Array.from({ length: 150 }, (_, index) => [`sheet:a${index}`, sheet] as const)
  await user.call('PATCH', '/account/prefs', { prefs: { ...prefs, ...Object.fromEntries(full) } })
  expect(await refusalOf(program, { period: '26 mar' })).toBe(
    'You can keep 150 sealed timesheets. Remove one first.',
  )
})

const SOME = {
  sealedOn: '2026-02-01',
  dates: { from: '2026-01-01', to: '2026-02-01' },
  filter: '',
  rounding: RULE,
  onlyBillable: false,
  seconds: 3600,
  hash: 'ab'.repeat(32),
} as const

test('more sessions than one call marks, and one without room for a mark, are refused', async () => {
  const { user, program } = await withSessions('Ann')
  const entries = Array.from({ length: MAX_MARKED + 1 }, (_, index) => {
    const startedAt = Date.parse('2026-01-05T08:00Z') + index * 1000
    const times = { startedAt, endedAt: startedAt + 1000 }
    return newEntry({ id: `m${index}`, taskId: 'write', note: null, ...times }, NOW).after
  })
  const attributes = (entry: TimeEntry) => entryAttributes(entry, user.id)
  await put(user, 'time_entries', entries.slice(0, 300), attributes)
  await put(user, 'time_entries', entries.slice(300), attributes)
  expect(await refusalOf(program, { period: 'january' })).toBe(
    'These sessions are too many, or too long, for one call. Name fewer days, or a filter.',
  )
  await user.call('PATCH', '/databases/stint/collections/time_entries/documents/m0', {
    data: { deletedAt: '2026-03-01T00:00:00.000Z' },
  })
  expect(await program('POST', '/timesheets', { period: 'january' })).toMatchObject({
    status: 201,
    body: { sessions: MAX_MARKED },
  })
  await user.call('PATCH', '/databases/stint/collections/time_entries/documents/e1', {
    data: { invoiced: 'x'.repeat(COLLECTIONS.time_entries.invoiced.size) },
  })
  expect(await refusalOf(program, SEAL)).toBe('A session has no room for one more seal.')
})

test('sessions with logs that are too long to write in one call are refused', async () => {
  const { user, program } = await withSessions('Ann')
  const entries = Array.from({ length: 70 }, (_, index) => {
    const startedAt = Date.parse('2026-01-05T08:00Z') + index * 60_000
    const times = { startedAt, endedAt: startedAt + 60_000 }
    return newEntry({ id: `l${index}`, taskId: 'write', note: null, ...times }, NOW).after
  })
  const attributes = (entry: TimeEntry) => ({
    ...entryAttributes(entry, user.id),
    log: 'x'.repeat(60_000),
  })
  for (let first = 0; first < entries.length; first += 10) {
    await put(user, 'time_entries', entries.slice(first, first + 10), attributes)
  }
  expect(await refusalOf(program, { period: 'january' })).toBe(
    'These sessions are too many, or too long, for one call. Name fewer days, or a filter.',
  )
})
