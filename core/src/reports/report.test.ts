import { dayRuleOf } from '#time/day-rule.ts'
import { describe, expect, test } from 'vitest'
import { ALL_TIME, explain } from './explanation.ts'
import { intervalOfDates } from '#time/calendar.ts'
import type { Period } from '#time/period.ts'
import type { ReportInput } from './report-input.ts'
import { dashboard } from './dashboard.ts'
import { periodBars } from './period-bars.ts'
import { quickStats } from './quick-stats.ts'
import { squaresOf, taskBreakdown } from './task-breakdown.ts'
import { TASK_COLORS } from '#record/task.ts'
import { testEntry, testTask } from '#test/entries.ts'
import type { TimeEntry } from '#record/time-entry.ts'

const now = Date.parse('2026-11-18T12:00:00Z') // a Wednesday
const WEEK: Period = { view: 'weekly', from: '2026-11-15' }

function reportOf(fields: Partial<ReportInput>): ReportInput {
  return { entries: [], live: null, tasks: [], dayRule: dayRuleOf('UTC'), now, ...fields }
}

/** Returns an entry of so many minutes that starts at 09:00 UTC on the day. */
function workOn(date: string, minutes: number, taskId = 'write'): TimeEntry {
  const start = Date.parse(`${date}T09:00:00Z`)
  return testEntry({ taskId, start, end: start + minutes * 60_000 })
}

/** Returns the running timer, started so many minutes before now. */
function liveFor(minutes: number, taskId = 'write'): TimeEntry {
  return testEntry({ id: 'live', taskId, start: now - minutes * 60_000, end: now })
}

test('All chips are 0 for someone who has never tracked time', () => {
  expect(quickStats(reportOf({}))).toEqual({
    todaySeconds: 0,
    weekSeconds: 0,
    monthSeconds: 0,
    yearSeconds: 0,
    streakDays: 0,
    streakDaysUpToYesterday: 0,
    sessions: 0,
    averageSeconds: 0,
  })
})

test('The chips count by calendar day, week from Sunday, month and year', () => {
  const entries = [
    workOn('2026-11-18', 1),
    workOn('2026-11-15', 2),
    workOn('2026-11-14', 4),
    workOn('2026-11-01', 8),
    workOn('2026-10-31', 16),
    workOn('2026-01-01', 32),
    workOn('2025-12-31', 64),
  ]
  expect(quickStats(reportOf({ entries }))).toEqual({
    todaySeconds: 60,
    weekSeconds: 3 * 60,
    monthSeconds: 15 * 60,
    yearSeconds: 63 * 60,
    streakDays: 1,
    streakDaysUpToYesterday: 0,
    sessions: 7,
    averageSeconds: Math.floor((127 * 60) / 7),
  })
})

test.each([101, 501, 5001])('The chips count all of %i entries', (count) => {
  const entries = Array.from({ length: count }, (_, index) =>
    testEntry({ start: now - (index + 1) * 600_000, end: now - index * 600_000 - 540_000 }),
  )
  const { sessions, averageSeconds } = quickStats(reportOf({ entries }))
  expect({ sessions, averageSeconds }).toEqual({ sessions: count, averageSeconds: 60 })
  expect(explain(reportOf({ entries }), ALL_TIME).totalSeconds).toBe(60 * count)
})

test('The chips leave deleted entries out', () => {
  const entries = [workOn('2026-11-18', 10), { ...workOn('2026-11-18', 20), deletedAt: now }]
  const { todaySeconds, sessions, averageSeconds } = quickStats(reportOf({ entries }))
  expect({ todaySeconds, sessions, averageSeconds }).toEqual({
    todaySeconds: 600,
    sessions: 1,
    averageSeconds: 600,
  })
})

test('The chips count a timer once when its entry is saved already', () => {
  const live = liveFor(30)
  const { todaySeconds, sessions } = quickStats(reportOf({ entries: [live], live }))
  expect({ todaySeconds, sessions }).toEqual({ todaySeconds: 1800, sessions: 1 })
})

const UP_TO_YESTERDAY = ['2026-11-17', '2026-11-16', '2026-11-15'].map((day) => workOn(day, 5))
const OVER_MIDNIGHT = testEntry({ start: '2026-11-16T23:10:00Z', end: '2026-11-17T00:40:00Z' })
const PAUSED_BEFORE_MIDNIGHT = testEntry({
  start: '2026-11-17T20:00:00Z',
  end: now,
  pauses: [['2026-11-17T21:00:00Z', now]],
})

test.each([
  ['is 0 while today is empty', UP_TO_YESTERDAY, null, [0, 3]],
  ['ends today once today has work', [...UP_TO_YESTERDAY, workOn('2026-11-18', 5)], null, [4, 3]],
  ['counts a running timer as today', UP_TO_YESTERDAY, liveFor(0), [4, 3]],
  ['does not count a timer that was paused before midnight', [], PAUSED_BEFORE_MIDNIGHT, [0, 1]],
  ['is broken by a day', [workOn('2026-11-18', 5), workOn('2026-11-16', 5)], null, [1, 0]],
  ['credits both days of a session over midnight', [OVER_MIDNIGHT], null, [0, 2]],
])('The daily streak, and that up to yesterday: it %s', (_, entries, live, expected) => {
  const { streakDays, streakDaysUpToYesterday } = quickStats(reportOf({ entries, live }))
  expect([streakDays, streakDaysUpToYesterday]).toEqual(expected)
})

describe('the dashboard', () => {
  const tasks = [
    testTask('Write', 1),
    testTask('Read', 2),
    testTask('Gone', 3, { isActive: false }),
  ]

  test('The dashboard lists active tasks newest first with their times, live included', () => {
    const entries = [
      workOn('2026-11-18', 10),
      workOn('2026-11-17', 40),
      workOn('2026-11-17', 5, 'read'),
    ]
    const { rows } = dashboard(reportOf({ entries, tasks, live: liveFor(30, 'read') }))
    expect(rows).toEqual([
      {
        task: tasks[1],
        number: '01',
        color: 'orange',
        todaySeconds: 1800,
        totalSeconds: 2100,
      },
      { task: tasks[0], number: '02', color: 'blue', todaySeconds: 600, totalSeconds: 3000 },
    ])
  })

  test('The dashboard shows all of 26 tasks, and numbers the hundredth task with three digits', () => {
    const many = Array.from({ length: 100 }, (_, index) => testTask(`Task ${index}`, index))
    const { rows, totalTasks } = dashboard(reportOf({ tasks: many.slice(0, 26) }))
    expect([rows.length, totalTasks, rows.at(-1)?.number]).toEqual([26, 26, '26'])
    expect(dashboard(reportOf({ tasks: many })).rows.at(-1)?.number).toBe('100')
  })
})

test.each([
  ['1 1 1', '34 33 33'],
  ['5 5 5 5 5 5 5 5', '13 13 13 13 12 12 12 12'],
  ['335 325 125 125 45 45', '34 33 13 12 4 4'],
  ['7', '100'],
  ['996 4', '100 0'],
  ['995 5', '100 0'],
  ['994 6', '99 1'],
  // An amount that is too small for a square leaves it to the larger ones.
  ['503 493 4', '51 49 0'],
  // No amount gets more than one extra square: of many small ones, the first ones get the others.
  ['960 4 4 4 4 4 4 4 4 4 4', '97 1 1 1 0 0 0 0 0 0 0'],
  ['', ''],
  ['0 0', '0 0'],
])('The hundred squares divide amounts %j into %j', (amounts, squares) => {
  expect(squaresOf(amounts.split(' ').filter(Boolean).map(Number)).join(' ')).toBe(squares)
})

describe('the task breakdown', () => {
  const tasks = [
    testTask('Write', 1),
    testTask('Read', 2),
    testTask('Gone', 3, { isActive: false }),
  ]

  test('The task breakdown is empty without work', () => {
    const breakdown = taskBreakdown(reportOf({ tasks }), WEEK)
    expect(breakdown).toEqual({
      totalSeconds: 0,
      rows: [],
      rest: null,
      squares: Array.from({ length: 100 }, () => null),
    })
  })

  test('The task breakdown names each task, deleted and unknown ones too, most time first', () => {
    const entries = [
      workOn('2026-11-16', 15),
      workOn('2026-11-17', 60, 'gone'),
      workOn('2026-11-18', 25, 'lost'),
      workOn('2026-11-08', 500),
    ]
    const { rows, totalSeconds, rest } = taskBreakdown(reportOf({ entries, tasks }), WEEK)
    expect({ totalSeconds, rest }).toEqual({ totalSeconds: 6000, rest: null })
    expect(rows).toEqual([
      {
        taskId: 'gone',
        name: 'Gone (deleted)',
        isDeleted: true,
        seconds: 3600,
        percent: 60,
        percentLabel: '60%',
        color: 'teal',
        squares: 60,
      },
      {
        taskId: 'lost',
        name: 'Unknown task',
        isDeleted: false,
        seconds: 1500,
        percent: 25,
        percentLabel: '25%',
        color: 'slate',
        squares: 25,
      },
      {
        taskId: 'write',
        name: 'Write',
        isDeleted: false,
        seconds: 900,
        percent: 15,
        percentLabel: '15%',
        color: 'blue',
        squares: 15,
      },
    ])
  })

  test('The task breakdown fills the squares row by row and gives tiny tasks a line without a square', () => {
    const entries = [workOn('2026-11-16', 999), workOn('2026-11-17', 1, 'read')]
    const { rows, squares } = taskBreakdown(reportOf({ entries, tasks }), WEEK)
    expect(rows.map((row) => [row.percentLabel, row.squares])).toEqual([
      ['100%', 100],
      ['<1%', 0],
    ])
    expect(squares).toEqual(Array.from({ length: 100 }, () => 0))
  })

  test('The task breakdown shows ten tasks and leaves the squares of the rest empty', () => {
    const many = Array.from({ length: 13 }, (_, index) => testTask(`Task ${index}`, index))
    const entries = many.map((task, index) => workOn('2026-11-16', 20 - index, task.id))
    const { rows, rest, squares, totalSeconds } = taskBreakdown(
      reportOf({ entries, tasks: many }),
      WEEK,
    )
    const restSeconds = (10 + 9 + 8) * 60
    expect(rows.map((row) => row.taskId)).toEqual(many.slice(0, 10).map((task) => task.id))
    expect(new Set(rows.map((row) => row.color)).size).toBe(10)
    expect(rest).toEqual({
      taskIds: ['task 10', 'task 11', 'task 12'],
      seconds: restSeconds,
      percent: (100 * restSeconds) / totalSeconds,
      percentLabel: '15%',
    })
    const labels = [...rows, ...(rest ? [rest] : [])].map((row) =>
      Number.parseInt(row.percentLabel),
    )
    expect(labels.reduce((sum, percent) => sum + percent)).toBe(100)
    expect(squares.filter((square) => square === null)).toHaveLength(15)
    expect(squares.slice(9, 13)).toEqual([0, 0, 1, 1])
  })

  test('The task breakdown tells apart tasks that have the same colour elsewhere', () => {
    const many = Array.from({ length: 12 }, (_, index) => testTask(`Task ${index}`, index))
    const entries = ['task 0', 'task 10', 'task 11', 'task 1'].map((id, index) =>
      workOn('2026-11-16', 20 - index, id),
    )
    const { rows } = taskBreakdown(reportOf({ entries, tasks: many }), WEEK)
    expect(rows.map((row) => row.color)).toEqual([
      TASK_COLORS[0],
      TASK_COLORS[2],
      TASK_COLORS[3],
      TASK_COLORS[1],
    ])
  })
})

describe('the bars', () => {
  const AUGUST: Period = { view: 'monthly', from: '2026-08-01' }

  test('The bars of an empty week are seven of no width', () => {
    const { bars, ...figures } = periodBars(reportOf({}), WEEK)
    expect(figures).toEqual({
      title: 'Daily Breakdown',
      totalSeconds: 0,
      count: { begun: 0, earlier: 0, hasLive: false },
      leftover: null,
    })
    expect(bars.map((bar) => [bar.widthPercent, bar.hoursLabel])).toEqual(
      Array.from({ length: 7 }, () => [0, null]),
    )
  })

  test('The width of a bar is relative to the widest one and at least 8 percent', () => {
    const entries = [workOn('2026-11-15', 600), workOn('2026-11-16', 300), workOn('2026-11-17', 1)]
    const { bars } = periodBars(reportOf({ entries }), WEEK)
    expect(bars.map((bar) => bar.widthPercent)).toEqual([100, 50, 8, 0, 0, 0, 0])
  })

  test('The bars are labelled only above one hour', () => {
    const hour = testEntry({ start: '2026-11-16T09:00:00Z', end: '2026-11-16T10:00:00Z' })
    const more = testEntry({ start: '2026-11-17T09:00:00Z', end: '2026-11-17T10:00:01Z' })
    const { bars } = periodBars(
      reportOf({ entries: [workOn('2026-11-15', 55), hour, more, workOn('2026-11-18', 90)] }),
      WEEK,
    )
    expect(bars.slice(0, 4).map((bar) => bar.hoursLabel)).toEqual([null, null, '1.0h', '1.5h'])
  })

  test('The bars mark today and future days', () => {
    const { bars } = periodBars(reportOf({}), WEEK)
    expect(bars.map((bar) => bar.isCurrent)).toEqual([
      false,
      false,
      false,
      true,
      false,
      false,
      false,
    ])
    expect(bars.map((bar) => bar.isFuture)).toEqual([false, false, false, false, true, true, true])
  })

  test('The bars of August 2026 leave 30 and 31 August to a line below, and the total is that of the month', () => {
    const entries = [
      workOn('2026-07-27', 60),
      workOn('2026-08-01', 30),
      workOn('2026-08-29', 120),
      workOn('2026-08-30', 150),
      workOn('2026-08-31', 50),
      workOn('2026-09-01', 7),
    ]
    const { bars, leftover, totalSeconds, count } = periodBars(reportOf({ entries }), AUGUST)
    expect({ totalSeconds, count }).toEqual({
      totalSeconds: 350 * 60,
      count: { begun: 4, earlier: 0, hasLive: false },
    })
    expect(leftover).toEqual({
      from: '2026-08-30',
      to: '2026-09-01',
      dates: '30–31 Aug',
      seconds: 12_000,
    })
    expect(bars.at(0)).toEqual({
      from: '2026-07-26',
      to: '2026-08-02',
      unit: 'week',
      label: 'Week 1',
      beside: '26 Jul – 1 Aug',
      dates: '26 Jul – 1 Aug 2026',
      seconds: 90 * 60,
      widthPercent: 75,
      planned: null,
      hoursLabel: '1.5h',
      inPeriodSeconds: 30 * 60,
      neighbour: {
        from: '2026-07-26',
        to: '2026-08-01',
        month: 'July',
        dates: '26–31 Jul',
        seconds: 3600,
      },
      isCurrent: false,
      isFuture: false,
    })
    expect(bars.at(4)?.neighbour).toBeNull()
  })

  test('The fifth bar of February 2026 is marked as March', () => {
    const entries = [workOn('2026-02-28', 10), workOn('2026-03-01', 20)]
    const february: Period = { view: 'monthly', from: '2026-02-01' }
    const { bars, totalSeconds } = periodBars(reportOf({ entries }), february)
    expect(totalSeconds).toBe(600)
    expect(bars.at(4)).toMatchObject({
      seconds: 1200,
      inPeriodSeconds: 0,
      neighbour: { month: 'March', dates: '1–7 Mar', seconds: 1200 },
    })
  })

  test('The bars of a year are its months', () => {
    const entries = [workOn('2026-01-31', 61), workOn('2026-02-01', 1)]
    const { title, bars } = periodBars(reportOf({ entries }), {
      view: 'yearly',
      from: '2026-01-01',
    })
    expect(title).toBe('Monthly Breakdown')
    expect(bars.slice(0, 3).map((bar) => [bar.label, bar.seconds, bar.hoursLabel])).toEqual([
      ['Jan', 3660, '1.0h'],
      ['Feb', 60, null],
      ['Mar', 0, null],
    ])
  })
})

describe('someone whose day begins at 04:00', () => {
  const zone = dayRuleOf('Europe/Berlin', 4)
  // This is 01:00–02:00 on Wednesday 18 November in Berlin.
  const night = testEntry({ start: '2026-11-18T00:00:00Z', end: '2026-11-18T01:00:00Z' })

  test('Work at 01:00 counts on the day before if the day begins at 04:00', () => {
    expect(quickStats(reportOf({ entries: [night], dayRule: zone }))).toMatchObject({
      todaySeconds: 0,
      weekSeconds: 3600,
      streakDaysUpToYesterday: 1,
    })
    const input = reportOf({ entries: [night], dayRule: zone })
    expect(periodBars(input, WEEK).bars.map(({ seconds }) => seconds)).toEqual([
      0, 0, 3600, 0, 0, 0, 0,
    ])
    const tuesday = intervalOfDates({ from: '2026-11-17', to: '2026-11-18' }, zone)
    expect(explain(input, [tuesday]).totalSeconds).toBe(3600)
  })

  test('A session over 04:00 is divided there if the day begins at 04:00', () => {
    const entries = [testEntry({ start: '2026-11-18T02:00:00Z', end: '2026-11-18T05:00:00Z' })]
    const bars = periodBars(reportOf({ entries, dayRule: zone }), WEEK).bars
    expect(bars.map(({ seconds }) => seconds)).toEqual([0, 0, 3600, 7200, 0, 0, 0])
  })
})

test('The figures of a week count from Monday if weeks begin on Monday', () => {
  const entries = [workOn('2026-11-15', 1), workOn('2026-11-16', 2)]
  expect(quickStats(reportOf({ entries, weekStart: 1 })).weekSeconds).toBe(2 * 60)
  expect(quickStats(reportOf({ entries, weekStart: 0 })).weekSeconds).toBe(3 * 60)
})
