import { dayRuleOf } from '#time/day-rule.ts'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dayTable } from '#time/calendar.ts'
import { testEntry, testEntryOfStretches } from '#test/entries.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import { piecesByDay, secondsWorkedBy, secondsWorkedWithin } from './worked-time.ts'

const NEW_YORK = 'America/New_York'
const MINUTE = 60_000
const DAY = 1440 * MINUTE
const start = Date.parse('2026-01-01T00:00:00Z')

/** Returns the seconds by day: 50 minutes are [3000]. */
function secondsByDay(entry: TimeEntry, zone: string): number[] {
  const table = dayTable({ from: '2026-01-01', to: '2027-01-01' }, dayRuleOf(zone))
  return piecesByDay(entry, table).map((piece) => piece.seconds)
}

/** Generates a session with pauses in order and unplaced pause seconds, at odd milliseconds. */
const anyEntry = fc
  .tuple(
    fc.integer({ min: start, max: start + 3 * DAY }),
    fc.array(fc.integer({ min: 0, max: 9 * 60 * MINUTE }), { minLength: 1, maxLength: 9 }),
    fc.double({ min: 0, max: 1, noNaN: true }),
  )
  .map((parts) => testEntryOfStretches(...parts))

describe('a session over midnight', () => {
  const span = { start: '2026-05-05T23:10:00Z', end: '2026-05-06T00:40:00Z' }

  test('A session over midnight counts on both days', () => {
    expect(secondsByDay(testEntry(span), 'UTC')).toEqual([50 * 60, 40 * 60])
  })

  test('A session over midnight with a pause over midnight counts what was worked on each day', () => {
    const entry = testEntry({
      ...span,
      pauses: [['2026-05-05T23:50:00Z', '2026-05-06T00:20:00Z']],
    })
    expect(secondsByDay(entry, 'UTC')).toEqual([40 * 60, 20 * 60])
  })

  test('A session over midnight is divided in proportion if only the sum of its pauses is known', () => {
    const entry = testEntry({ ...span, unplacedSeconds: 30 * 60 })
    expect(secondsByDay(entry, 'UTC')).toEqual([33 * 60 + 20, 26 * 60 + 40])
  })

  test('A session over midnight divides unplaced pauses in proportion to the time that is not known to be paused', () => {
    const entry = testEntry({
      ...span,
      pauses: [['2026-05-05T23:10:00Z', '2026-05-05T23:40:00Z']],
      unplacedSeconds: 30 * 60,
    })
    expect(secondsByDay(entry, 'UTC')).toEqual([10 * 60, 20 * 60])
  })

  test('A session over midnight leaves the remainder of rounding to the later day', () => {
    const entry = testEntry({ ...span, end: '2026-05-06T00:40:01Z', unplacedSeconds: 1801 })
    expect(secondsByDay(entry, 'UTC')).toEqual([1999, 1601])
  })

  test('A session over midnight is on one day for someone whose midnight is elsewhere', () => {
    expect(secondsByDay(testEntry(span), NEW_YORK)).toEqual([90 * 60])
  })

  test('A session that ends at midnight has no time on the next day', () => {
    const entry = testEntry({ ...span, end: '2026-05-06T00:00:00Z' })
    expect(secondsByDay(entry, 'UTC')).toEqual([50 * 60])
  })

  test('A session over midnight may last for days', () => {
    const entry = testEntry({ ...span, end: '2026-05-08T01:00:00Z' })
    expect(secondsByDay(entry, 'UTC')).toEqual([50 * 60, 86_400, 86_400, 3600])
  })
})

test('A session from 01:30 to 03:30 lasts 1 hour when the clocks go forward', () => {
  const entry = testEntry({ start: '2026-03-08T01:30-05:00', end: '2026-03-08T03:30-04:00' })
  expect(secondsByDay(entry, NEW_YORK)).toEqual([3600])
})

test('A session from 00:30 to 02:30 lasts 3 hours when the clocks go back', () => {
  const entry = testEntry({ start: '2026-11-01T00:30-04:00', end: '2026-11-01T02:30-05:00' })
  expect(secondsByDay(entry, NEW_YORK)).toEqual([3 * 3600])
})

test('A session counts up to 01:00 on the day before when the clocks skip midnight', () => {
  const entry = testEntry({ start: '2026-09-05T23:00-04:00', end: '2026-09-06T02:00-03:00' })
  expect(secondsByDay(entry, 'America/Santiago')).toEqual([3600, 3600])
})

test('An entry of another client with work but without a span counts where it began', () => {
  const at = '2026-05-05T23:10:00Z'
  expect(secondsByDay(testEntry({ start: at, end: at, durationSeconds: 600 }), 'UTC')).toEqual([
    600,
  ])
})

test('An entry of another client that claims more work than its span still counts all of it', () => {
  const entry = testEntry({
    start: '2026-05-05T23:00:00Z',
    end: '2026-05-06T01:00:00Z',
    durationSeconds: 10_800,
  })
  expect(secondsByDay(entry, 'UTC')).toEqual([5400, 5400])
})

test('An entry of another client that was paused all the time and claims work divides it over its span', () => {
  const span = ['2026-05-05T23:00:00Z', '2026-05-06T01:00:00Z'] as const
  const entry = testEntry({
    start: span[0],
    end: span[1],
    pauses: [span],
    durationSeconds: 3600,
  })
  expect(secondsByDay(entry, 'UTC')).toEqual([1800, 1800])
})

test('An entry of another client that spans more than a year counts where it began', () => {
  const entry = testEntry({
    start: '2026-05-05T23:10:00Z',
    end: '2030-01-01T00:00:00Z',
    durationSeconds: 7200,
  })
  expect(secondsByDay(entry, 'UTC')).toEqual([7200])
})

test('The parts of a session sum to its duration, however it is cut', () => {
  fc.assert(
    fc.property(
      anyEntry,
      fc.array(fc.integer({ min: start, max: start + 8 * DAY }), { maxLength: 12 }),
      (entry, cuts) => {
        const marks = [-Infinity, ...cuts.toSorted((a, b) => a - b), Infinity]
        const parts = marks
          .slice(1)
          .map((mark, index) => secondsWorkedWithin(entry, marks[index] ?? 0, mark))
        expect(parts.every((part) => part >= 0 && Number.isInteger(part))).toBe(true)
        expect(parts.reduce((sum, part) => sum + part, 0)).toBe(entry.durationSeconds)
      },
    ),
    { numRuns: 1000 },
  )
})

test('The parts of a session by day are the same parts, in any zone', () => {
  const zones = fc.constantFrom(NEW_YORK, 'Asia/Kolkata', 'Pacific/Auckland', 'America/Santiago')
  fc.assert(
    fc.property(anyEntry, zones, (entry, zone) => {
      const table = dayTable({ from: '2025-12-01', to: '2026-02-01' }, dayRuleOf(zone))
      const expected = Array.from({ length: table.days }, (_, index) => ({
        day: table.firstDay + index,
        seconds: secondsWorkedWithin(entry, table.starts[index] ?? 0, table.starts[index + 1] ?? 0),
      }))
      expect(piecesByDay(entry, table)).toEqual(expected.filter(({ seconds }) => seconds > 0))
    }),
  )
})

test('The parts of a session differ from exact proportion by less than a second', () => {
  fc.assert(
    fc.property(anyEntry, fc.integer({ min: 0, max: 8 * DAY }), (entry, after) => {
      const { intervals } = entry.pauses
      const unpausedUntil = (instant: number): number => {
        const until = Math.min(Math.max(instant, entry.startedAt), entry.endedAt)
        const paused = intervals.map(({ start, end }) =>
          Math.max(0, Math.min(end, until) - Math.min(start, until)),
        )
        return until - entry.startedAt - paused.reduce((sum, part) => sum + part, 0)
      }
      const instant = start + after
      const all = unpausedUntil(entry.endedAt)
      const share = all === 0 ? 0 : unpausedUntil(instant) / all
      const difference = secondsWorkedBy(entry, instant) - share * entry.durationSeconds
      expect(Math.abs(difference)).toBeLessThan(1)
    }),
    { numRuns: 1000 },
  )
})
