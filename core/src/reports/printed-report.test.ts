import { dayRuleOf } from '#time/day-rule.ts'
import { expect, test } from 'vitest'
import { printedReport } from './printed-report.ts'
import { testEntry, testTask } from '#test/entries.ts'

const ZONE = 'Europe/Berlin'
const NOW = Date.parse('2026-03-20T12:00:00Z')
const TASKS = [testTask('Write'), testTask('Read', 0, { isActive: false })]

const morning = testEntry({ id: 'a', start: '2026-03-09T08:00Z', end: '2026-03-09T09:30Z' })
const night = testEntry({
  id: 'b',
  taskId: 'read',
  start: '2026-03-09T22:00Z',
  end: '2026-03-10T01:00Z',
})
const ONE = { begun: 1, earlier: 0, hasLive: false }
const live = testEntry({ id: 'c', start: '2026-03-20T11:00Z', end: '2026-03-20T12:00Z' })
const INPUT = { entries: [night, morning], live, tasks: TASKS, dayRule: dayRuleOf(ZONE), now: NOW }

test('A printed report lists tasks, days and sessions, each of them summing to the total', () => {
  const report = printedReport(INPUT, null)
  expect(report).toMatchObject({
    totalSeconds: 4.5 * 3600,
    count: { begun: 2, earlier: 0, hasLive: false },
    tasks: [
      { name: 'Read (deleted)', count: ONE, seconds: 3 * 3600, percentLabel: '66.7%' },
      { name: 'Write', count: ONE, seconds: 1.5 * 3600, percentLabel: '33.3%' },
    ],
    days: [
      { date: '2026-03-09', seconds: 2.5 * 3600 },
      { date: '2026-03-10', seconds: 2 * 3600 },
    ],
    sessions: [
      { entry: { id: 'a' }, countedSeconds: 1.5 * 3600 },
      { entry: { id: 'b' }, countedSeconds: 3 * 3600 },
    ],
  })
})

test('A printed report counts the part of a session over midnight that lies in the range', () => {
  const report = printedReport(INPUT, { from: '2026-03-10', to: '2026-03-17' })
  expect(report).toMatchObject({
    totalSeconds: 2 * 3600,
    // It counts as a session where it started.
    count: { begun: 0, earlier: 1 },
    tasks: [{ name: 'Read (deleted)', count: { begun: 0, earlier: 1 }, seconds: 2 * 3600 }],
    days: [{ date: '2026-03-10', seconds: 2 * 3600 }],
    sessions: [{ entry: { id: 'b' }, countedSeconds: 2 * 3600 }],
  })
})

test('Every list of a printed report of a range without work is empty', () => {
  const count = { begun: 0, earlier: 0, hasLive: false }
  const empty = { totalSeconds: 0, count, tasks: [], days: [], sessions: [] }
  expect(printedReport(INPUT, { from: '2025-01-01', to: '2026-01-01' })).toEqual(empty)
  expect(printedReport({ ...INPUT, entries: [] }, null)).toEqual(empty)
})

test('A printed report lists a session shorter than a second where it started, with a share of 0', () => {
  const empty = testEntry({ id: 'd', start: '2026-03-11T09:00Z', end: '2026-03-11T09:00Z' })
  const input = { ...INPUT, entries: [empty, night, morning] }
  expect(printedReport(input, null)).toMatchObject({
    totalSeconds: 4.5 * 3600,
    count: { begun: 3 },
    tasks: [{ count: { begun: 1 } }, { name: 'Write', count: { begun: 2 }, seconds: 1.5 * 3600 }],
    sessions: [{ entry: { id: 'a' } }, { entry: { id: 'b' } }, { entry: { id: 'd' } }],
  })
  expect(printedReport(input, { from: '2026-03-11', to: '2026-03-12' })).toMatchObject({
    totalSeconds: 0,
    count: { begun: 1 },
    tasks: [{ percentLabel: '0.0%' }],
    days: [],
    sessions: [{ countedSeconds: 0 }],
  })
})

test('The shares of the tasks of a printed report sum to 100 percent', () => {
  const entries = ['a', 'b', 'c'].map((id) =>
    testEntry({ id, taskId: id, start: '2026-03-09T08:00Z', end: '2026-03-09T09:00Z' }),
  )
  const { tasks } = printedReport({ ...INPUT, entries }, null)
  expect(tasks.map((task) => task.percentLabel)).toEqual(['33.4%', '33.3%', '33.3%'])
})
