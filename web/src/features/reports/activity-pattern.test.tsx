import { dayRuleOf } from '@stint/core/time/day-rule.ts'
import { periodContaining, stepPeriod } from '@stint/core/time/period.ts'
import { activityPattern } from '@stint/core/reports/task-report.ts'
import { testEntry } from '@stint/core/test/entries.ts'
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'

import { ActivityPattern } from './activity-pattern.tsx'

const ZONE = 'America/New_York'

test.each([
  [
    'Two sessions past the same midnight',
    '2026-11-18',
    [
      ['2026-11-16T23:10-05:00', '2026-11-17T00:40-05:00'],
      ['2026-11-16T23:30-05:00', '2026-11-17T00:20-05:00'],
    ],
    4,
  ],
  [
    'Two sessions in a repeated hour',
    '2026-11-04',
    [
      // From 01:30 to the second 01:30 and beyond, and the same on another device.
      ['2026-11-01T01:30-04:00', '2026-11-01T02:30-05:00'],
      ['2026-11-01T01:30-04:00', '2026-11-01T01:45-05:00'],
    ],
    4,
  ],
  [
    'A session past midnight and another one',
    '2026-11-18',
    [
      ['2026-11-16T23:00-05:00', '2026-11-17T02:00-05:00'],
      ['2026-11-17T00:00-05:00', '2026-11-17T01:00-05:00'],
    ],
    3,
  ],
] as const)('%s leave no marks in another week', (_, date, spans, marks) => {
  const entries = spans.map(([start, end]) => testEntry({ start, end }))
  const input = {
    entries,
    live: null,
    tasks: [],
    dayRule: dayRuleOf(ZONE),
    now: Date.parse('2026-11-20T12:00Z'),
  }
  const week = periodContaining('weekly', date)
  const pattern = (step: number) => (
    <ActivityPattern
      days={activityPattern(input, 'write', stepPeriod(week, step))}
      color="blue"
      onExplain={() => undefined}
    />
  )
  const { container, rerender } = render(pattern(0))
  const count = () => container.querySelectorAll('[data-mark]').length
  expect(count()).toBe(marks)
  for (const [step, expected] of [
    [-1, 0],
    [0, marks],
    [1, 0],
    [0, marks],
  ] as const) {
    rerender(pattern(step))
    expect(count()).toBe(expected)
  }
})

test('Events are behind the sessions, and an hour says what was on', () => {
  const input = {
    entries: [],
    live: null,
    tasks: [],
    dayRule: dayRuleOf(ZONE),
    now: Date.parse('2026-11-20T12:00Z'),
  }
  const week = periodContaining('weekly', '2026-11-18')
  const event = testEntry({ start: '2026-11-17T10:30-05:00', end: '2026-11-17T11:15-05:00' })
  const days = activityPattern(input, 'write', week)
  const events = activityPattern({ ...input, entries: [event] }, 'write', week).map((day) => ({
    date: day.date,
    cells: day.cells,
    hours: day.cells.map(({ segments }) => segments.map(() => 'Review, 10:30 – 11:15')),
  }))
  const { container, rerender } = render(
    <ActivityPattern days={days} events={events} color="blue" onExplain={() => undefined} />,
  )
  expect(container.querySelectorAll('[data-event]')).toHaveLength(1)
  for (const [hour, said] of [
    ['10:00', 'nothing; Review, 10:30 – 11:15'],
    ['11:00', 'nothing; Review, 10:30 – 11:15'],
    ['12:00', 'nothing'],
  ])
    screen.getByRole('gridcell', { name: `Tuesday 17 November 2026, ${hour}: ${said}` })
  rerender(<ActivityPattern days={days} color="blue" onExplain={() => undefined} />)
  expect(container.querySelectorAll('[data-event]')).toHaveLength(0)
})
