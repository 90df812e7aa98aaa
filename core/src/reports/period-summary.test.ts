import { dayRuleOf } from '#time/day-rule.ts'
import { expect, test } from 'vitest'

import { ghostBars, periodBars } from './period-bars.ts'
import { periodSummary } from './period-summary.ts'
import { testEntry, testTask } from '#test/entries.ts'
import { addDays } from '#time/calendar.ts'
import { periodContaining } from '#time/period.ts'
import type { PeriodView } from '#time/period.ts'

const HOUR = 3600

/** Wednesday noon. */
const NOW = Date.parse('2026-11-18T12:00Z')

function entry(date: string, from: string, to: string, taskId = 'website') {
  return testEntry({ start: `${date}T${from}Z`, end: `${date}T${to}Z`, taskId })
}

function inputOf(entries: ReturnType<typeof entry>[], now = NOW) {
  const tasks = [{ ...testTask('Website'), id: 'website' }]
  return { entries, live: null, tasks, dayRule: dayRuleOf('UTC'), now }
}

function summaryOf(
  entries: ReturnType<typeof entry>[],
  {
    view = 'weekly',
    date = '2026-11-18',
  }: { view?: PeriodView; date?: `${number}-${number}-${number}` } = {},
) {
  return periodSummary(inputOf(entries), periodContaining(view, date))
}

test('The current week is compared with last week up to the same time', () => {
  const entries = [
    entry('2026-11-09', '09:00', '10:00'),
    entry('2026-11-11', '11:00', '13:00'),
    entry('2026-11-12', '09:00', '17:00'),
    entry('2026-11-17', '09:00', '12:00'),
  ]
  expect(summaryOf(entries)).toMatchObject({
    totalSeconds: 3 * HOUR,
    secondsBefore: 2 * HOUR,
    isCurrent: true,
  })
})

test('A past week is compared with the whole of the week before', () => {
  const entries = [entry('2026-11-05', '09:00', '17:00'), entry('2026-11-09', '09:00', '10:00')]
  expect(summaryOf(entries, { date: '2026-11-11' })).toMatchObject({
    totalSeconds: HOUR,
    secondsBefore: 8 * HOUR,
    isCurrent: false,
  })
})

test('A long month is compared with the whole of a shorter one, as far as it goes', () => {
  const entries = [entry('2026-02-28', '09:00', '10:00'), entry('2026-03-01', '09:00', '10:00')]
  const now = Date.parse('2026-03-30T08:00Z')
  const summary = periodSummary(inputOf(entries, now), periodContaining('monthly', '2026-03-30'))
  expect(summary).toMatchObject({ totalSeconds: HOUR, secondsBefore: HOUR })
})

test('The main task has at least half of the time', () => {
  const website = entry('2026-11-17', '09:00', '10:00')
  const other = (to: string) => entry('2026-11-16', '09:00', to, 'other')
  expect(summaryOf([website]).main).toEqual({ name: 'Website', hasAll: true })
  expect(summaryOf([website, other('10:00')]).main).toMatchObject({ hasAll: false })
  expect(
    summaryOf([website, other('09:30'), entry('2026-11-15', '09:00', '09:31', 'third')]).main,
  ).toBeNull()
  expect(summaryOf([]).main).toBeNull()
})

test('The bars of the period before are on the scale of those in front of them', () => {
  const entries = [
    entry('2026-11-08', '09:00', '10:00'),
    entry('2026-11-09', '09:00', '09:01'),
    entry('2026-11-10', '09:00', '13:00'),
    entry('2026-11-15', '09:00', '11:00'),
  ]
  const week = periodContaining('weekly', '2026-11-18')
  const ghosts = (all: typeof entries) => {
    const input = inputOf(all)
    return ghostBars(input, week, periodBars(input, week).bars)
      .slice(0, 4)
      .map(({ widthPercent, isCut }) => (isCut ? 'cut' : widthPercent))
  }
  expect(ghosts(entries)).toEqual([50, 8, 'cut', 0])
  expect(ghosts(entries.slice(0, 3))).toEqual([25, 8, 100, 0])
  expect(ghosts([])).toEqual([0, 0, 0, 0])
})

test('What was planned has the scale of what was tracked, and the longest of both is the widest', () => {
  const entries = [
    entry('2026-11-09', '09:00', '13:00'),
    entry('2026-11-15', '09:00', '11:00'),
    entry('2026-11-16', '09:00', '10:00'),
  ]
  const week = periodContaining('weekly', '2026-11-18')
  const input = inputOf(entries)
  const planned = new Map(
    [1, 4, 0, 0.1].map((hours, day) => [addDays('2026-11-15', day), hours * HOUR]),
  )
  const { bars } = periodBars(input, week, undefined, planned)
  expect(bars.slice(0, 4).map((bar) => bar.widthPercent)).toEqual([50, 25, 0, 0])
  expect(bars.slice(0, 5).map((bar) => bar.planned?.widthPercent)).toEqual([
    25,
    100,
    0,
    8,
    undefined,
  ])
  expect(ghostBars(input, week, bars)[1]).toMatchObject({ widthPercent: 100, isCut: false })
  expect(periodBars(input, week).bars.map((bar) => bar.planned)).toEqual(Array(7).fill(null))
})
