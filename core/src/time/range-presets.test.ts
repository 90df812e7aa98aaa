import { expect, test } from 'vitest'
import { addDays } from './calendar.ts'
import type { CalendarDate } from './calendar.ts'
import { periodLabel, periodParameters } from './period.ts'
import { rangePresets, readRange } from './range-presets.ts'

test('The presets are the periods that their names say', () => {
  const presets = rangePresets('2026-11-18', '2025-03-14')
  expect(presets.map(({ label, period }) => [label, periodLabel(period)])).toEqual([
    ['Today', '18 Nov 2026'],
    ['Yesterday', '17 Nov 2026'],
    ['This week', '15–21 Nov 2026'],
    ['Last week', '8–14 Nov 2026'],
    ['This month', 'November 2026'],
    ['Last month', 'October 2026'],
    ['This quarter', '1 Oct – 31 Dec 2026'],
    ['Last quarter', '1 Jul – 30 Sep 2026'],
    ['This year', '2026'],
    ['Last year', '2025'],
    ['Last 30 days', '20 Oct – 18 Nov 2026'],
    ['All time', '14 Mar 2025 – 18 Nov 2026'],
  ])
})

test('A week, a month and a year of the presets are those of the views', () => {
  const addresses = rangePresets('2026-11-18', '2025-03-14', 1).map(({ period }) =>
    new URLSearchParams(periodParameters(period)).toString(),
  )
  expect(addresses).toContain('view=weekly&from=2026-11-16')
  expect(addresses).toContain('view=monthly&from=2026-10-01')
  expect(addresses).toContain('view=yearly&from=2025-01-01')
  expect(addresses).toContain('from=2026-07-01&to=2026-09-30')
})

function allTime(firstDay: CalendarDate): string {
  const preset = rangePresets('2026-11-18', firstDay).at(-1)
  return preset ? periodLabel(preset.period) : ''
}

test('All time is a day without a history, and a hundred years at most', () => {
  expect(allTime('2026-11-18')).toBe('18 Nov 2026')
  expect(allTime('2026-11-20')).toBe('18 Nov 2026')
  expect(allTime('1900-01-01')).toBe('19 Nov 1926 – 18 Nov 2026')
  expect(addDays('1926-11-19', 36_525)).toBe('2026-11-19')
})

test.each([
  ['3–17 Nov', '3–17 Nov 2026'],
  ['last month', 'October 2026'],
  ['last quarter', '1 Jul – 30 Sep 2026'],
  ['yesterday', '17 Nov 2026'],
  ['2025', '2025'],
  ['until 3 Nov', '14 Mar 2025 – 3 Nov 2026'],
  ['until 3 Nov 2024', '3 Nov 2024'],
  ['since 14 Nov', '14–18 Nov 2026'],
  ['1900 - 2026', 'A report has at most 100 years.'],
  ['17 - 3 Nov 2026', 'The range ends before it begins.'],
  ['soon', 'Not understood. Try yesterday, 3 Nov – 17 Nov or last 30 days.'],
])('The typed range %j is %s', (text, label) => {
  const read = readRange(text, '2025-03-14', { today: '2026-11-18' })
  expect(read.kind === 'range' ? periodLabel(read.period) : read.message).toBe(label)
})
