import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { planImport, recogniseImport } from './entry-import.ts'
import { exportCsv } from './entry-export.ts'
import { exportJson } from './stint-json.ts'
import { NEW_ENTRY } from '#record/time-entry.ts'
import type { Task } from '#record/task.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import { periodBars } from '#reports/period-bars.ts'
import { quickStats } from '#reports/quick-stats.ts'
import { taskBreakdown } from '#reports/task-breakdown.ts'
import { testEntry, testEntryOfStretches, testTask } from '#test/entries.ts'
import { history, NOW, planned, problems, taken, ZONE } from '#test/plans.ts'
import { dayRuleOf } from '#time/day-rule.ts'
import { periodContaining } from '#time/period.ts'

const HOUR = 3_600_000

const SAMPLE = {
  entries: [testEntry({ start: '2026-03-09T08:00Z', end: '2026-03-09T09:00Z' })],
  tasks: [testTask('Write')],
}

function attributes(entries: readonly TimeEntry[]) {
  return entries
    .filter((entry) => entry.deletedAt === null)
    .map(({ startedAt, endedAt, durationSeconds, note, entryType }) =>
      JSON.stringify({ startedAt, endedAt, durationSeconds, note, entryType }),
    )
    .toSorted()
}

function figures(entries: readonly TimeEntry[], tasks: readonly Task[]) {
  const input = { entries, live: null, tasks, dayRule: dayRuleOf('America/Santiago'), now: NOW }
  const periods = (['2026-03-09', '2026-04-05', '2026-09-06'] as const).map((date) =>
    periodContaining('monthly', date),
  )
  return [
    quickStats(input),
    ...periods.map((period) => periodBars(input, period)),
    ...periods.map((period) =>
      taskBreakdown(input, period).rows.map(({ seconds, percent }) => ({ seconds, percent })),
    ),
  ]
}

test('A task of Stint’s own file is found by its id after it was renamed', () => {
  const renamed = [testTask('Draft', 0, { id: 'write' })]
  const plan = planned(exportJson(SAMPLE, NOW), { existing: { ...SAMPLE, tasks: renamed } })
  expect(plan).toMatchObject({ tasks: [], changes: [], duplicates: 1 })
})

test('Stint’s own files of another version are read with the fields that they have', () => {
  const times = { startTime: '2026-03-09T08:00:00Z', endTime: '2026-03-09T09:00:00Z' }
  const json = JSON.stringify({
    format: 'stint',
    version: 1,
    later: true,
    tasks: [{ id: 'a', name: 'A', later: 1 }],
    entries: [{ taskId: 'a', ...times, later: [] }],
  })
  const { taskId: _, ...content } = { ...NEW_ENTRY, entryType: 'import', durationSeconds: 3600 }
  for (const text of [
    json,
    'Later,Date,Task,Category,Start,End,Duration,Seconds,Pauses,Note,Type\n' +
      'x,2026-03-09,A,,2026-03-09 08:00:00Z,2026-03-09 09:00:00Z,,,,,\n',
  ]) {
    const [change] = planned(text).changes
    expect(change?.after).toMatchObject({
      ...content,
      startedAt: Date.parse(times.startTime),
      endedAt: Date.parse(times.endTime),
    })
  }
})

test('The valid rows of Stint’s own files are read beside broken ones', () => {
  const json = JSON.stringify({
    format: 'stint',
    version: 1,
    tasks: [{ id: 'a', name: 'A', goalHours: -1 }, { id: 'b' }, 7],
    entries: [
      { taskId: 'a', startTime: '2026-03-09T08:00:00Z', endTime: '2026-03-09T09:00:00Z' },
      {
        taskId: 'b',
        startTime: '2026-03-09T08:00:00Z',
        endTime: '2026-03-09T09:00:00Z',
        durationSeconds: 60,
      },
      { taskId: 'a', startTime: 'x', endTime: '2026-03-09T09:00:00Z' },
      { taskId: 'a', startTime: '2026-03-09T08:00:00Z' },
      { taskId: 'a', startTime: '2026-03-09T08:00:00Z', endTime: '2026-03-09T07:00:00Z' },
      {
        taskId: 'a',
        startTime: '2026-03-09T08:00:00Z',
        endTime: '2026-03-09T09:00:00Z',
        durationSeconds: 0.5,
      },
      {
        taskId: 'a',
        startTime: '2026-03-09T08:00:00Z',
        endTime: '2026-03-09T09:00:00Z',
        durationSeconds: 1e9,
      },
      {
        taskId: 'a',
        startTime: '2026-03-09T08:00:00Z',
        endTime: '2026-03-09T09:00:00Z',
        pauses: [1],
      },
      null,
    ],
  })
  const plan = planned(json)
  expect(taken(plan)).toEqual([
    'A: 2026-03-09 09:00:00 – 2026-03-09 10:00:00',
    'Unknown task: 2026-03-09 09:00:00 – 2026-03-09 10:00:00',
  ])
  expect(plan.totalSeconds).toBe(3660)
  expect(problems(plan)).toEqual([
    '3: Has no start.',
    '4: Has no end.',
    '5: Ends before it starts.',
    '6: Its duration isn’t a whole number of seconds.',
    '7: Lasts longer than a year.',
    '8: Its pauses cannot be read.',
    '9: Not a session.',
  ])
})

test.each([
  ['{"format":"stint","version":1,"tasks":[', 'This JSON file is cut off or damaged.'],
  [
    '{"format":"stint","version":2,"tasks":[],"entries":[]}',
    'The file was written by a newer version of Stint.',
  ],
  [
    '{"format":"stint","version":1,"tasks":[]}',
    'The file has no list of tasks or none of sessions.',
  ],
])('Stint’s own files that cannot be read at all are refused: %s', (text, why) => {
  expect(problems(planned(text))).toEqual([`1: ${why}`])
})

test('Rows that were added to Stint’s own files by hand are read', () => {
  const csv = exportCsv(SAMPLE, dayRuleOf(ZONE))
  const added = ',Read,,2026-03-09 11:00,2026-03-09 12:30,,,2026-03-09 11:10/2026-03-09 11:20,,'
  const half = '2026-03-09,Read,,2026-03-09 13:00'
  const plan = planned(`${csv}${added}\r\n${half}\r\n`)
  expect(plan.totals).toMatchObject([{ name: 'Read', seconds: 4800 }, { name: 'Write' }])
  expect(plan.changes[1]?.after).toMatchObject({ entryType: 'import', note: null })
  const columns = csv.slice(0, csv.indexOf('\r\n')).split(',').length
  expect(problems(plan)).toEqual([`4: Has 4 columns instead of ${columns}.`])
})

const anyEntry = fc
  .record({
    start: fc.integer({ min: Date.parse('2026-02-20Z'), max: Date.parse('2026-11-10Z') }),
    stretches: fc.array(fc.integer({ min: 0, max: 9 * HOUR }), { minLength: 1, maxLength: 5 }),
    unplaced: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1, noNaN: true })),
    taskId: fc.constantFrom('write', '=read', 'gone'),
    note: fc.option(
      fc.oneof(
        fc.string({ minLength: 1 }),
        fc.stringMatching(/^["',;=@＝－\r\n\t 1-]{1,9}$/),
        fc.constant('=1\n"x",;'),
        fc.constant('call #-Ann, #acme'),
      ),
    ),
    entryType: fc.constantFrom('timer', 'manual', 'import'),
    deletedAt: fc.option(fc.constant(NOW), { freq: 5 }),
    wrongSeconds: fc.option(fc.integer({ min: 0, max: 99_999 }), { freq: 5 }),
  })
  .map(({ start, stretches, unplaced, taskId, wrongSeconds, ...fields }): TimeEntry => {
    const entry = { ...testEntryOfStretches(start, stretches, unplaced, taskId), ...fields }
    return wrongSeconds === null ? entry : { ...entry, durationSeconds: wrongSeconds }
  })
const tasks = [testTask('Write', 2), testTask('=Read', 1, { isActive: false, goalHours: 0.5 })]

test.each(['json', 'csv'])('Stint’s own files give the same figures again: %s', (kind) => {
  fc.assert(
    fc.property(fc.array(anyEntry, { maxLength: 20 }), (entries) => {
      const input = { entries, tasks }
      const text =
        kind === 'json' ? exportJson(input, NOW) : exportCsv(input, dayRuleOf('Asia/Kolkata'))
      const plan = planned(text, { timeZone: 'Europe/Berlin' })
      expect(plan).toMatchObject({ problems: [], duplicates: 0, notices: [] })
      const after = history(plan)
      expect(attributes(after.entries)).toEqual(attributes(entries))
      expect(figures(after.entries, after.tasks)).toEqual(figures(entries, tasks))
      expect(planned(text, { existing: after }).changes).toEqual([])
      expect(planned(text, { existing: input }).changes).toEqual([])
    }),
  )
})

test('Stint’s own files keep all fields of a task', () => {
  const { tasks: made } = planned(exportJson({ entries: [], tasks }, NOW))
  expect(made).toMatchObject([
    { name: '=Read', isActive: false, category: 'Development', goalHours: 0.5 },
    { name: 'Write', isActive: true, goalHours: 8, color: 'bg-blue-500' },
  ])
})

test('Stint’s own files are planned in steps', () => {
  const entries = Array.from({ length: 5000 }, (_, index) =>
    testEntry({ start: index * HOUR, end: index * HOUR + 60_000 }),
  )
  for (const text of [
    exportJson({ entries, tasks }, NOW),
    exportCsv({ entries, tasks }, dayRuleOf(ZONE)),
  ]) {
    const planning = planImport(text, {
      format: recogniseImport(text).format,
      timeZone: ZONE,
      existing: { tasks: [], entries: [] },
      newId: () => 'same',
      now: NOW,
    })
    const progress = [...planning]
    expect(progress.length).toBeGreaterThan(1)
    expect(progress).toEqual(progress.toSorted((a, b) => a - b))
    expect(progress.every((share) => share >= 0 && share <= 1)).toBe(true)
  }
})
