import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import type { TimeEntry } from '#record/time-entry.ts'
import { testEntry } from '#test/entries.ts'
import { dayNumber, localDate } from '#time/calendar.ts'
import { dayRuleOf } from '#time/day-rule.ts'
import type { DayRule } from '#time/day-rule.ts'
import { entryList } from './entry-list.ts'
import { findSessions } from './found-sessions.ts'

const UTC = dayRuleOf('UTC')
const at = (time: string, id: string, minutes = 30) => {
  const start = Date.parse(`2026-11-${time}Z`)
  return testEntry({ id, start, end: start + minutes * 60_000 })
}

const listOf = (entries: readonly TimeEntry[], dayRule: DayRule) =>
  entryList(findSessions({ dayRule, parts: [], problem: null }, entries, []))

test('Without entries there are no days', () => {
  expect(listOf([], UTC)).toEqual({ entries: [], days: [], seconds: 0 })
})

test('Entries are newest first, under the days on which they start', () => {
  const entries = [
    at('20T09:00:00', 'a'),
    at('22T09:00:00', 'b'),
    at('22T23:50:00', 'c', 60),
    at('23T08:00:00', 'd', 15),
  ]
  const list = listOf(entries, UTC)
  expect(list.entries.map(({ id }) => id)).toEqual(['d', 'c', 'b', 'a'])
  expect(list.days).toEqual([
    { day: dayNumber('2026-11-23'), first: 0, count: 1, seconds: 900 },
    // The session over midnight counts whole on the day of its start.
    { day: dayNumber('2026-11-22'), first: 1, count: 2, seconds: 5400 },
    { day: dayNumber('2026-11-20'), first: 3, count: 1, seconds: 1800 },
  ])
  expect(list.seconds).toBe(8100)
})

test('A day begins at the hour of its rule', () => {
  const entries = [at('22T02:00:00', 'a'), at('22T05:00:00', 'b')]
  const days = listOf(entries, dayRuleOf('UTC', 4)).days.map(({ day }) => day)
  expect(days).toEqual([dayNumber('2026-11-22'), dayNumber('2026-11-21')])
})

test('Every entry is under its own day, and the days add up to the total', () => {
  const rules = fc.constantFrom(UTC, dayRuleOf('America/New_York'), dayRuleOf('Asia/Tokyo', 5))
  const starts = fc.array(fc.integer({ min: 0, max: 400 * 24 * 60 }), { maxLength: 40 })
  fc.assert(
    fc.property(rules, starts, (rule, minutes) => {
      const first = Date.parse('2026-01-01T00:00:00Z')
      const entries = minutes
        .toSorted((a, b) => a - b)
        .map((minute, index) => {
          const start = first + minute * 60_000
          return testEntry({ start, end: start + (index + 1) * 1000 })
        })
      const { entries: listed, days, seconds } = listOf(entries, rule)
      expect(listed).toEqual(entries.toReversed())
      expect(days.reduce((sum, { count }) => sum + count, 0)).toBe(entries.length)
      for (const { day, first, count, seconds } of days) {
        const rows = listed.slice(first, first + count)
        for (const { startedAt } of rows) expect(dayNumber(localDate(startedAt, rule))).toBe(day)
        expect(rows.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0)).toBe(seconds)
      }
      expect(days.map(({ day }) => day)).toEqual(
        [...new Set(days.map(({ day }) => day))].toSorted((a, b) => b - a),
      )
      expect(days.reduce((sum, each) => sum + each.seconds, 0)).toBe(seconds)
    }),
  )
})
