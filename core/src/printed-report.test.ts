import { expect, test } from 'vitest'
import { printedReport } from './printed-report.ts'
import { testEntry, testTask } from './test-entries.ts'

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
const live = testEntry({ id: 'c', start: '2026-03-20T11:00Z', end: '2026-03-20T12:00Z' })
const INPUT = { entries: [night, morning], live, tasks: TASKS, zone: ZONE, now: NOW }

test('lists tasks, days and sessions, each of them summing to the total', () => {
  const report = printedReport(INPUT, null)
  expect(report).toMatchObject({
    totalSeconds: 4.5 * 3600,
    tasks: [
      { name: 'Read (deleted)', sessions: 1, seconds: 3 * 3600 },
      { name: 'Write', sessions: 1, seconds: 1.5 * 3600 },
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

test('counts of a session over midnight what lies in the range', () => {
  const report = printedReport(INPUT, { from: '2026-03-10', to: '2026-03-17' })
  expect(report).toMatchObject({
    totalSeconds: 2 * 3600,
    tasks: [{ name: 'Read (deleted)', sessions: 1, seconds: 2 * 3600 }],
    days: [{ date: '2026-03-10', seconds: 2 * 3600 }],
    sessions: [{ entry: { id: 'b' }, countedSeconds: 2 * 3600 }],
  })
})

test('of a range without work every list is empty', () => {
  const empty = { totalSeconds: 0, tasks: [], days: [], sessions: [] }
  expect(printedReport(INPUT, { from: '2025-01-01', to: '2026-01-01' })).toEqual(empty)
  expect(printedReport({ ...INPUT, entries: [] }, null)).toEqual(empty)
})
