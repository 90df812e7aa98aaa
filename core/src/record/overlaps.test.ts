import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { workedIntervals } from './entry-edit.ts'
import { totalMilliseconds } from '#time/instant.ts'
import { allOverlaps, areRoundings, overlapping, trimNeighbours } from './overlaps.ts'
import { mergeIntervals } from '#timer/pauses.ts'
import { testEntry, testEntryOfStretches } from '#test/entries.ts'
import type { TimeEntry } from './time-entry.ts'

const MINUTE = 60_000
const NOW = Date.parse('2026-03-20T12:00:00Z')

function at(time: string): number {
  return Date.parse(`2026-03-09T${time}Z`)
}

/** entry('a', '09:00', '10:00', ['09:10', '09:20']) */
function entry(id: string, from: string, to: string, ...pauses: [string, string][]): TimeEntry {
  return testEntry({
    id,
    start: at(from),
    end: at(to),
    pauses: pauses.map(([start, end]) => [at(start), at(end)]),
  })
}

function newIds(): () => string {
  let made = 0
  return () => `new-${++made}`
}

/** 'a 09:00–10:00' of each entry that is not deleted, 'a deleted' of the others. */
function changed(one: TimeEntry, ...others: TimeEntry[]): string[] {
  return trimNeighbours(one, others, newIds(), NOW).map(({ after }) => {
    const [start, end] = [after.startedAt, after.endedAt].map((instant) =>
      new Date(instant).toISOString().slice(11, 16),
    )
    return after.deletedAt === null ? `${after.id} ${start}–${end}` : `${after.id} deleted`
  })
}

describe('entries that overlap one', () => {
  const nine = entry('nine', '09:00', '10:00')

  test.each([
    ['the one before it', entry('other', '08:00', '09:00'), false],
    ['the one after it', entry('other', '10:00', '11:00'), false],
    ['one that reaches into it', entry('other', '08:00', '09:01'), true],
    ['one that begins in it', entry('other', '09:59', '11:00'), true],
    ['one within it', entry('other', '09:10', '09:20'), true],
    ['one around it', entry('other', '08:00', '11:00'), true],
    [
      'one that was paused at that time',
      entry('other', '08:00', '11:00', ['09:00', '10:00']),
      false,
    ],
    ['one that paused for most of it', entry('other', '08:00', '11:00', ['09:00', '09:59']), true],
    ['one of no length', entry('other', '09:30', '09:30'), false],
    ['itself', { ...nine, startedAt: at('08:00') }, false],
    ['a deleted one', { ...entry('other', '09:00', '10:00'), deletedAt: NOW }, false],
  ])('Entries that overlap one are found: %s', (_, other, overlaps) => {
    expect(overlapping(nine, [other])).toEqual(overlaps ? [other] : [])
  })

  test('Entries that overlap one are sorted by their start', () => {
    const late = entry('late', '09:30', '09:40')
    const early = entry('early', '08:30', '09:10')
    expect(overlapping(nine, [late, nine, early])).toEqual([early, late])
  })
})

describe('trimming the neighbours', () => {
  const ten = entry('ten', '10:00', '11:00')

  test.each([
    ['cuts an end', [entry('a', '09:00', '10:30')], ['a 09:00–10:00']],
    ['cuts a start', [entry('a', '10:30', '12:00')], ['a 11:00–12:00']],
    [
      'splits one around it',
      [entry('a', '09:00', '12:00')],
      ['a 09:00–10:00', 'new-1 11:00–12:00'],
    ],
    ['deletes one within it', [entry('a', '10:00', '11:00')], ['a deleted']],
    ['leaves one alone that only touches it', [entry('a', '09:00', '10:00')], []],
    [
      'deletes one that leaves a pause',
      [entry('a', '10:00', '12:00', ['11:00', '12:00'])],
      ['a deleted'],
    ],
    [
      'does all of it at once',
      [entry('a', '09:00', '10:01'), entry('b', '10:20', '10:30'), entry('c', '10:59', '11:30')],
      ['a 09:00–10:00', 'b deleted', 'c 11:00–11:30'],
    ],
  ])('Neighbours are trimmed: %s', (_, neighbours, expected) => {
    expect(changed(ten, ...neighbours)).toEqual(expected)
  })

  test('Trimming the neighbours leaves work that was done in a pause of the entry', () => {
    const paused = entry('paused', '10:00', '14:00', ['12:00', '13:00'])
    expect(changed(paused, entry('a', '12:30', '13:30'))).toEqual(['a 12:30–13:00'])
  })

  test('Trimming the neighbours keeps pauses and returns what changed', () => {
    const around = entry('a', '09:00', '12:00', ['09:10', '09:20'], ['11:30', '11:40'])
    const changes = trimNeighbours(ten, [around], newIds(), NOW)
    expect(changes).toMatchObject([
      {
        before: around,
        after: {
          durationSeconds: 50 * 60,
          pauses: { intervals: [{ start: at('09:10'), end: at('09:20') }] },
          updatedAt: NOW,
        },
      },
      {
        before: null,
        after: {
          durationSeconds: 50 * 60,
          pauses: { intervals: [{ start: at('11:30'), end: at('11:40') }] },
          sessionId: null,
          createdAt: NOW,
          updatedAt: NOW,
        },
      },
    ])
  })
})

describe('trims without a question', () => {
  const ten = entry('ten', '10:00', '11:00')

  test.each([
    ['an end of two seconds', [entry('a', '09:00', '10:00:02')], true],
    ['a start of 59 seconds', [entry('a', '10:59:01', '12:00')], true],
    ['one at each end', [entry('a', '09:00', '10:00:40'), entry('b', '10:59:20', '12:00')], true],
    ['an end of a minute', [entry('a', '09:00', '10:01')], false],
    [
      'one short and one long',
      [entry('a', '09:00', '10:00:02'), entry('b', '10:50', '12:00')],
      false,
    ],
    ['an entry that would be deleted', [entry('a', '10:10:00', '10:10:02')], false],
    [
      'an end that was mostly a pause',
      [entry('a', '09:00', '10:30', ['10:00:10', '10:29'])],
      false,
    ],
  ])(
    'Only ends of less than a minute are trimmed without a question: %s',
    (_, neighbours, expected) => {
      expect(areRoundings(trimNeighbours(ten, neighbours, newIds(), NOW))).toBe(expected)
    },
  )

  test('A split is no rounding, however short the entry that causes it', () => {
    const brief = entry('brief', '10:00', '10:00:30')
    const around = entry('around', '09:00', '12:00')
    expect(areRoundings(trimNeighbours(brief, [around], newIds(), NOW))).toBe(false)
  })
})

test('All overlaps of a history are its overlapping pairs, with the time that is in both', () => {
  const long = entry('long', '09:00', '12:00', ['09:30', '10:00'])
  const paused = entry('paused', '09:30', '09:50')
  const early = entry('early', '09:40', '10:10')
  const late = entry('late', '11:30', '13:00')
  const after = entry('after', '13:00', '14:00')
  const deleted = { ...entry('deleted', '13:00', '14:00'), deletedAt: NOW }
  expect(allOverlaps([long, paused, early, late, after, deleted])).toEqual([
    {
      first: long,
      second: early,
      interval: { start: at('10:00'), end: at('10:10') },
      seconds: 600,
    },
    {
      first: paused,
      second: early,
      interval: { start: at('09:40'), end: at('09:50') },
      seconds: 600,
    },
    {
      first: long,
      second: late,
      interval: { start: at('11:30'), end: at('12:00') },
      seconds: 1800,
    },
  ])
})

test('All overlaps of a history are the same as the overlaps of each entry on its own', () => {
  fc.assert(
    fc.property(anyHistory, (entries) => {
      const sorted = entries.toSorted((a, b) => a.startedAt - b.startedAt)
      const pairs = allOverlaps(sorted).flatMap(({ first, second }) => [
        `${first.id} ${second.id}`,
        `${second.id} ${first.id}`,
      ])
      const one = sorted.flatMap((entry) =>
        overlapping(entry, sorted).map((other) => `${entry.id} ${other.id}`),
      )
      expect(pairs.toSorted()).toEqual(one.toSorted())
    }),
  )
})

test('Trimming removes all overlaps of a history, and no other work is lost', () => {
  fc.assert(
    fc.property(anyHistory, ([entry, ...others]) => {
      fc.pre(entry !== undefined)
      const overlapped = overlapping(entry, others)
      const changes = trimNeighbours(entry, overlapped, newIds(), NOW)
      const left = changes.map((change) => change.after).filter((one) => one.deletedAt === null)
      expect(overlapping(entry, left)).toEqual([])
      const before = mergeIntervals([entry, ...overlapped].flatMap(workedIntervals))
      const after = mergeIntervals([entry, ...left].flatMap(workedIntervals))
      // Remainders under a second are dropped: at most one on each side of each stretch of work.
      const dropped = totalMilliseconds(before) - totalMilliseconds(after)
      const stretches = overlapped.flatMap(workedIntervals).length + workedIntervals(entry).length
      expect(dropped).toBeGreaterThanOrEqual(0)
      expect(dropped).toBeLessThan(1000 * (stretches + 1) * (overlapped.length + 1))
    }),
  )
})

const anyHistory = fc.array(
  fc
    .tuple(
      fc.integer({ min: NOW, max: NOW + 300 * MINUTE }),
      fc.array(fc.integer({ min: 0, max: 60 * MINUTE }), { minLength: 1, maxLength: 5 }),
    )
    .map((parts) => testEntryOfStretches(...parts)),
  { minLength: 1, maxLength: 8 },
)
