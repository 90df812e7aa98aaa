import { dayRuleOf } from '#time/day-rule.ts'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, intervalOfDates } from '#time/calendar.ts'
import { readCsv } from '#csv.ts'
import { CSV_FORM, csvDuration, csvFormOf } from './csv-form.ts'
import { exportCsv, exportDaysCsv, exportIcs, exportPeriodCsv } from './entry-export.ts'
import { exportJson } from './stint-json.ts'
import { exportedDayTotals } from './export-range.ts'
import { PERIOD_VIEWS, periodContaining, periodDates } from '#time/period.ts'
import { periodBars } from '#reports/period-bars.ts'
import { testEntry, testEntryOfStretches, testTask } from '#test/entries.ts'

const ZONE = 'Europe/Berlin'
const NOW = Date.parse('2026-03-20T12:00:00Z')
const TASKS = [testTask('Write'), testTask('Read', 0, { isActive: false, category: 'Research' })]

const plain = testEntry({ id: 'a', start: '2026-03-09T08:00Z', end: '2026-03-09T09:05:09Z' })
const paused = {
  ...testEntry({
    id: 'b',
    taskId: 'read',
    start: '2026-03-28T22:00:00.250Z',
    end: '2026-03-29T02:00Z',
    pauses: [
      ['2026-03-28T23:00Z', '2026-03-28T23:30Z'],
      ['2026-03-29T00:30Z', '2026-03-29T01:30:00.500Z'],
    ],
  }),
  note: '=SUM(1), "quoted" #Acme\nsecond line #q3',
  entryType: 'manual',
}
const deleted = testEntry({ start: '2026-03-09T10:00Z', end: '2026-03-09T11:00Z', deletedAt: NOW })
const lost = testEntry({
  id: 'c',
  taskId: 'gone',
  start: '2026-04-01T00:00Z',
  end: '2026-04-02T01:00Z',
})
const INPUT = { entries: [lost, paused, deleted, plain], tasks: TASKS }

/** Returns the lines of the file, with folded lines joined. */
function unfolded(ics: string): string[] {
  return ics.replaceAll('\r\n ', '').split('\r\n')
}

test('CSV has one line per entry, oldest first, with local times and their offset', () => {
  expect(readCsv(exportCsv(INPUT, dayRuleOf(ZONE))).rows).toEqual([
    'Date Task Category Start End Duration Seconds Pauses Tags Note Type Billable Day'.split(' '),
    [
      '2026-03-09',
      'Write',
      'Development',
      '2026-03-09 09:00:00+01:00',
      '2026-03-09 10:05:09+01:00',
      '1:05:09',
      '3909',
      '',
      '',
      '',
      'timer',
      '',
      '2026-03-09',
    ],
    [
      '2026-03-28',
      'Read',
      'Research',
      '2026-03-28 23:00:00.250+01:00',
      '2026-03-29 04:00:00+02:00',
      '2:29:59',
      '8999',
      [
        '2026-03-29 00:00:00+01:00/2026-03-29 00:30:00+01:00',
        '2026-03-29 01:30:00+01:00/2026-03-29 03:30:00.500+02:00',
      ].join('; '),
      'Acme, q3',
      `'=SUM(1), "quoted" #Acme\nsecond line #q3`,
      'manual',
      '',
      '2026-03-28',
    ],
    [
      '2026-04-01',
      'Unknown task',
      '',
      '2026-04-01 02:00:00+02:00',
      '2026-04-02 03:00:00+02:00',
      '25:00:00',
      '90000',
      '',
      '',
      '',
      'timer',
      '',
      '2026-04-01',
    ],
  ])
})

test.each([
  ['en', 'clock', 'Duration,Seconds', '1:05:09,3909'],
  ['en', 'hours', 'Duration,Seconds', '1.0858,3909'],
  ['de', 'hours', 'Duration;Seconds', '1,0858;3909'],
  ['fr', 'clock', 'Duration;Seconds', '1:05:09;3909'],
  ['es', 'seconds', 'Duration;Seconds', '3909;3909'],
] as const)(
  'CSV in %s with durations as %s is what its spreadsheet reads',
  (language, duration, heading, text) => {
    const form = { ...csvFormOf(language), duration }
    for (const csv of [
      exportCsv({ ...INPUT, entries: [plain] }, dayRuleOf(ZONE), form),
      exportDaysCsv({ ...INPUT, entries: [plain] }, dayRuleOf(ZONE), form),
    ]) {
      const [headings = '', row = ''] = csv.split('\r\n')
      expect(headings).toContain(heading)
      expect(row).toContain(text)
    }
  },
)

test('CSV quotes a number with the separator as its decimal sign', () => {
  const form = { separator: 'comma', decimal: 'comma', duration: 'hours' } as const
  expect(exportCsv({ ...INPUT, entries: [plain] }, dayRuleOf(ZONE), form)).toContain(
    '"1,0858",3909',
  )
})

test('Hours with decimals are exact to the second', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 366 * 86_400 }), (seconds) => {
      const hours = csvDuration(seconds, { ...CSV_FORM, duration: 'hours' })
      expect(Math.round(Number(hours) * 3600)).toBe(seconds)
    }),
  )
})

test('CSV as in the report has the work within the range, and says where sessions were cut', () => {
  const range = intervalOfDates({ from: '2026-03-29', to: '2026-04-02' }, dayRuleOf(ZONE))
  const { rows } = readCsv(exportPeriodCsv({ ...INPUT, range }, dayRuleOf(ZONE)))
  const column = (name: string) => rows[0]?.indexOf(name) ?? -1
  const of = ['Start', 'End', 'Seconds', 'Pauses', 'Cut'].map(column)
  expect(rows.slice(1).map((row) => of.map((index) => row[index]))).toEqual([
    [
      '2026-03-29 00:00:00+01:00',
      '2026-03-29 04:00:00+02:00',
      '5400',
      [
        '2026-03-29 00:00:00+01:00/2026-03-29 00:30:00+01:00',
        '2026-03-29 01:30:00+01:00/2026-03-29 03:30:00.500+02:00',
      ].join('; '),
      'start',
    ],
    ['2026-04-01 02:00:00+02:00', '2026-04-02 00:00:00+02:00', '79200', '', 'end'],
  ])
})

test('CSV of a range has the entries that began in it', () => {
  const range = { start: paused.startedAt, end: lost.startedAt }
  const { rows } = readCsv(exportCsv({ ...INPUT, range }, dayRuleOf(ZONE)))
  expect(rows.map((row) => row[0])).toEqual(['Date', '2026-03-28'])
})

test('CSV has the day that the reports count, which may begin after midnight', () => {
  const late = testEntry({ start: '2026-03-10T01:00Z', end: '2026-03-10T02:00Z' })
  const [, row] = readCsv(exportCsv({ ...INPUT, entries: [late] }, dayRuleOf(ZONE, 4))).rows
  expect([row?.[0], row?.[3], row?.at(-1)]).toEqual([
    '2026-03-10',
    '2026-03-10 02:00:00+01:00',
    '2026-03-09',
  ])
})

describe('CSV by day', () => {
  const night = {
    ...testEntry({ start: '2026-03-09T22:30Z', end: '2026-03-09T23:40Z' }),
    note: 'late #night',
  }
  const nothing = testEntry({ start: '2026-03-10T09:00Z', end: '2026-03-10T09:00Z' })

  test('CSV by day has one line per entry and day; an entry counts as a session where it starts', () => {
    const input = { entries: [nothing, night, deleted], tasks: TASKS }
    const start = ['2026-03-09 23:30:00+01:00', '2026-03-10 00:00:00+01:00']
    const end = ['2026-03-10 00:00:00+01:00', '2026-03-10 00:40:00+01:00']
    const empty = '2026-03-10 10:00:00+01:00'
    const task = ['Write', 'Development']
    expect(readCsv(exportDaysCsv(input, dayRuleOf(ZONE))).rows).toEqual([
      'Day Task Category Start End Duration Seconds Sessions Tags Note Type Billable'.split(' '),
      [
        '2026-03-09',
        ...task,
        start[0],
        end[0],
        '0:30:00',
        '1800',
        '1',
        'night',
        'late #night',
        'timer',
        '',
      ],
      [
        '2026-03-10',
        ...task,
        start[1],
        end[1],
        '0:40:00',
        '2400',
        '0',
        'night',
        'late #night',
        'timer',
        '',
      ],
      ['2026-03-10', ...task, empty, empty, '0:00:00', '0', '1', '', '', 'timer', ''],
    ])
  })

  test('CSV by day of a range has the work within it', () => {
    const range = intervalOfDates({ from: '2026-03-10', to: '2026-03-11' }, dayRuleOf(ZONE))
    const { rows } = readCsv(
      exportDaysCsv({ entries: [night], tasks: TASKS, range }, dayRuleOf(ZONE)),
    )
    expect(rows.slice(1).map((row) => [row[0], row[6]])).toEqual([['2026-03-10', '2400']])
  })

  test('The lines of the CSV by day sum to the bars and the sessions of the reports, in every zone', () => {
    const anyEntry = fc
      .tuple(
        fc.integer({ min: Date.parse('2026-02-20Z'), max: Date.parse('2026-11-10Z') }),
        fc.array(fc.integer({ min: 0, max: 30 * 3_600_000 }), { minLength: 1, maxLength: 5 }),
        fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1, noNaN: true })),
        fc.constantFrom('write', 'read'),
      )
      .map((parts) => testEntryOfStretches(...parts))
    const anyRule = fc
      .tuple(
        fc.constantFrom('America/New_York', 'Asia/Kolkata', 'America/Santiago', 'Europe/Berlin'),
        fc.integer({ min: 0, max: 6 }),
      )
      .map(([zone, startHour]) => dayRuleOf(zone, startHour))
    fc.assert(
      fc.property(
        fc.array(anyEntry, { maxLength: 20 }),
        anyRule,
        fc.constantFrom(...PERIOD_VIEWS),
        fc.integer({ min: 0, max: 300 }),
        (entries, dayRule, view, day) => {
          const input = { entries, tasks: TASKS }
          const period = periodContaining(view, addDays('2026-01-15', day))
          const report = { ...input, live: null, dayRule, now: NOW }
          const { bars, totalSeconds, count } = periodBars(report, period)
          const dates = periodDates(period)
          const range = intervalOfDates(dates, dayRule)
          const all = pivot(exportDaysCsv(input, dayRule))
          const own = pivot(exportDaysCsv({ ...input, range }, dayRule))
          expect(bars.map((bar) => summed(all, bar).seconds)).toEqual(
            bars.map((bar) => bar.seconds),
          )
          expect(bars.map((bar) => summed(own, bar).seconds)).toEqual(
            bars.map((bar) => bar.inPeriodSeconds),
          )
          expect(summed(own)).toEqual({ seconds: totalSeconds, sessions: count.begun })
          const cut = readCsv(exportPeriodCsv({ ...input, range }, dayRule)).rows
          const cutSeconds = cut
            .slice(1)
            .map((row) => Number(row[cut[0]?.indexOf('Seconds') ?? -1]))
          expect(cutSeconds.reduce((sum, seconds) => sum + seconds, 0)).toBe(totalSeconds)
          expect(cutSeconds).toHaveLength(count.begun + count.earlier)
          expect(exportedDayTotals(entries, dayRule, dates)).toEqual({
            seconds: totalSeconds,
            count,
          })
          // In the CSV by session each entry is whole, on the day of its start.
          const [headings = [], ...starts] = readCsv(exportCsv(input, dayRule)).rows
          const { from, to } = dates
          const days = starts.map((row) => row[headings.indexOf('Day')] ?? '')
          const begun = days.filter((each) => each >= from && each < to)
          expect(begun).toHaveLength(count.begun)
        },
      ),
    )
  })
})

interface DayLine {
  readonly day: string
  readonly seconds: number
  readonly sessions: number
}

/** Returns the sums of the lines by day, as a spreadsheet would calculate them. */
function pivot(csv: string): DayLine[] {
  const [headings = [], ...rows] = readCsv(csv).rows
  const [day, seconds, sessions] = ['Day', 'Seconds', 'Sessions'].map((name) =>
    headings.indexOf(name),
  )
  return rows.map((row) => ({
    day: row[day ?? -1] ?? '',
    seconds: Number(row[seconds ?? -1]),
    sessions: Number(row[sessions ?? -1]),
  }))
}

function summed(lines: readonly DayLine[], dates?: { from: string; to: string }) {
  const within = lines.filter(({ day }) => !dates || (day >= dates.from && day < dates.to))
  return {
    seconds: within.reduce((sum, line) => sum + line.seconds, 0),
    sessions: within.reduce((sum, line) => sum + line.sessions, 0),
  }
}

test('ICalendar has one event per entry, in UTC', () => {
  expect(unfolded(exportIcs({ ...INPUT, entries: [paused, deleted] }))).toEqual([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Stint//Stint//EN',
    'CALSCALE:GREGORIAN',
    'BEGIN:VEVENT',
    'UID:b@stint',
    'DTSTAMP:20260329T020000Z',
    'DTSTART:20260328T220000Z',
    'DTEND:20260329T020000Z',
    'SUMMARY:Read',
    String.raw`DESCRIPTION:=SUM(1)\, "quoted" #Acme\nsecond line #q3\n\nWorked 2h 29m 59s\, paused 1h 30m`,
    'CATEGORIES:Research',
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ])
})

test('ICalendar escapes characters that would end a value, and an event lasts at least a second', () => {
  const name = 'a;b\\c,d\r\nEND:VEVENT\u0007'
  const entry = testEntry({ taskId: 'odd', start: NOW, end: NOW + 999 })
  const lines = unfolded(exportIcs({ entries: [entry], tasks: [testTask(name, 0, { id: 'odd' })] }))
  expect(lines).toContain(String.raw`SUMMARY:a\;b\\c\,d\nEND:VEVENT `)
  expect(lines).toContain('DTSTART:20260320T120000Z')
  expect(lines).toContain('DTEND:20260320T120001Z')
})

test('ICalendar folds lines at 75 octets without dividing a character', () => {
  const note = `${'x'.repeat(70)}${'é'.repeat(70)}${'日本'.repeat(40)}${'👩‍💻'.repeat(30)}`
  const ics = exportIcs({ entries: [{ ...plain, note }], tasks: TASKS })
  const lengths = ics.split('\r\n').map((line) => new TextEncoder().encode(line).length)
  expect(Math.max(...lengths)).toBeLessThanOrEqual(75)
  expect(Math.max(...lengths)).toBeGreaterThan(71)
  expect(unfolded(ics)).toContain(String.raw`DESCRIPTION:${note}\n\nWorked 1h 5m 9s`)
})

test('JSON has every attribute of tasks and entries, deleted ones apart', () => {
  const text = exportJson({ entries: [paused, deleted], tasks: TASKS }, NOW)
  expect(JSON.parse(text)).toEqual({
    format: 'stint',
    version: 1,
    exportedAt: '2026-03-20T12:00:00.000Z',
    sessions: 1,
    changedAt: '2026-03-29T02:00:00.000Z',
    deleted: [expect.objectContaining({ id: deleted.id, deletedAt: '2026-03-20T12:00:00.000Z' })],
    tasks: TASKS.map((task) => ({
      ...task,
      createdAt: '1970-01-01T00:00:00.000Z',
      updatedAt: '1970-01-01T00:00:00.000Z',
    })),
    entries: [
      {
        id: 'b',
        taskId: 'read',
        startTime: '2026-03-28T22:00:00.250Z',
        endTime: '2026-03-29T02:00:00.000Z',
        durationSeconds: 8999,
        pauses: [
          ['2026-03-28T23:00:00.000Z', '2026-03-28T23:30:00.000Z'],
          ['2026-03-29T00:30:00.000Z', '2026-03-29T01:30:00.500Z'],
        ],
        entryType: 'manual',
        sessionId: 'b',
        note: '=SUM(1), "quoted" #Acme\nsecond line #q3',
        billable: null,
        invoiced: null,
        createdAt: '2026-03-29T02:00:00.000Z',
        updatedAt: '2026-03-29T02:00:00.000Z',
      },
    ],
  })
})

test('JSON of a range has no deleted entries, and the settings have a value each', () => {
  const range = { start: 0, end: NOW }
  const prefs = { theme: 'dark', other: 1 }
  const file = JSON.parse(
    exportJson({ entries: [deleted], tasks: [], range, prefs, account: 'ada' }, NOW),
  )
  expect(file).toMatchObject({
    account: 'ada',
    entries: [],
    tasks: [],
    changedAt: expect.any(String),
  })
  expect(file.settings).toMatchObject({ theme: 'dark', other: 1, weekStart: 0 })
  expect(file).not.toHaveProperty('deleted')
})

test('The JSON of an empty history is valid', () => {
  expect(JSON.parse(exportJson({ entries: [], tasks: [] }, NOW))).toMatchObject({
    tasks: [],
    entries: [],
  })
})
