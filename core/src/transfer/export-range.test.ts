import { dayRuleOf } from '#time/day-rule.ts'
import { expect, test } from 'vitest'
import { intervalOfDates } from '#time/calendar.ts'
import {
  chosenDates,
  exportDates,
  exportedTotals,
  exportFileName,
  exportRangeLabel,
  readExportRange,
} from './export-range.ts'
import { testEntry } from '#test/entries.ts'

const ZONE = 'Europe/Berlin'
const NOW = Date.parse('2026-11-18T15:00:00Z')

test.each([
  ['all', null, 'All time', 'stint-all-time.csv'],
  [
    'week',
    { from: '2026-11-15', to: '2026-11-22' },
    '15–21 Nov 2026',
    'stint-2026-11-15-to-2026-11-21.csv',
  ],
  [
    'month',
    { from: '2026-11-01', to: '2026-12-01' },
    '1–30 Nov 2026',
    'stint-2026-11-01-to-2026-11-30.csv',
  ],
  [
    'year',
    { from: '2026-01-01', to: '2027-01-01' },
    '1 Jan – 31 Dec 2026',
    'stint-2026-01-01-to-2026-12-31.csv',
  ],
] as const)('The range of an export is found: %s', (range, dates, label, fileName) => {
  expect(exportDates(range, { now: NOW, dayRule: dayRuleOf(ZONE) })).toEqual(dates)
  expect(exportRangeLabel(dates, 0)).toBe(label)
  expect(exportFileName(dates, 'csv')).toBe(fileName)
  const ofDays = fileName.replace('.csv', '-by-day.csv')
  expect(exportFileName(dates, 'csv', 'by-day')).toBe(ofDays)
})

test('A week of an export begins on the chosen weekday', () => {
  expect(exportDates('week', { now: NOW, dayRule: dayRuleOf(ZONE), weekStart: 1 })?.from).toBe(
    '2026-11-16',
  )
})

test('A week of an export has its number where weeks begin on Monday', () => {
  const week = { from: '2026-11-16', to: '2026-11-23' } as const
  expect(exportRangeLabel(week, 1)).toBe('Week 47 · 16–22 Nov 2026')
  expect(exportRangeLabel({ ...week, to: '2026-11-22' }, 1)).toBe('16–21 Nov 2026')
})

test('A custom range of an export includes its first and its last day', () => {
  const dates = { from: '2026-03-01', to: '2026-03-02' } as const
  expect(chosenDates('2026-03-01', '2026-03-01')).toEqual({ kind: 'dates', dates })
  expect(exportDates('custom', { now: NOW, dayRule: dayRuleOf(ZONE) }, dates)).toEqual(dates)
})

test.each([
  [null, '2026-03-01', 'Enter a start and an end date.'],
  ['2026-03-02', '2026-03-01', 'The range ends before it begins.'],
  ['2026-02-30', '2026-03-01', 'Enter a start and an end date.'],
  ['', '', 'Enter a start and an end date.'],
])('An export has no range from %s to %s: %s', (first, last, message) => {
  expect(chosenDates(first, last)).toEqual({ kind: 'problem', message })
})

test('A range that cannot be read from the address is all time', () => {
  expect(readExportRange('quarter')).toBe('all')
  expect(readExportRange('year')).toBe('year')
})

const ONE = { begun: 1, earlier: 0, hasLive: false }

test('A file has the sessions that began in its range, whole, and no deleted ones', () => {
  const entries = [
    testEntry({ start: '2026-03-08T22:30Z', end: '2026-03-08T23:30Z' }),
    testEntry({ start: '2026-03-09T22:30Z', end: '2026-03-10T00:30Z' }),
    testEntry({ start: '2026-03-09T08:00Z', end: '2026-03-09T09:00Z', deletedAt: NOW }),
  ]
  const day = intervalOfDates({ from: '2026-03-09', to: '2026-03-10' }, dayRuleOf(ZONE))
  expect(exportedTotals(entries, day)).toEqual({ count: ONE, seconds: 2 * 3600 })
  expect(exportedTotals(entries, null)).toEqual({ count: { ...ONE, begun: 2 }, seconds: 3 * 3600 })
})
