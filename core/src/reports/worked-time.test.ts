import { dayRuleOf } from '#time/day-rule.ts'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { dayTable } from '#time/calendar.ts'
import { testEntry, testEntryOfStretches } from '#test/entries.ts'
import { piecesByDay, secondsWorkedBy, secondsWorkedWithin } from './worked-time.ts'

const NEW_YORK = 'America/New_York'
const MINUTE = 60_000
const DAY = 1440 * MINUTE
const start = Date.parse('2026-01-01T00:00:00Z')

/** Generates a session with pauses in order and unplaced pause seconds, at odd milliseconds. */
const anyEntry = fc
  .tuple(
    fc.integer({ min: start, max: start + 3 * DAY }),
    fc.array(fc.integer({ min: 0, max: 9 * 60 * MINUTE }), { minLength: 1, maxLength: 9 }),
    fc.double({ min: 0, max: 1, noNaN: true }),
  )
  .map((parts) => testEntryOfStretches(...parts))

const SPAN = { start: '2026-05-05T23:10:00Z', end: '2026-05-06T00:40:00Z' }
const FROM_MIDNIGHT = { start: '2026-05-05T23:00:00Z', end: '2026-05-06T01:00:00Z' }

test.each([
  ['over midnight counts on both days', SPAN, 'UTC', [3000, 2400]],
  [
    'with a pause over midnight counts what was worked on each day',
    { ...SPAN, pauses: [['2026-05-05T23:50:00Z', '2026-05-06T00:20:00Z']] },
    'UTC',
    [2400, 1200],
  ],
  [
    'of which only the sum of the pauses is known is divided in proportion',
    { ...SPAN, unplacedSeconds: 1800 },
    'UTC',
    [2000, 1600],
  ],
  [
    'with unplaced pauses is divided in proportion to the time that is not known to be paused',
    {
      ...SPAN,
      pauses: [['2026-05-05T23:10:00Z', '2026-05-05T23:40:00Z']],
      unplacedSeconds: 1800,
    },
    'UTC',
    [600, 1200],
  ],
  [
    'leaves the remainder of rounding to the later day',
    { ...SPAN, end: '2026-05-06T00:40:01Z', unplacedSeconds: 1801 },
    'UTC',
    [1999, 1601],
  ],
  ['is on one day where midnight is elsewhere', SPAN, NEW_YORK, [5400]],
  ['that ends at midnight is on one day', { ...SPAN, end: '2026-05-06T00:00:00Z' }, 'UTC', [3000]],
  [
    'counts up to 01:00 on the day before when the clocks skip midnight',
    { start: '2026-09-05T23:00-04:00', end: '2026-09-06T02:00-03:00' },
    'America/Santiago',
    [3600, 3600],
  ],
  [
    'of another client with work but without a span counts where it began',
    { start: SPAN.start, end: SPAN.start, durationSeconds: 600 },
    'UTC',
    [600],
  ],
  [
    'of another client that claims more work than its span counts with all of it',
    { ...FROM_MIDNIGHT, durationSeconds: 10_800 },
    'UTC',
    [5400, 5400],
  ],
  [
    'of another client that was paused all the time and claims work divides it over its span',
    {
      ...FROM_MIDNIGHT,
      pauses: [[FROM_MIDNIGHT.start, FROM_MIDNIGHT.end]],
      durationSeconds: 3600,
    },
    'UTC',
    [1800, 1800],
  ],
  [
    'of another client that spans more than a year counts where it began',
    { ...SPAN, end: '2030-01-01T00:00:00Z', durationSeconds: 7200 },
    'UTC',
    [7200],
  ],
] as const)('A session %s', (_, entry, zone, expected) => {
  const table = dayTable({ from: '2026-01-01', to: '2027-01-01' }, dayRuleOf(zone))
  expect(piecesByDay(testEntry(entry), table).map(({ seconds }) => seconds)).toEqual(expected)
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
