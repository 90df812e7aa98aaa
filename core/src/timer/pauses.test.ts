import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { COLLECTIONS } from '#collections.ts'
import type { Pauses } from './pauses.ts'
import {
  addPause,
  clipPauses,
  NO_PAUSES,
  pausedMilliseconds,
  pauseDurationSeconds,
  pausesFromWire,
  pausesOfSum,
  pausesToWire,
} from './pauses.ts'

const day = Date.UTC(2026, 0, 1)
type Pair = readonly [start: number, end: number]

/** Pauses from pairs of seconds of the day. */
function pauses(pairs: readonly Pair[], unplacedSeconds = 0): Pauses {
  const intervals = pairs.map(([start, end]) => ({
    start: day + start * 1000,
    end: day + end * 1000,
  }))
  return { intervals, unplacedSeconds }
}

/** The pauses of a document with this text and this sum. */
function read(text: string | null, seconds: number): Pauses {
  return pausesOfSum(pausesFromWire(text).intervals, seconds)
}

test.each<[string, Pair[], Pair, Pair[]]>([
  ['the first one', [], [0, 5], [[0, 5]]],
  ['an earlier one', [[10, 20]], [0, 5], [[0, 5], [10, 20]]], // prettier-ignore
  ['one that it touches', [[10, 20]], [20, 30], [[10, 20], [20, 30]]], // prettier-ignore
  ['one that overlaps two', [[0, 10], [20, 30]], [5, 40], [[0, 40]]], // prettier-ignore
  ['one within another', [[0, 60]], [5, 6], [[0, 60]]],
  ['one of no length', [[0, 10]], [20, 20], [[0, 10]]],
  ['a backwards one', [[0, 10]], [20, 19], [[0, 10]]],
])(
  'Adding a pause keeps the pauses in order, and none counts twice: %s',
  (_, before, [start, end], after) => {
    const added = addPause(pauses(before, 7), day + start * 1000, day + end * 1000)
    expect(added).toEqual(pauses(after, 7))
  },
)

test('The sum of pauses counts placed and unplaced pauses and rounds to seconds only at the end', () => {
  const halves = pauses([[0, 0.5], [1, 1.5]], 60) // prettier-ignore
  expect(pausedMilliseconds(halves)).toBe(61_000)
  expect(pauseDurationSeconds(halves)).toBe(61)
  expect(pauseDurationSeconds({ ...halves, intervals: halves.intervals.slice(1) })).toBe(60)
})

test('The pauses within a stretch keep the unplaced seconds', () => {
  expect(clipPauses(pauses([[0, 10]], 7), day + 4000, day + 6000)).toEqual(pauses([[4, 6]], 7))
})

test('Pauses on the wire are pairs of instants, or nothing', () => {
  expect(pausesToWire(pauses([], 60))).toBeNull()
  expect(pausesToWire(pauses([[0, 10]]))).toBe(
    '[["2026-01-01T00:00:00.000Z","2026-01-01T00:00:10.000Z"]]',
  )
})

test('Pauses come back from the wire unchanged', () => {
  const anyPauses = fc
    .array(fc.integer({ min: 1, max: 100_000_000 }), { maxLength: 20 })
    .map((steps) => {
      let at = day
      return steps.reduce((all, step, index) => {
        at += step
        return index % 2 === 0 ? all : addPause(all, at - step, at)
      }, NO_PAUSES)
    })
  fc.assert(
    fc.property(anyPauses, fc.nat(10_000), ({ intervals }, unplacedSeconds) => {
      const all = { intervals, unplacedSeconds }
      expect(read(pausesToWire(all), pauseDurationSeconds(all))).toEqual(all)
    }),
  )
})

test('Pauses of another client have a sum and no place', () => {
  expect(read(null, 90)).toEqual(pauses([], 90))
  expect(read(pausesToWire(pauses([[0, 10]])), 90)).toEqual(pauses([[0, 10]], 80))
  expect(read(pausesToWire(pauses([[0, 10]])), 0)).toEqual(pauses([[0, 10]]))
})

test.each([
  'no JSON',
  '{"start":1}',
  '"text"',
  'null',
  '[1,2]',
  '[[]]',
  '[["2026-01-01T00:00:00.000Z"]]',
  '[[1767225600000,1767225610000]]',
  '[["2026-01-01T00:00:10.000Z","2026-01-01T00:00:00.000Z"]]',
  '[["today","tomorrow"]]',
  '[[null,null]]',
])('Pauses on the wire that cannot be read, %s, leave the sum', (text) => {
  expect(read(text, 90)).toEqual(pauses([], 90))
})

test('Pauses on the wire are sorted, and joined if they overlap', () => {
  const unsorted = pausesToWire(pauses([[20, 30], [0, 10], [5, 20]])) // prettier-ignore
  expect(read(unsorted, 30)).toEqual(pauses([[0, 20], [20, 30]])) // prettier-ignore
})

test('Pauses that are too many for the attribute lose their place, never their time', () => {
  const many = pauses(Array.from({ length: 2000 }, (_, index) => [10 * index, 10 * index + 3]))
  const text = pausesToWire(many) ?? ''
  expect(text.length).toBeLessThanOrEqual(COLLECTIONS.timer_sessions.pauses.size)
  const all = read(text, pauseDurationSeconds(many))
  expect(all.intervals.length).toBeGreaterThan(1000)
  expect(pauseDurationSeconds(all)).toBe(6000)
})
