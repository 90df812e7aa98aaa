import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { testEntry, testTask } from '#test/entries.ts'
import { processorTime } from '#test/processor-time.ts'
import type { DateRange } from '#time/calendar.ts'
import { dayRuleOf } from '#time/day-rule.ts'

import { dayRows } from './day-rows.ts'
import type { ReportInput } from './report-input.ts'
import { secondsByTaskWithin, trackedTime } from './report-input.ts'

const BERLIN = dayRuleOf('Europe/Berlin')
const NOW = Date.parse('2026-12-31T12:00:00Z')

function inputOf(entries: ReportInput['entries'], more: Partial<ReportInput> = {}): ReportInput {
  return { entries, live: null, tasks: [testTask('Write')], dayRule: BERLIN, now: NOW, ...more }
}

/** Returns the marks of each task as 'row start-end' in hours. */
function drawn(input: ReportInput, dates: DateRange): Record<string, string[]> {
  return Object.fromEntries(
    dayRows(input, dates).map(({ taskId, marks }) => [
      taskId,
      marks.map(({ row, start, end }) => `${row} ${start * 24}-${end * 24}`),
    ]),
  )
}

const DAYS: DateRange = { from: '2026-11-02', to: '2026-11-05' }

describe('days below each other', () => {
  test.each<[string, string, string, DateRange, string[]]>([
    ['work of a morning', '2026-11-02T08:00Z', '2026-11-02T10:30Z', DAYS, ['0 9-11.5']],
    ['work over midnight', '2026-11-03T22:00Z', '2026-11-04T00:30Z', DAYS, ['1 23-24', '2 0-1.5']],
    ['work that began before', '2026-11-01T22:00Z', '2026-11-02T00:00Z', DAYS, ['0 0-1']],
    ['work that ends after', '2026-11-04T22:00Z', '2026-11-05T02:00Z', DAYS, ['2 23-24']],
    [
      'the morning after the clock went forward',
      '2026-03-29T07:00Z',
      '2026-03-29T08:00Z',
      { from: '2026-03-29', to: '2026-03-30' },
      ['0 9-10'],
    ],
    [
      'work over the hour that the clock leaves out',
      '2026-03-29T00:30Z',
      '2026-03-29T01:30Z',
      { from: '2026-03-29', to: '2026-03-30' },
      ['0 1.5-2', '0 3-3.5'],
    ],
    [
      'work in the hour that the clock shows twice',
      '2026-10-25T00:30Z',
      '2026-10-25T01:30Z',
      { from: '2026-10-25', to: '2026-10-26' },
      ['0 2.5-3', '0 2-2.5'],
    ],
    [
      'the evening after the clock went back',
      '2026-10-25T19:00Z',
      '2026-10-25T20:00Z',
      { from: '2026-10-25', to: '2026-10-26' },
      ['0 20-21'],
    ],
  ])('%s', (_, start, end, dates, marks) => {
    const entry = testEntry({ taskId: 'write', start, end })
    expect(drawn(inputOf([entry]), dates)).toEqual({ write: marks })
  })

  test('A row begins at the hour at which days begin', () => {
    const entry = testEntry({
      taskId: 'write',
      start: '2026-11-03T01:00Z',
      end: '2026-11-03T04:00Z',
    })
    const input = inputOf([entry], { dayRule: dayRuleOf('Europe/Berlin', 4) })
    expect(drawn(input, DAYS)).toEqual({ write: ['0 22-24', '1 0-1'] })
  })

  test('Pauses are left out, and the running timer is drawn', () => {
    const pauses = {
      intervals: [{ start: Date.parse('2026-11-02T09:00Z'), end: Date.parse('2026-11-02T10:00Z') }],
      unplacedSeconds: 0,
    }
    const paused = {
      ...testEntry({ taskId: 'write', start: '2026-11-02T08:00Z', end: '2026-11-02T11:00Z' }),
      pauses,
      durationSeconds: 7200,
    }
    const live = testEntry({ taskId: 'plan', start: '2026-11-04T08:00Z', end: '2026-11-04T08:30Z' })
    expect(drawn(inputOf([paused], { live }), DAYS)).toEqual({
      write: ['0 9-10', '0 11-12'],
      plan: ['2 9-9.5'],
    })
  })

  test('Deleted sessions are not drawn, and the task with the most time comes first', () => {
    const entries = [
      testEntry({ taskId: 'plan', start: '2026-11-02T08:00Z', end: '2026-11-02T09:00Z' }),
      testEntry({ taskId: 'write', start: '2026-11-02T10:00Z', end: '2026-11-02T12:00Z' }),
      testEntry({
        taskId: 'gone',
        start: '2026-11-03T10:00Z',
        end: '2026-11-03T20:00Z',
        deletedAt: NOW,
      }),
    ]
    expect(dayRows(inputOf(entries), DAYS).map(({ taskId, seconds }) => [taskId, seconds])).toEqual(
      [
        ['write', 7200],
        ['plan', 3600],
      ],
    )
  })
})

test('Every second of a task is on a row, wherever the clock is not changed', () => {
  const starts = fc.integer({ min: 0, max: 19 * 86_400 })
  const entries = fc.array(
    fc
      .tuple(starts, fc.integer({ min: 1, max: 200_000 }), fc.constantFrom('write', 'plan'))
      .map(([at, seconds, taskId]) => {
        const start = Date.parse('2026-10-27T00:00Z') + at * 1000
        return testEntry({ taskId, start, end: start + seconds * 1000 })
      }),
    { maxLength: 20 },
  )
  const dates: DateRange = { from: '2026-10-28', to: '2026-11-18' }
  fc.assert(
    fc.property(
      entries,
      fc.constantFrom('Europe/Berlin', 'Asia/Kolkata', 'UTC'),
      fc.integer({ min: 0, max: 6 }),
      (list, zone, hour) => {
        const input = inputOf(list, { dayRule: dayRuleOf(zone, hour) })
        const seconds = secondsByTaskWithin(trackedTime(input), dates)
        for (const { taskId, marks } of dayRows(input, dates)) {
          const drawnSeconds = marks.reduce(
            (sum, { start, end }) => sum + (end - start) * 86_400,
            0,
          )
          expect(drawnSeconds).toBeCloseTo(seconds.get(taskId) ?? 0, 3)
        }
      },
    ),
  )
})

test('A year of a history of ten years and 100,000 sessions is there in 100 ms', () => {
  const entries = Array.from({ length: 100_000 }, (_, index) => {
    const start = NOW - (100_000 - index) * 3_000_000
    return testEntry({ id: `e${index}`, start, end: start + 1_500_000 })
  })
  const input = inputOf(entries)
  expect(dayRows(input, yearOf(2020))[0]?.marks.length).toBeGreaterThan(10_000)
  expect(processorTime(100, () => dayRows(input, yearOf(2021)))).toBeLessThan(100)
})

function yearOf(year: number): DateRange {
  return { from: `${year}-01-01`, to: `${year + 1}-01-01` }
}
