/** Times in the hour that clocks show twice when they go back. */
import { array, assert, boolean, constantFrom, integer, property, record } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { writeCsv } from '#csv.ts'
import { planned, problems } from '#test/plans.ts'
import { localDateTime, zoneClock } from '#time/calendar.ts'
import type { ImportOptions } from './entry-import.ts'

const BERLIN = { timeZone: 'Europe/Berlin', now: Date.parse('2026-11-28T12:00:00Z') }
const NEW_YORK = { ...BERLIN, timeZone: 'America/New_York' }

/** Returns the plan of rows with these headings, and its sessions in UTC: '00:30 – 01:30'. */
function planOf(headings: string, rows: readonly string[], options: Partial<ImportOptions>) {
  const plan = planned([headings, ...rows].join('\n'), options)
  const sessions = plan.changes.map(({ after }) => {
    const times = [after.startedAt, after.endedAt].map((at) => new Date(at).toISOString())
    return times.map((time) => time.slice(11, 16)).join(' – ')
  })
  return { plan, sessions, guesses: plan.doubledHour.rows }
}

describe('a row tells which of two times it means', () => {
  // In Berlin 02:30 is 00:30 and 01:30 in UTC, in New York 01:30 is 05:30 and 06:30.
  test.each([
    ['by its duration, from before', BERLIN, '10-25,01:30,,02:30,1:00', '23:30 – 00:30'],
    ['by its duration, from before, longer', BERLIN, '10-25,01:30,,02:30,2:00', '23:30 – 01:30'],
    ['by its duration, from within', BERLIN, '10-25,02:30,,03:30,1:00', '01:30 – 02:30'],
    ['by its duration, from within, longer', BERLIN, '10-25,02:30,,03:30,2:00', '00:30 – 02:30'],
    ['by its duration, across', BERLIN, '10-25,02:10,,02:40,1:30', '00:10 – 01:40'],
    ['by its duration, of a full turn', BERLIN, '10-25,02:30,,02:30,1:00', '00:30 – 01:30'],
    ['by a rounded duration', BERLIN, '10-25,01:50,,02:40,2.00', '23:50 – 01:40'],
    ['by its end before its start', BERLIN, '10-25,02:50,,02:10,', '00:50 – 01:10'],
    ['in New York', NEW_YORK, '11-01,01:30,,02:30,1:00', '06:30 – 07:30'],
    ['in New York, longer', NEW_YORK, '11-01,01:30,,02:30,2:00', '05:30 – 07:30'],
    ['on the morning after', NEW_YORK, '10-31,22:00,,01:30,4.5', '02:00 – 06:30'],
    ['on the morning after, shorter', NEW_YORK, '10-31,22:00,,01:30,3.5', '02:00 – 05:30'],
    ['by an offset', BERLIN, '10-25,02:30+01:00,,02:45+01:00,', '01:30 – 01:45'],
    ['by the name of its clocks', BERLIN, '10-25,02:30 CEST,,02:30 CET,', '00:30 – 01:30'],
  ])('%s', (_, options, row, session) => {
    const headings = 'Date,Start,Pause,End,Duration'
    const { plan, sessions, guesses } = planOf(headings, [`2026-${row}`], options)
    expect(problems(plan)).toEqual([])
    expect(sessions).toEqual([session])
    expect(guesses).toBe(0)
  })

  test('that it has no time at all', () => {
    for (const duration of ['', '0:00']) {
      const row = `2026-10-25,02:30,02:30,${duration}`
      const { plan } = planOf('Date,Start,End,Duration', [row], BERLIN)
      expect(problems(plan)).toEqual(['2: Has no time: it starts and ends at once.'])
    }
  })

  test('with the times of its break', () => {
    const headings = 'Date,In,Out,In,Out,Hours'
    const rows = [
      '2026-10-25,00:30,01:45,02:15,04:00,3.00',
      '2026-10-25,00:30,01:45,02:15,04:00,4.00',
    ]
    const { plan } = planOf(headings, rows, BERLIN)
    expect(plan.changes.map(({ after }) => after.durationSeconds)).toEqual([3 * 3600, 4 * 3600])
    expect(plan.doubledHour.rows).toBe(0)
  })
})

function night(start: string, end: string): string {
  return `2026-10-25 ${start},2026-10-25 ${end}`
}

describe('the order of the rows tells', () => {
  const before = '2026-10-24 09:00,2026-10-24 10:00'
  const after = '2026-10-26 09:00,2026-10-26 10:00'

  test.each([
    [
      'a row after a later time',
      [night('02:40', '02:50'), night('02:10', '02:30')],
      ['00:40 – 00:50', '01:10 – 01:30'],
    ],
    [
      'rows without a gap',
      [night('02:10', '02:55'), night('02:20', '02:30'), night('02:30', '02:45')],
      ['00:10 – 00:55', '01:20 – 01:30', '01:30 – 01:45'],
    ],
    [
      'a start after an end',
      [night('01:00', '02:30'), night('02:00', '03:10')],
      ['23:00 – 00:30', '01:00 – 02:10'],
    ],
  ])('%s', (_, rows, sessions) => {
    const forwards = planOf('Start,End', [before, ...rows, after], BERLIN)
    expect(forwards.sessions.slice(1, -1)).toEqual(sessions)
    expect(forwards.guesses).toBe(0)
    const backwards = planOf('Start,End', [after, ...rows.toReversed(), before], BERLIN)
    expect(backwards.sessions.slice(1, -1)).toEqual(sessions.toReversed())
    expect(backwards.guesses).toBe(0)
  })

  test('nothing where the rows have no order', () => {
    const rows = [night('02:40', '02:50'), night('02:10', '02:30')]
    const { sessions, guesses } = planOf('Start,End', [after, ...rows, before, after], BERLIN)
    expect(sessions.slice(1, 3)).toEqual(['00:40 – 00:50', '00:10 – 00:30'])
    expect(guesses).toBe(2)
  })

  test('nothing of a row that has the times of the one before', () => {
    const rows = [night('02:10', '02:30'), night('02:10', '02:30')]
    const { plan, guesses } = planOf('Start,End', [before, ...rows, after], BERLIN)
    expect(guesses).toBe(2)
    expect(plan.repeats.rows).toBe(1)
  })

  test('whatever rows are there twice', () => {
    const rows = [before, before, night('02:40', '02:50'), night('02:10', '02:30'), after, after]
    const { sessions, guesses } = planOf('Start,End', rows, BERLIN)
    expect(sessions.slice(2, 4)).toEqual(['00:40 – 00:50', '01:10 – 01:30'])
    expect(guesses).toBe(0)
  })

  test('no more than their starts where others overlap', () => {
    const overlapping = '2026-10-24 09:30,2026-10-24 10:30'
    const rows = [before, overlapping, night('02:10', '02:50'), night('02:30', '02:55'), after]
    expect(planOf('Start,End', rows, BERLIN).guesses).toBe(2)
    const later = [before, overlapping, night('02:30', '02:55'), night('02:10', '02:50'), after]
    const { sessions, guesses } = planOf('Start,End', later, BERLIN)
    expect(sessions.slice(2, 4)).toEqual(['00:30 – 00:55', '01:10 – 01:50'])
    // The first of them may end after the second has begun.
    expect(guesses).toBe(1)
  })
})

test('Otherwise the first time is taken, or the second, and every such row is named', () => {
  const rows = [
    '2026-10-25 02:10,2026-10-25 02:30,early',
    '2026-10-25 02:45,2026-10-25 03:45,late',
    '2026-10-25 03:50,2026-10-25 04:00,plain',
  ]
  const first = planOf('Start,End,Task', rows, BERLIN)
  expect(first.sessions).toEqual(['00:10 – 00:30', '00:45 – 02:45', '02:50 – 03:00'])
  expect(first.plan.doubledHour).toEqual({
    rows: 2,
    seconds: 1200 + 7200,
    examples: [
      {
        line: 2,
        text: '2026-10-25 02:10, 2026-10-25 02:30, early',
        why: 'Read as 02:10 (UTC+02:00) to 02:30 (UTC+02:00): 20m.',
      },
      {
        line: 3,
        text: '2026-10-25 02:45, 2026-10-25 03:45, late',
        why: 'Read as 02:45 (UTC+02:00) to 03:45 (UTC+01:00): 2h 0m.',
      },
    ],
  })
  const second = planOf('Start,End,Task', rows, { ...BERLIN, doubledHour: 'second' })
  expect(second.sessions).toEqual(['01:10 – 01:30', '01:45 – 02:45', '02:50 – 03:00'])
  expect(second.plan.doubledHour).toMatchObject({ rows: 2, seconds: 1200 + 3600 })
  expect(second.plan.totalSeconds).toBe(1200 + 3600 + 600)
})

test('A length alone does not tell where it begins', () => {
  const { sessions, guesses } = planOf('Start,Duration', ['2026-10-25 02:30,0:20'], BERLIN)
  expect(sessions).toEqual(['00:30 – 00:50'])
  expect(guesses).toBe(1)
})

/** Zones and when their clocks go back, by an hour or by half of one. */
const NIGHTS = [
  ['Europe/Berlin', '2026-10-25T01:00Z'],
  ['America/New_York', '2026-11-01T06:00Z'],
  ['America/Santiago', '2026-04-05T03:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T15:00Z'],
] as const

test('A session of that night is at its own seconds, or its row is named as a guess', () => {
  const anyWork = record({
    gap: integer({ min: 0, max: 4000 }),
    length: integer({ min: 1, max: 5000 }),
  })
  assert(
    property(
      constantFrom(...NIGHTS),
      array(anyWork, { minLength: 1, maxLength: 12 }),
      boolean(),
      boolean(),
      constantFrom('first' as const, 'second' as const),
      ([timeZone, change], work, hasDurations, isBackwards, doubledHour) => {
        let at = Date.parse(change) - 3 * 3_600_000
        const night = work.map(({ gap, length }) => {
          const start = at + gap * 1000
          at = start + length * 1000
          return { start, end: at }
        })
        const days = [-2, 2].map((day) => Date.parse(change) + day * 86_400_000)
        const [first = 0, last = 0] = days
        const sessions = [
          { start: first, end: first + 1000 },
          ...night,
          { start: last, end: last + 1000 },
        ]
        if (isBackwards) sessions.reverse()
        const rows = sessions.map(({ start, end }) => [
          localDateTime(start, timeZone),
          localDateTime(end, timeZone),
          hasDurations ? `PT${(end - start) / 1000}S` : '',
        ])
        const text = writeCsv([['Start', 'End', 'Duration'], ...rows])
        const plan = planned(text, { timeZone, now: BERLIN.now, doubledHour })
        const guessed = new Set(plan.doubledHour.examples.map(({ line }) => line))
        expect(plan.problems).toEqual([])
        const { exactTime } = zoneClock(timeZone)
        for (const [index, { after }] of plan.changes.entries()) {
          const { start = 0, end = 0 } = sessions[index] ?? {}
          if (guessed.has(index + 2)) continue
          expect(`${exactTime(after.startedAt)} ${exactTime(after.endedAt)}`).toBe(
            `${exactTime(start)} ${exactTime(end)}`,
          )
        }
      },
    ),
  )
})
