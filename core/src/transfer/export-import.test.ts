/** What was exported is imported again as it was, in every form of the file. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { tagsOf } from '#record/tags.ts'
import type { Task } from '#record/task.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import { testEntryOfStretches, testTask } from '#test/entries.ts'
import { history, planned } from '#test/plans.ts'
import { LANGUAGES } from '#text.ts'
import { intervalOfDates } from '#time/calendar.ts'
import { dayRuleOf } from '#time/day-rule.ts'
import { instantToWire } from '#time/instant.ts'
import { CSV_DECIMALS, CSV_DURATIONS, CSV_FORM, CSV_SEPARATORS, csvFormOf } from './csv-form.ts'
import type { CsvForm } from './csv-form.ts'
import { exportCsv, exportPeriodCsv } from './entry-export.ts'
import { recogniseImport } from './entry-import.ts'
import { exportedDayTotals } from './export-range.ts'
import { sessionCsv } from './session-csv.ts'
import type { AnsweredSession } from './session-csv.ts'
import { exportJson } from './stint-json.ts'

/** Half hours beside UTC, and clocks that change by one hour or by half of one. */
const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'America/Santiago',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Pacific/Apia',
] as const
const NOW = Date.parse('2026-12-31T12:00:00Z')
const HOUR = 3_600_000
/** How many files of each kind are read, by the size of the tests. */
const RUNS = { numRuns: Number(process.env['FILES'] ?? 30) }

/** Every form of a file, those of the languages among them. */
const FORMS: readonly CsvForm[] = CSV_SEPARATORS.flatMap((separator) =>
  CSV_DECIMALS.flatMap((decimal) =>
    CSV_DURATIONS.map((duration) => ({ separator, decimal, duration })),
  ),
)

test.each(LANGUAGES)('The form of %s is among those that are shown below', (language) => {
  expect(FORMS).toContainEqual(csvFormOf(language))
})

const TASKS = [
  testTask('Write', 1),
  testTask('=Read', 2, { category: '+Research; basic' }),
  testTask('Müller, „Plan“; 2|3', 3, { category: 'Réunions' }),
  testTask('Año\tnuevo', 4, { category: '@hogar' }),
]

/** When clocks change in one of the zones. */
const CHANGES = [
  '2026-03-08T07:00Z',
  '2026-03-29T01:00Z',
  '2026-04-04T15:00Z',
  '2026-04-05T03:00Z',
  '2026-09-06T04:00Z',
  '2026-10-03T15:30Z',
  '2026-10-25T01:00Z',
  '2026-11-01T06:00Z',
].map((text) => Date.parse(text))

const anyStart = fc.oneof(
  fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2026, 10, 1) }),
  fc
    .tuple(fc.constantFrom(...CHANGES), fc.integer({ min: -3 * HOUR, max: 3 * HOUR }))
    .map(([change, distance]) => change + distance),
)

const anyNote = fc.oneof(
  fc.string({ minLength: 1 }),
  fc.stringMatching(/^["',;|=+@＝－\r\n\t #1a-]{1,12}$/),
  fc.constantFrom(
    'call #-Ann, #acme',
    '=1\n"x",;',
    "a;'=1",
    "a,'=1\t'-2",
    'Réunion « été » #équipe',
    'Über „Größe“; 1,5 h #büro',
    '¿Qué? #año-2026',
    `'=SUM(1;2)`,
  ),
)

const anyEntry = fc
  .record({
    start: anyStart,
    stretches: fc.array(fc.integer({ min: 0, max: 5 * HOUR }), { minLength: 1, maxLength: 5 }),
    unplaced: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1, noNaN: true })),
    task: fc.constantFrom(...TASKS),
    note: fc.option(anyNote),
    entryType: fc.constantFrom('timer', 'manual', 'import'),
  })
  .map(({ start, stretches, unplaced, task, note, entryType }): TimeEntry => ({
    ...testEntryOfStretches(start, stretches, unplaced, task.id),
    note,
    entryType,
  }))

test.each(ZONES)('A file of Stint written and read in %s gives the same sessions', (timeZone) => {
  fc.assert(
    fc.property(fc.array(anyEntry, { maxLength: 8 }), (entries) => {
      const input = { entries, tasks: TASKS }
      const dayRule = dayRuleOf(timeZone)
      for (const text of [
        exportJson(input, NOW),
        ...FORMS.map((form) => exportCsv(input, dayRule, form)),
      ]) {
        const plan = planned(text, { timeZone, now: NOW })
        const again = history(plan)
        expect(contentsOf(again.entries, again.tasks)).toEqual(contentsOf(entries, TASKS))
        expect(plan.problems).toEqual([])
        expect(plan.statement).toMatchObject({ differences: [], countedSeconds: plan.totalSeconds })
      }
    }),
    // Each is written in every form.
    { numRuns: Math.ceil(RUNS.numRuns / 6) },
  )
})

/** When clocks go back in a zone, by an hour or by half of one. */
const NIGHTS = [
  ['Europe/Berlin', '2026-10-25T01:00Z'],
  ['America/New_York', '2026-11-01T06:00Z'],
  ['America/Santiago', '2026-04-05T03:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T15:00Z'],
] as const

test.each(NIGHTS)(
  'Sessions of the hour that %s has twice keep their seconds',
  (timeZone, change) => {
    const anyTime = fc
      .integer({ min: -HOUR, max: HOUR })
      .map((distance) => Date.parse(change) + distance)
    const anySession = fc
      .tuple(anyTime, anyTime)
      .map((times) => times.toSorted((a, b) => a - b))
      .map(([start = 0, end = 0]) =>
        testEntryOfStretches(start, [end - start], 0, TASKS[0]?.id ?? ''),
      )
    fc.assert(
      fc.property(fc.array(anySession, { minLength: 1, maxLength: 8 }), (entries) => {
        const input = { entries, tasks: TASKS }
        const worked = entries.filter(({ durationSeconds }) => durationSeconds > 0)
        for (const [text, kept] of [
          [exportJson(input, NOW), entries],
          [exportCsv(input, dayRuleOf(timeZone)), entries],
          [sessionCsv(worked.map(answered), CSV_FORM), worked],
        ] as const) {
          if (kept.length === 0) continue
          const plan = planned(text, { timeZone, now: NOW })
          expect(sorted(plan.changes.map(({ after }) => after))).toEqual(sorted(kept))
          expect([plan.doubledHour.rows, ...plan.problems, ...plan.notices]).toEqual([0])
        }
      }),
      RUNS,
    )
  },
)

test.each(ZONES)('A file as in the report of %s gives the seconds of the report', (timeZone) => {
  const dayRule = dayRuleOf(timeZone, 3)
  const dates = { from: '2026-03-29', to: '2026-10-25' } as const
  const range = intervalOfDates(dates, dayRule)
  fc.assert(
    fc.property(
      fc.array(anyEntry, { maxLength: 8 }),
      fc.constantFrom(...FORMS),
      (entries, form) => {
        const text = exportPeriodCsv({ entries, tasks: TASKS, range }, dayRule, form)
        const plan = planned(text, { timeZone, now: NOW })
        expect(plan.problems).toEqual([])
        expect(plan.statement.differences).toEqual([])
        expect(plan.totalSeconds).toBe(exportedDayTotals(entries, dayRule, dates).seconds)
      },
    ),
    RUNS,
  )
})

test.each(FORMS)('A file for programs gives the same sessions, with %j', (form) => {
  fc.assert(
    fc.property(fc.array(anyEntry, { maxLength: 8 }), (entries) => {
      // What has no second is listed, as in a file of any other program.
      const sessions = entries.filter(({ durationSeconds }) => durationSeconds > 0).map(answered)
      const text = sessionCsv(sessions, form)
      if (sessions.length === 0) return
      expect(recogniseImport(text).format).toBe('stint-command')
      const plan = planned(text, { now: NOW })
      const names = new Map(plan.tasks.map(({ id, name }) => [id, name]))
      expect(plan.problems).toEqual([])
      expect(
        plan.changes.map(({ after }) => ({
          task: names.get(after.taskId),
          start: after.startedAt,
          end: after.endedAt,
          seconds: after.durationSeconds,
          note: after.note,
        })),
      ).toEqual(
        sessions.map(({ task, start, end, seconds, note }) => ({
          task: task.name,
          start: Date.parse(start),
          end: Date.parse(end),
          seconds,
          note,
        })),
      )
    }),
    { numRuns: 20 },
  )
})

/** Returns the times and the work of entries, in any order. */
function sorted(entries: readonly TimeEntry[]): string[] {
  return entries
    .map(({ startedAt, endedAt, durationSeconds }) => `${startedAt} ${endedAt} ${durationSeconds}`)
    .toSorted()
}

/** Returns a session of the API, which stores no blanks around a note. */
function answered(entry: TimeEntry): AnsweredSession {
  const note = entry.note?.trim() || null
  return {
    id: entry.id,
    task: { id: entry.taskId, name: nameOf(entry.taskId, TASKS) },
    start: instantToWire(entry.startedAt),
    end: instantToWire(entry.endedAt),
    seconds: entry.durationSeconds,
    note,
    tags: tagsOf(note),
    billable: entry.billable,
    invoiced: [],
  }
}

function nameOf(taskId: string, tasks: readonly Task[]): string {
  return tasks.find(({ id }) => id === taskId)?.name ?? ''
}

function contentsOf(entries: readonly TimeEntry[], tasks: readonly Task[]) {
  return entries
    .map(({ taskId, startedAt, endedAt, durationSeconds, pauses, note, entryType }) => {
      const task = tasks.find(({ id }) => id === taskId)
      const named = [task?.name, task?.category]
      return JSON.stringify({
        named,
        startedAt,
        endedAt,
        durationSeconds,
        pauses,
        note,
        tags: tagsOf(note),
        entryType,
      })
    })
    .toSorted()
}

test('Tasks of one name in two categories stay two in files of Stint, with their colours in JSON', () => {
  const tasks = [
    testTask('Call', 1, { id: 'a', category: 'Acme', color: 'bg-red-500' }),
    testTask('Call', 2, { id: 'b', category: 'Beta', color: 'bg-teal-500' }),
  ]
  const entries = tasks.map(({ id }, index) =>
    testEntryOfStretches(NOW - (index + 2) * HOUR, [HOUR], 0, id),
  )
  const input = { entries, tasks }
  const csv = exportCsv(input, dayRuleOf('UTC'), CSV_FORM)
  for (const text of [exportJson(input, NOW), csv]) {
    const plan = planned(text, { now: NOW })
    const isJson = recogniseImport(text).format === 'stint-json'
    expect(plan.tasks.map(({ name, category, color }) => [name, category, color])).toEqual([
      ['Call', expect.any(String), isJson ? 'bg-red-500' : 'bg-blue-500'],
      ['Call', expect.any(String), isJson ? 'bg-teal-500' : 'bg-blue-500'],
    ])
    expect(plan.tasks.map(({ category }) => category).toSorted()).toEqual(['Acme', 'Beta'])
    expect(plan.totals.map(({ seconds }) => seconds)).toEqual([3600, 3600])
  }
})
