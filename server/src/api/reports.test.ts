/** What programs are told is what the app shows, to the second. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseFilter } from '@stint/core/record/session-filter.ts'
import { taskFromDocument } from '@stint/core/record/task.ts'
import {
  entryAttributes,
  entryFromDocument,
  entryFromTimer,
} from '@stint/core/record/time-entry.ts'
import { newEntry } from '@stint/core/record/entry-edit.ts'
import { sessionFromDocument } from '@stint/core/record/timer-session.ts'
import { dashboard } from '@stint/core/reports/dashboard.ts'
import { entryList } from '@stint/core/reports/entry-list.ts'
import { explain } from '@stint/core/reports/explanation.ts'
import { findSessions } from '@stint/core/reports/found-sessions.ts'
import { groupBreakdown } from '@stint/core/reports/group-breakdown.ts'
import type { ReportInput } from '@stint/core/reports/report-input.ts'
import { taskBreakdown } from '@stint/core/reports/task-breakdown.ts'
import { settingsFromPrefs } from '@stint/core/settings.ts'
import { addDays, intervalOfDates } from '@stint/core/time/calendar.ts'
import { dayRuleOf } from '@stint/core/time/day-rule.ts'
import { periodDates, periodOf } from '@stint/core/time/period.ts'
import { runsOf } from '@stint/testing/size.ts'
import { serverForEach } from '@stint/testing/server-tests.ts'
import type { Program, Reply, TestUser } from '@stint/testing/test-app.ts'

const COLLECTIONS = '/databases/stint/collections'
/** Two days after the clocks go forward in Berlin. */
const NOW = Date.UTC(2026, 2, 31, 10)
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

const server = serverForEach({ now: NOW })

const tasks = [
  { id: 'write', data: { name: 'Write report', category: 'Research' } },
  { id: 'call', data: { name: 'Call Ann', category: 'Meetings' } },
  { id: 'old', data: { name: 'Old', category: 'Meetings', isActive: false } },
]

const anyEntry = fc
  .record({
    taskId: fc.constantFrom('write', 'call', 'old', 'missing'),
    end: fc.integer({ min: 0, max: 40 * DAY }),
    length: fc.integer({ min: 1, max: 30 * 60 * MINUTE }),
    pause: fc.tuple(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.integer({ min: 0, max: 90 * MINUTE }),
    ),
    note: fc.constantFrom(null, '#acme', 'draft #acme #cvs', 'about Ann'),
    isDeleted: fc.integer({ min: 0, max: 9 }).map((digit) => digit === 0),
  })
  .map(({ taskId, end, length, pause: [where, long], note, isDeleted }) => {
    const endedAt = NOW - end
    const startedAt = endedAt - length
    const start = startedAt + Math.floor(where * length)
    const pauses = { intervals: [{ start, end: start + long }], unplacedSeconds: 0 }
    const deletedAt = isDeleted ? NOW : null
    return { taskId, startedAt, endedAt, pauses, note, deletedAt }
  })

const anySettings = fc.record({
  timeZone: fc.constantFrom('Europe/Berlin', 'America/New_York', 'Asia/Kolkata'),
  dayStartHour: fc.constantFrom(0, 4),
  weekStart: fc.constantFrom(0, 1),
})

const FILTERS = [
  '',
  '#acme',
  'task:write',
  'ann -#acme',
  'before 2027',
  '-last month >1h',
  'category:meetings',
  '-@meetings',
]

test('figures of the API are those of the app, for any history, zone and day rule', async () => {
  let people = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyEntry, { maxLength: 30 }),
      anySettings,
      fc.option(fc.integer({ min: 1, max: 20 * 60 * MINUTE })),
      async (entries, prefs, running) => {
        const ann = await server.signedInUser(`Ann ${++people}`)
        await ann.call('PATCH', '/account/prefs', { prefs })
        const documents = entries.map((entry, index) => ({
          documentId: `e${index}`,
          data: entryAttributes(newEntry({ id: `e${index}`, ...entry }, NOW).after, ann.id),
        }))
        await put(
          ann,
          'tasks',
          tasks.map(({ id, data }) => ({ documentId: id, data: { userId: ann.id, ...data } })),
        )
        if (documents.length > 0) await put(ann, 'time_entries', documents)
        const shell = await server.program(ann)
        if (running !== null) await startAt(shell, NOW - running)
        const input = await inputOfApp(ann)
        expect((await total(shell, {})).seconds).toBe(allSeconds(input))
        await compare(input, shell)
      },
    ),
    { numRuns: runsOf('HISTORIES', 4, 40) },
  )
})

test('a period is any days that the app reads, and without a beginning it begins with the first session', async () => {
  const ann = await server.signedInUser('Ann')
  await ann.call('PATCH', '/account/prefs', { prefs: { timeZone: 'Europe/Berlin', weekStart: 1 } })
  const shell = await server.program(ann)
  for (const day of ['2026-02-09', '2026-03-02']) {
    const line = `${day} 9-10 Write`
    expect(await shell('POST', '/sessions', { line })).toMatchObject({ status: 201 })
  }
  for (const [period, from, to, seconds] of [
    ['last 30 days', '2026-03-02', '2026-03-31', 3600],
    ['since 10 feb', '2026-02-10', '2026-03-31', 3600],
    ['2.-3. März', '2026-03-02', '2026-03-03', 3600],
    ['Q1', '2026-01-01', '2026-03-31', 7200],
    ['last week', '2026-03-23', '2026-03-29', 0],
    ['until 1 mar', '2026-02-09', '2026-03-01', 3600],
    ['before 2026', '2025-12-31', '2025-12-31', 0],
  ] as const) {
    expect(await total(shell, { period, by: 'day' })).toMatchObject({ from, to, seconds })
  }
})

test('ten thousand years are summed up by day as quickly as the days with work', async () => {
  const ann = await server.signedInUser('Ann')
  const shell = await server.program(ann)
  await shell('POST', '/start', { newTask: 'Write', at: '2026-03-30T08:00:00Z' })
  await shell('POST', '/stop', { at: '2026-03-30T09:00:00Z' })
  const days = { from: '0001-01-01', to: '9998-12-31' }
  const { groups } = await total(shell, { ...days, by: 'day', timeZone: 'America/New_York' })
  expect(groups).toEqual([{ key: '2026-03-30', name: '2026-03-30', seconds: 3600 }])
})

async function startAt(shell: Program, startedAt: number): Promise<void> {
  const at = new Date(startedAt).toISOString()
  const { status } = await shell('POST', '/start', { taskId: 'write', at, note: '#acme' })
  expect(status).toBe(201)
}

function allSeconds({ entries, live }: ReportInput): number {
  const saved = entries.filter(({ deletedAt }) => deletedAt === null)
  const seconds = live?.durationSeconds ?? 0
  return saved.reduce((sum, { durationSeconds }) => sum + durationSeconds, seconds)
}

/** Compares what programs are told with what the app computes. */
async function compare(input: ReportInput, shell: Program): Promise<void> {
  const now = (await shell('GET', '/now')).body
  expect(now.todaySeconds).toBe(dashboard(input).todaySeconds)
  expect(now.timer?.seconds ?? null).toBe(input.live?.durationSeconds ?? null)

  for (const [period, view] of [
    ['this week', 'weekly'],
    ['this month', 'monthly'],
    ['this year', 'yearly'],
  ] as const) {
    const shown = periodOf(view, NOW, input.dayRule, input.weekStart)
    const byTask = await total(shell, { period, by: 'task' })
    const breakdown = taskBreakdown(input, shown)
    expect(byTask.seconds).toBe(breakdown.totalSeconds)
    expect(byTask.groups).toEqual(
      breakdown.rows.map(({ taskId: key, name, seconds }) => ({ key, name, seconds })),
    )
    for (const by of ['category', 'tag'] as const) {
      const rows = groupBreakdown(input, shown, by).rows
      expect((await total(shell, { period, by })).groups).toEqual(
        rows.map(({ key, name, seconds }) => ({ key, name, seconds })),
      )
    }
    const { from, to } = periodDates(shown)
    const byDay = await total(shell, { from, to: addDays(to, -1), by: 'day' })
    expect(byDay).toMatchObject({ seconds: breakdown.totalSeconds, from, to: addDays(to, -1) })
    const sums = byDay.groups.map(({ seconds }: { seconds: number }) => seconds)
    expect(sums.reduce((sum: number, each: number) => sum + each, 0)).toBe(byDay.seconds)
    const explanation = explain(input, [intervalOfDates({ from, to }, input.dayRule)])
    const { begun, earlier } = explanation.count
    expect(byDay.sessions).toMatchObject({ begun, earlier })
  }

  for (const text of FILTERS) {
    const filter = parseFilter(text, input)
    const list = entryList(findSessions(filter, input.entries, input.tasks))
    const pages = await everyPage(shell, text)
    expect(pages.ids).toEqual(list.entries.map(({ id }) => id))
    expect(pages.total).toEqual({ count: list.entries.length, seconds: list.seconds })

    const shown = periodOf('monthly', NOW, input.dayRule)
    const running = entryList(findSessions(filter, input.live ? [input.live] : [], input.tasks))
    const ids = new Set([...list.entries, ...running.entries].map(({ id }) => id))
    const { rows } = explain(input, [intervalOfDates(periodDates(shown), input.dayRule)])
    const counted = rows.filter(({ entry }) => ids.has(entry.id))
    const sum = counted.reduce((seconds, row) => seconds + row.countedSeconds, 0)
    expect((await total(shell, { period: 'this month', filter: text })).seconds).toBe(sum)
  }
}

/** Returns the input of the app's reports, from the documents that it loads. */
async function inputOfApp(ann: TestUser): Promise<ReportInput> {
  const { timeZone, dayStartHour, weekStart } = settingsFromPrefs(
    (await ann.call('GET', '/account/prefs')).body,
  )
  const load = async (collection: string) => {
    const queries = JSON.stringify({ method: 'limit', values: [5000] })
    const path = `${COLLECTIONS}/${collection}/documents?queries[]=${encodeURIComponent(queries)}`
    return (await ann.call('GET', path)).body.documents
  }
  const [session] = await load('timer_sessions')
  const state = session && sessionFromDocument(session).state
  return {
    entries: (await load('time_entries'))
      .map(entryFromDocument)
      .toSorted((a: { startedAt: number; id: string }, b: { startedAt: number; id: string }) => {
        return a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1)
      }),
    live: state?.kind === 'active' ? entryFromTimer(state.timer, NOW) : null,
    tasks: (await load('tasks')).map(taskFromDocument),
    dayRule: dayRuleOf(timeZone ?? '', dayStartHour),
    weekStart,
    now: NOW,
  }
}

async function everyPage(shell: Program, filter: string) {
  const ids: string[] = []
  for (let cursor: string | null = null; ;) {
    const query = new URLSearchParams({
      filter,
      limit: '4',
      ...(cursor === null ? {} : { cursor }),
    })
    const { body }: Reply = await shell('GET', `/sessions?${query}`)
    ids.push(...body.sessions.map(({ id }: { id: string }) => id))
    cursor = body.next
    if (cursor === null) return { ids, total: body.total }
  }
}

async function total(shell: Program, query: Record<string, string>): Promise<Reply['body']> {
  const { status, body } = await shell('GET', `/total?${new URLSearchParams(query)}`)
  expect([query, status]).toEqual([query, 200])
  return body
}

async function put(ann: TestUser, collection: string, documents: object[]): Promise<void> {
  const { status, body } = await ann.call('PUT', `/stint/collections/${collection}/documents`, {
    documents,
  })
  expect([status, body.message]).toEqual([200, undefined])
}
