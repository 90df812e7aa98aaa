import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { COLLECTIONS } from '#collections.ts'
import type { Pauses } from './pauses.ts'
import {
  addPause,
  clipPauses,
  NO_PAUSES,
  pausedMilliseconds,
  pauseDurationSeconds,
  pausesFromWire,
  pausesToWire,
} from './pauses.ts'

const day = Date.UTC(2026, 0, 1)

/** Pauses from pairs of seconds of the day. */
function pauses(pairs: readonly (readonly [number, number])[], unplacedSeconds = 0): Pauses {
  return {
    intervals: pairs.map(([start, end]) => ({ start: day + start * 1000, end: day + end * 1000 })),
    unplacedSeconds,
  }
}

describe('adding a pause', () => {
  test('Adding a pause keeps the pauses in order', () => {
    expect(addPause(NO_PAUSES, day, day + 5000)).toEqual(pauses([[0, 5]]))
    expect(addPause(pauses([[10, 20]]), day, day + 5000)).toEqual(
      pauses([
        [0, 5],
        [10, 20],
      ]),
    )
  })

  test('Adding a pause keeps one that it touches', () => {
    const touching = pauses([
      [10, 20],
      [20, 30],
    ])
    expect(addPause(pauses([[10, 20]]), day + 20_000, day + 30_000)).toEqual(touching)
  })

  test('Adding a pause joins pauses that overlap, so that none counts twice', () => {
    expect(
      addPause(
        pauses([
          [0, 10],
          [20, 30],
        ]),
        day + 5000,
        day + 40_000,
      ),
    ).toEqual(pauses([[0, 40]]))
    expect(addPause(pauses([[0, 60]]), day + 5000, day + 6000)).toEqual(pauses([[0, 60]]))
  })

  test('Adding a pause of no length or a backwards pause changes nothing', () => {
    const before = pauses([[0, 10]], 7)
    expect(addPause(before, day + 20_000, day + 20_000)).toBe(before)
    expect(addPause(before, day + 20_000, day + 19_000)).toBe(before)
  })
})

describe('the sum of pauses', () => {
  test('The sum of pauses counts placed and unplaced pauses and rounds to seconds only at the end', () => {
    const halves = {
      intervals: [
        { start: day, end: day + 500 },
        { start: day + 1000, end: day + 1500 },
      ],
      unplacedSeconds: 60,
    }
    expect(pausedMilliseconds(halves)).toBe(61_000)
    expect(pauseDurationSeconds(halves)).toBe(61)
    expect(pauseDurationSeconds({ ...halves, intervals: halves.intervals.slice(1) })).toBe(60)
  })

  test('The sum of pauses within a stretch keeps the unplaced seconds', () => {
    expect(clipPauses(pauses([[0, 10]], 7), day + 4000, day + 6000)).toEqual(pauses([[4, 6]], 7))
  })
})

describe('pauses on the wire', () => {
  test('Pauses on the wire are pairs of instants, or nothing', () => {
    expect(pausesToWire(pauses([], 60))).toBeNull()
    expect(pausesToWire(pauses([[0, 10]]))).toBe(
      '[["2026-01-01T00:00:00.000Z","2026-01-01T00:00:10.000Z"]]',
    )
  })

  test('Pauses come back from the wire unchanged', () => {
    const anyPauses = fc
      .array(fc.integer({ min: 1, max: 100_000_000 }), { maxLength: 20 })
      .map((steps) =>
        steps.reduce<{ at: number; pauses: Pauses }>(
          ({ at, pauses }, step, index) => ({
            at: at + step,
            pauses: index % 2 === 0 ? pauses : addPause(pauses, at, at + step),
          }),
          { at: day, pauses: NO_PAUSES },
        ),
      )
    fc.assert(
      fc.property(anyPauses, fc.nat(10_000), ({ pauses: { intervals } }, unplacedSeconds) => {
        const all = { intervals, unplacedSeconds }
        expect(pausesFromWire(pausesToWire(all), pauseDurationSeconds(all))).toEqual(all)
      }),
    )
  })

  test('Pauses of another client have a sum and no place', () => {
    expect(pausesFromWire(null, 90)).toEqual({ intervals: [], unplacedSeconds: 90 })
    expect(pausesFromWire(pausesToWire(pauses([[0, 10]])), 90)).toEqual(pauses([[0, 10]], 80))
    expect(pausesFromWire(pausesToWire(pauses([[0, 10]])), 0)).toEqual(pauses([[0, 10]]))
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
    expect(pausesFromWire(text, 90)).toEqual({ intervals: [], unplacedSeconds: 90 })
  })

  test('Pauses on the wire are sorted, and joined if they overlap', () => {
    const text = JSON.stringify([
      ['2026-01-01T00:00:20.000Z', '2026-01-01T00:00:30.000Z'],
      ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:10.000Z'],
      ['2026-01-01T00:00:05.000Z', '2026-01-01T00:00:20.000Z'],
    ])
    const read = pauses([
      [0, 20],
      [20, 30],
    ])
    expect(pausesFromWire(text, 30)).toEqual(read)
  })

  test('Pauses that are too many for the attribute lose their place, never their time', () => {
    const many = pauses(Array.from({ length: 2000 }, (_, index) => [10 * index, 10 * index + 3]))
    const text = pausesToWire(many) ?? ''
    expect(text.length).toBeLessThanOrEqual(COLLECTIONS.timer_sessions.pauses.size)
    const read = pausesFromWire(text, pauseDurationSeconds(many))
    expect(read.intervals.length).toBeGreaterThan(1000)
    expect(pauseDurationSeconds(read)).toBe(6000)
  })
})
