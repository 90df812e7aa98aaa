import type { CalendarDate } from '#time/calendar.ts'
import { dayRuleOf } from '#time/day-rule.ts'
import { expect, test } from 'vitest'
import { intervalOfDates } from '#time/calendar.ts'
import { ALL_TIME, explain, sessionTimes } from './explanation.ts'
import type { ReportInput } from './report-input.ts'
import { average, quickStats } from './quick-stats.ts'
import { testEntry, testTask } from '#test/entries.ts'

const now = Date.parse('2026-11-18T12:00:00Z')
const overMidnight = testEntry({
  id: 'night',
  start: '2026-11-16T23:10:00Z',
  end: '2026-11-17T00:40:00Z',
})
const morning = testEntry({
  id: 'morning',
  taskId: 'gone',
  start: '2026-11-17T09:00:00Z',
  end: '2026-11-17T09:30:00Z',
})
const live = testEntry({ id: 'live', taskId: 'lost', start: '2026-11-18T11:59:00Z', end: now })

const input: ReportInput = {
  entries: [morning, overMidnight, testEntry({ ...spanOn('2026-11-17'), deletedAt: now })],
  live,
  tasks: [testTask('Write'), testTask('Gone', 0, { isActive: false })],
  dayRule: dayRuleOf('UTC'),
  now,
}

function spanOn(date: string): { start: string; end: string } {
  return { start: `${date}T15:00:00Z`, end: `${date}T16:00:00Z` }
}

function day(date: CalendarDate, next: CalendarDate): ReturnType<typeof intervalOfDates> {
  return intervalOfDates({ from: date, to: next }, input.dayRule)
}

test('The explanation of a total lists each session with the part that counts, newest first', () => {
  expect(explain(input, [day('2026-11-17', '2026-11-18')])).toEqual({
    rows: [
      {
        entry: morning,
        taskName: 'Gone (deleted)',
        countedSeconds: 1800,
        startsHere: true,
        isLive: false,
      },
      {
        entry: overMidnight,
        taskName: 'Write',
        countedSeconds: 2400,
        startsHere: false,
        isLive: false,
      },
    ],
    totalSeconds: 4200,
    count: { begun: 1, earlier: 1, hasLive: false },
  })
})

test('The explanation of a total covers all time, the running timer too', () => {
  const { rows, totalSeconds } = explain(input, ALL_TIME)
  expect(rows.map((row) => [row.entry.id, row.taskName, row.isLive])).toEqual([
    ['live', 'Unknown task', true],
    ['morning', 'Gone (deleted)', false],
    ['night', 'Write', false],
  ])
  expect(totalSeconds).toBe(5400 + 1800 + 60)
})

test('The explanation of a total lists the requested tasks only', () => {
  expect(explain(input, ALL_TIME, ['write', 'lost']).rows.map((row) => row.entry.id)).toEqual([
    'live',
    'night',
  ])
  expect(explain(input, ALL_TIME, [])).toEqual({
    rows: [],
    totalSeconds: 0,
    count: { begun: 0, earlier: 0, hasLive: false },
  })
})

test('The explanation of a total adds up several ranges of days', () => {
  const days = [day('2026-11-16', '2026-11-17'), day('2026-11-18', '2026-11-19')]
  const { rows, totalSeconds } = explain(input, days)
  expect(rows.map((row) => [row.entry.id, row.countedSeconds])).toEqual([
    ['live', 60],
    ['night', 3000],
  ])
  expect(totalSeconds).toBe(3060)
})

test('The explanation of a total lists sessions shorter than a second in the period of their start', () => {
  const empty = ['2026-11-17T10:00:00Z', '2026-11-18T10:00:00Z'].map((at, index) =>
    testEntry({ id: `empty ${index}`, start: at, end: at }),
  )
  const before = testEntry({
    id: 'paused over midnight',
    start: '2026-11-16T23:00:00Z',
    end: '2026-11-17T00:30:00Z',
    pauses: [['2026-11-16T23:30:00Z', '2026-11-17T00:30:00Z']],
  })
  const withEmpty = { ...input, entries: [...input.entries, ...empty, before] }
  const tuesday = explain(withEmpty, [day('2026-11-17', '2026-11-18')])
  expect(tuesday.rows.map((row) => [row.entry.id, row.countedSeconds])).toEqual([
    ['empty 0', 0],
    ['morning', 1800],
    ['night', 2400],
  ])
  expect(tuesday.count).toEqual({ begun: 2, earlier: 1, hasLive: false })
  const { sessions, averageSeconds } = quickStats(withEmpty)
  const whole = explain({ ...withEmpty, live: null }, ALL_TIME)
  expect(whole.count).toEqual({ begun: sessions, earlier: 0, hasLive: false })
  expect(average(whole.totalSeconds, whole.count.begun)).toBe(averageSeconds)
})

test('The explanation of a total gives the times of each session', () => {
  expect(sessionTimes(overMidnight, 'UTC')).toBe('23:10 – 00:40 +1')
  expect(sessionTimes(overMidnight, 'America/New_York')).toBe('18:10 – 19:40')
})
