import { array, assert, constantFrom, integer, property, record } from 'fast-check'
import { describe, expect, test } from 'vitest'

import { parseFilter } from '#record/session-filter.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import { explain } from '#reports/explanation.ts'
import type { Prefs } from '#settings.ts'
import { findSessions } from '#reports/found-sessions.ts'
import { testEntry, testTask } from '#test/entries.ts'
import { addDays, intervalOfDates } from '#time/calendar.ts'
import type { CalendarDate, DateRange } from '#time/calendar.ts'
import { dayRuleOf } from '#time/day-rule.ts'
import type { DayRule } from '#time/day-rule.ts'
import { moneyText } from './money.ts'
import { ratesOf } from './rates.ts'
import { prefsWithCategory, unbilledCategories } from '#record/billable.ts'
import {
  NO_ROUNDING,
  ROUNDED_UNITS,
  ROUNDING_DIRECTIONS,
  ROUNDING_STEPS,
  roundSeconds,
  sumOf,
} from './rounding.ts'
import type { Rounding } from './rounding.ts'
import { groupLines, SHEET_GROUPS, timesheet } from './timesheet.ts'
import type { Pricing, SheetLine } from './timesheet.ts'

const BERLIN = dayRuleOf('Europe/Berlin')
const TASKS = [testTask('Write'), testTask('Review'), testTask('Acme site')]
const NOVEMBER = days('2026-11-01', '2026-11-30')

function days(from: CalendarDate, last: CalendarDate): DateRange {
  return { from, to: addDays(last, 1) }
}

interface Wanted {
  readonly dates?: DateRange
  readonly dayRule?: DayRule
  readonly filter?: string
  readonly rounding?: Rounding
  readonly pricing?: Pricing
  readonly onlyBillable?: boolean
}

const NO_PRICES: Pricing = { rates: [], unbilled: new Set() }

function sheetOf(entries: readonly TimeEntry[], wanted: Wanted = {}) {
  const { dates = NOVEMBER, dayRule = BERLIN, filter = '', rounding = NO_ROUNDING } = wanted
  const { pricing = NO_PRICES, onlyBillable = false } = wanted
  const context = { now: Date.parse('2026-11-30T12:00Z'), dayRule }
  const found = findSessions(parseFilter(filter, context), entries, TASKS)
  return timesheet(found, dates, TASKS, { rounding, pricing, onlyBillable })
}

/** Returns '2026-11-03 Write 1:30 (1:25:10)', the exact time only where it differs. */
function written(line: SheetLine): string {
  const [seconds, exact] = [clock(line.seconds), clock(line.exactSeconds)]
  return `${line.date} ${line.taskName} ${seconds}${exact === seconds ? '' : ` (${exact})`}`
}

function clock(seconds: number): string {
  const rest = seconds % 60 === 0 ? '' : `:${two(seconds % 60)}`
  return `${Math.floor(seconds / 3600)}:${two((seconds % 3600) / 60)}${rest}`
}

const MORNING = [
  worked('2026-11-03T09:00+01:00', '2026-11-03T09:50+01:00', 'write', 'Draft'),
  worked('2026-11-03T10:00+01:00', '2026-11-03T10:20+01:00', 'review'),
  worked('2026-11-03T11:00+01:00', '2026-11-03T11:05+01:00', 'write', 'Mail'),
  worked('2026-11-04T09:00+01:00', '2026-11-04T09:50+01:00', 'write', 'Draft'),
]

function worked(start: string, end: string, taskId = 'write', note: string | null = null) {
  return { ...testEntry({ start, end, taskId }), note }
}

describe('Lines by day and task, worked out by hand', () => {
  test.each<[string, Rounding, string[], string]>([
    [
      'exact',
      NO_ROUNDING,
      ['2026-11-03 Write 0:55', '2026-11-03 Review 0:20', '2026-11-04 Write 0:50'],
      '2:05',
    ],
    [
      // 0:50 → 1:00 and 0:05 → 0:15.
      'each session up to 15',
      { step: 15, direction: 'up', per: 'session' },
      [
        '2026-11-03 Write 1:15 (0:55)',
        '2026-11-03 Review 0:30 (0:20)',
        '2026-11-04 Write 1:00 (0:50)',
      ],
      '2:45',
    ],
    [
      // 0:50 → 0:45 and 0:05 → 0:00.
      'each session to the nearest 15',
      { step: 15, direction: 'nearest', per: 'session' },
      [
        '2026-11-03 Write 0:45 (0:55)',
        '2026-11-03 Review 0:15 (0:20)',
        '2026-11-04 Write 0:45 (0:50)',
      ],
      '1:45',
    ],
    [
      'each session down to 6',
      { step: 6, direction: 'down', per: 'session' },
      [
        '2026-11-03 Write 0:48 (0:55)',
        '2026-11-03 Review 0:18 (0:20)',
        '2026-11-04 Write 0:48 (0:50)',
      ],
      '1:54',
    ],
    [
      'each line up to 15',
      { step: 15, direction: 'up', per: 'line' },
      [
        '2026-11-03 Write 1:00 (0:55)',
        '2026-11-03 Review 0:30 (0:20)',
        '2026-11-04 Write 1:00 (0:50)',
      ],
      '2:30',
    ],
    [
      'each line to the nearest 6',
      { step: 6, direction: 'nearest', per: 'line' },
      [
        '2026-11-03 Write 0:54 (0:55)',
        '2026-11-03 Review 0:18 (0:20)',
        '2026-11-04 Write 0:48 (0:50)',
      ],
      '2:00',
    ],
    [
      'each line down to 30',
      { step: 30, direction: 'down', per: 'line' },
      [
        '2026-11-03 Write 0:30 (0:55)',
        '2026-11-03 Review 0:00 (0:20)',
        '2026-11-04 Write 0:30 (0:50)',
      ],
      '1:00',
    ],
    [
      // 2:05 → 2:15, nine steps. Seven are in 0:45 + 0:15 + 0:45; of the two that are left, the remainder 0:10 gets
      // one, and the earlier of the two remainders 0:05 the other.
      'the total up to 15',
      { step: 15, direction: 'up', per: 'total' },
      [
        '2026-11-03 Write 1:00 (0:55)',
        '2026-11-03 Review 0:30 (0:20)',
        '2026-11-04 Write 0:45 (0:50)',
      ],
      '2:15',
    ],
    [
      // 2:05 → 2:00: 0:30 + 0:00 + 0:30, and two steps for the remainders 0:25 and 0:20 of the first two.
      'the total to the nearest 30',
      { step: 30, direction: 'nearest', per: 'total' },
      [
        '2026-11-03 Write 1:00 (0:55)',
        '2026-11-03 Review 0:30 (0:20)',
        '2026-11-04 Write 0:30 (0:50)',
      ],
      '2:00',
    ],
    [
      'the total down to 5',
      { step: 5, direction: 'down', per: 'total' },
      ['2026-11-03 Write 0:55', '2026-11-03 Review 0:20', '2026-11-04 Write 0:50'],
      '2:05',
    ],
  ])('%s', (_, rounding, lines, total) => {
    const sheet = sheetOf(MORNING, { rounding })
    expect(sheet.lines.map(written)).toEqual(lines)
    expect(clock(sheet.seconds)).toBe(total)
    expect(clock(sheet.exactSeconds)).toBe('2:05')
  })
})

describe('Midnight, the edges of the range, and clocks', () => {
  const SANTIAGO = dayRuleOf('America/Santiago')
  test.each<[string, TimeEntry, Wanted, string[]]>([
    [
      'A session over midnight belongs to each day by its seconds',
      worked('2026-11-03T23:10+01:00', '2026-11-04T00:40+01:00'),
      {},
      ['2026-11-03 Write 0:50', '2026-11-04 Write 0:40'],
    ],
    [
      // 1:30 stays 1:30: 0:45 + 0:30, and the step that is left goes to the larger remainder, 0:10.
      'It is rounded as one session',
      worked('2026-11-03T23:10+01:00', '2026-11-04T00:40+01:00'),
      { rounding: { step: 15, direction: 'up', per: 'session' } },
      ['2026-11-03 Write 0:45 (0:50)', '2026-11-04 Write 0:45 (0:40)'],
    ],
    [
      'Four minutes over midnight are one step, not two',
      worked('2026-11-03T23:57+01:00', '2026-11-04T00:01+01:00'),
      { rounding: { step: 15, direction: 'up', per: 'session' } },
      ['2026-11-03 Write 0:15 (0:03)', '2026-11-04 Write 0:00 (0:01)'],
    ],
    [
      'Work before the range is cut off',
      worked('2026-10-31T23:00+01:00', '2026-11-01T02:30+01:00'),
      {},
      ['2026-11-01 Write 2:30'],
    ],
    [
      'Work after the range is cut off',
      worked('2026-11-30T22:00+01:00', '2026-12-01T01:00+01:00'),
      {},
      ['2026-11-30 Write 2:00'],
    ],
    [
      'Only what is in the range is rounded',
      worked('2026-11-30T23:10+01:00', '2026-12-01T01:00+01:00'),
      { rounding: { step: 30, direction: 'up', per: 'session' } },
      ['2026-11-30 Write 1:00 (0:50)'],
    ],
    [
      'Elsewhere it is another day',
      worked('2026-11-03T23:10+01:00', '2026-11-04T00:40+01:00'),
      { dayRule: dayRuleOf('Asia/Tokyo') },
      ['2026-11-04 Write 1:30'],
    ],
    [
      'A day that begins at 4 has the night before',
      worked('2026-11-03T23:10+01:00', '2026-11-04T05:00+01:00'),
      { dayRule: dayRuleOf('Europe/Berlin', 4) },
      ['2026-11-03 Write 4:50', '2026-11-04 Write 1:00'],
    ],
    [
      'The day on which clocks go back has 25 hours',
      worked('2026-10-25T00:00+02:00', '2026-10-26T00:00+01:00'),
      { dates: days('2026-10-25', '2026-10-25') },
      ['2026-10-25 Write 25:00'],
    ],
    [
      'The hour that clocks skip is not worked',
      worked('2026-03-29T01:00+01:00', '2026-03-29T04:00+02:00'),
      { dates: days('2026-03-29', '2026-03-29') },
      ['2026-03-29 Write 2:00'],
    ],
    [
      'Where clocks skip midnight, the day begins at 1',
      worked('2026-09-05T23:00-04:00', '2026-09-06T02:00-03:00'),
      { dayRule: SANTIAGO, dates: days('2026-09-05', '2026-09-06') },
      ['2026-09-05 Write 1:00', '2026-09-06 Write 1:00'],
    ],
    [
      'A pause is no work',
      testEntry({
        start: '2026-11-03T09:00+01:00',
        end: '2026-11-03T12:00+01:00',
        pauses: [['2026-11-03T10:00+01:00', '2026-11-03T10:35+01:00']],
      }),
      { rounding: { step: 30, direction: 'nearest', per: 'line' } },
      ['2026-11-03 Write 2:30 (2:25)'],
    ],
    [
      'A deleted session is on no sheet',
      { ...worked('2026-11-03T09:00+01:00', '2026-11-03T10:00+01:00'), deletedAt: 1 },
      {},
      [],
    ],
    [
      'A session of an unknown task has a line',
      worked('2026-11-03T09:00+01:00', '2026-11-03T10:00+01:00', 'gone'),
      {},
      ['2026-11-03 Unknown task 1:00'],
    ],
  ])('%s', (_, entry, wanted, lines) => {
    expect(sheetOf([entry], wanted).lines.map(written)).toEqual(lines)
  })
})

test('A line has each note of its sessions once, and the sessions', () => {
  const twice = worked('2026-11-03T12:00+01:00', '2026-11-03T12:30+01:00', 'write', ' Draft ')
  const [line] = sheetOf([...MORNING, twice]).lines
  expect(line?.notes).toEqual(['Draft', 'Mail'])
  expect(line?.pieces.map(({ exactSeconds }) => clock(exactSeconds))).toEqual([
    '0:50',
    '0:05',
    '0:30',
  ])
})

test.each([
  ['task:review', ['2026-11-03 Review 0:20']],
  ['draft -4 nov', ['2026-11-03 Write 0:50']],
  ['nothing', []],
])('A sheet has the sessions that its filter finds: %s', (filter, lines) => {
  expect(sheetOf(MORNING, { filter }).lines.map(written)).toEqual(lines)
})

test('Lines are under their day, or under their task by name, with sums', () => {
  const { lines } = sheetOf([
    ...MORNING,
    worked('2026-11-04T12:00Z', '2026-11-04T13:00Z', 'acme site'),
  ])
  const sums = (by: 'day' | 'task') =>
    groupLines(lines, by).map(({ key, seconds }) => `${key} ${clock(seconds)}`)
  expect(sums('day')).toEqual(['2026-11-03 1:15', '2026-11-04 1:50'])
  expect(sums('task')).toEqual(['acme site 1:00', 'review 0:20', 'write 1:45'])
})

/** Returns 'Write 1:00 95.00 EUR' for each line. */
function amounts(lines: readonly SheetLine[]): string[] {
  return lines.map(({ taskName, seconds, amount }) => {
    return `${taskName} ${clock(seconds)} ${amount ? moneyText(amount) : '-'}`
  })
}

describe('Amounts', () => {
  const ACME = testTask('Write', 0, { category: 'Acme' })
  const PREFS = {
    'rate:category:Acme:0001-01-01': '95 EUR',
    'rate:category:Acme:2026-11-04': '100 EUR',
    'rate:task:review:2026-01-01': '80 USD',
  }
  const UP: Rounding = { step: 15, direction: 'up', per: 'line' }
  const unbilled = { ...worked('2026-11-03T14:00Z', '2026-11-03T14:20Z'), billable: false }
  const tasks = [ACME, testTask('Review', 0, { category: 'Admin' }), testTask('Acme site')]

  function priced(entries: readonly TimeEntry[], prefs: Prefs, onlyBillable = false) {
    const context = { now: 0, dayRule: BERLIN }
    const found = findSessions(parseFilter('', context), entries, tasks)
    const pricing = { rates: ratesOf(prefs), unbilled: unbilledCategories(prefs) }
    return timesheet(found, NOVEMBER, tasks, { rounding: UP, pricing, onlyBillable })
  }

  test('are those of the rounded lines at the rate of their day, and sum by currency', () => {
    const sheet = priced([...MORNING, unbilled], PREFS)
    expect(amounts(sheet.lines)).toEqual([
      'Write 1:00 95.00 EUR',
      'Review 0:30 40.00 USD',
      'Write 0:30 -',
      'Write 1:00 100.00 EUR',
    ])
    expect(sheet.amounts.map(moneyText)).toEqual(['195.00 EUR', '40.00 USD'])
    const byTask = groupLines(sheet.lines, 'task').map((group) => group.amounts.map(moneyText))
    expect(byTask).toEqual([['40.00 USD'], ['195.00 EUR']])
  })

  test('are not there without a rate', () => {
    expect(amounts(priced(MORNING, {}).lines)).toEqual([
      'Write 1:00 -',
      'Review 0:30 -',
      'Write 1:00 -',
    ])
  })

  test('Work that is not billable can be left out, before anything is rounded', () => {
    expect(amounts(priced([...MORNING, unbilled], PREFS, true).lines)).toEqual([
      'Write 1:00 95.00 EUR',
      'Review 0:30 40.00 USD',
      'Write 1:00 100.00 EUR',
    ])
  })

  test('A session is billable as its category is, unless it says so itself', () => {
    const prefs = { ...PREFS, ...prefsWithCategory('Acme', false) }
    const billed = MORNING.map((entry, index) => ({
      ...entry,
      billable: index === 0 ? true : null,
    }))
    expect(amounts(priced(billed, prefs).lines)).toEqual([
      'Write 1:00 95.00 EUR',
      'Review 0:30 40.00 USD',
      'Write 0:15 -',
      'Write 1:00 -',
    ])
  })
})

describe('Whatever was worked, under every rule', () => {
  const anyEntry = record({
    start: integer({ min: Date.parse('2026-10-28T00:00Z'), max: Date.parse('2026-12-02T00:00Z') }),
    length: integer({ min: 0, max: 40 * 3_600_000 }),
    taskId: constantFrom('write', 'review', 'gone'),
  }).map(({ start, length, taskId }) => testEntry({ start, end: start + length, taskId }))
  const anyRounding = record<Rounding>({
    step: constantFrom(...ROUNDING_STEPS),
    direction: constantFrom(...ROUNDING_DIRECTIONS),
    per: constantFrom(...ROUNDED_UNITS),
  })
  const anyEntries = array(anyEntry, { maxLength: 25 })

  test('Lines sum to their groups and to the total, and exact lines to the report of these days', () => {
    assert(
      property(anyEntries, anyRounding, constantFrom(...SHEET_GROUPS), (entries, rounding, by) => {
        const sheet = sheetOf(entries, { rounding })
        expect(sumOf(sheet.lines.map((line) => line.seconds))).toBe(sheet.seconds)
        const groups = groupLines(sheet.lines, by)
        expect(groups.flatMap(({ lines }) => lines).length).toBe(sheet.lines.length)
        expect(sumOf(groups.map((group) => group.seconds))).toBe(sheet.seconds)
        for (const { lines, seconds } of groups)
          expect(sumOf(lines.map((line) => line.seconds))).toBe(seconds)
        const input = { entries, live: null, tasks: TASKS, dayRule: BERLIN, now: 0 }
        const report = explain(input, [intervalOfDates(NOVEMBER, BERLIN)])
        expect(sheet.exactSeconds).toBe(report.totalSeconds)
      }),
    )
  })

  test('What the rule names is rounded as it says', () => {
    assert(
      property(anyEntries, anyRounding, (entries, rounding) => {
        const sheet = sheetOf(entries, { rounding })
        const pieces = sheet.lines.flatMap((line) => line.pieces)
        const units = {
          total: [sheet],
          line: sheet.lines,
          session: [...Map.groupBy(pieces, ({ entry }) => entry.id).values()].map((ofSession) => ({
            seconds: sumOf(ofSession.map((piece) => piece.seconds)),
            exactSeconds: sumOf(ofSession.map((piece) => piece.exactSeconds)),
          })),
        }[rounding.per]
        for (const { seconds, exactSeconds } of units)
          expect(seconds).toBe(roundSeconds(exactSeconds, rounding))
      }),
    )
  })

  test('No line is off by a step or more, of a rule about sessions by a step for each', () => {
    assert(
      property(anyEntries, anyRounding, (entries, rounding) => {
        for (const line of sheetOf(entries, { rounding }).lines) {
          const steps = rounding.per === 'session' ? line.pieces.length : 1
          const off = Math.abs(line.seconds - line.exactSeconds)
          expect(off).toBeLessThan(steps * Math.max(1 / steps, rounding.step * 60))
        }
      }),
    )
  })

  test('The order of the sessions does not matter', () => {
    assert(
      property(anyEntries, anyRounding, (entries, rounding) => {
        const lines = sheetOf(entries, { rounding }).lines.map(written)
        expect(sheetOf(entries.toReversed(), { rounding }).lines.map(written)).toEqual(lines)
      }),
    )
  })
})

function two(part: number): string {
  return String(Math.floor(part)).padStart(2, '0')
}
