import { expect, test } from 'vitest'
import {
  clipIntervals,
  instantFromWire,
  instantToWire,
  intervalsBetween,
  totalMilliseconds,
} from './instant.ts'

test('An instant on the wire is UTC text with milliseconds', () => {
  expect(instantToWire(Date.UTC(2026, 0, 1, 0, 0, 0, 7))).toBe('2026-01-01T00:00:00.007Z')
})

test.each([
  ['2026-01-01T00:00:00.000+00:00', Date.UTC(2026, 0)],
  ['2026-01-01T00:00:00.000Z', Date.UTC(2026, 0)],
  ['2026-01-01T05:30:00.000+05:30', Date.UTC(2026, 0)],
  ['1900-01-01T00:00:00Z', Date.UTC(1900, 0)],
  ['1899-12-31T23:59:59Z', null],
  ['2200-01-01T00:00:00Z', null],
  ['+275760-09-13T00:00:00.000Z', null],
  ['yesterday', null],
  ['', null],
  [null, null],
  [undefined, null],
])('The instant %s on the wire is read as %s', (text, instant) => {
  expect(instantFromWire(text)).toBe(instant)
})

test('The length of intervals is the sum of their lengths', () => {
  expect(totalMilliseconds([])).toBe(0)
  expect(
    totalMilliseconds([
      { start: 1, end: 4 },
      { start: 10, end: 20 },
    ]),
  ).toBe(13)
})

test('Intervals are cut to a span, and dropped outside of it', () => {
  const intervals = [
    { start: 0, end: 10 },
    { start: 12, end: 14 },
    { start: 18, end: 30 },
    { start: 40, end: 50 },
  ]
  expect(clipIntervals(intervals, 10, 20)).toEqual([
    { start: 12, end: 14 },
    { start: 18, end: 20 },
  ])
})

test('The parts of a span between intervals are found', () => {
  const span = { start: 10, end: 50 }
  const intervals = [
    { start: 0, end: 15 },
    { start: 20, end: 30 },
    { start: 25, end: 28 },
    { start: 45, end: 60 },
    { start: 70, end: 80 },
  ]
  expect(intervalsBetween(intervals, span)).toEqual([
    { start: 15, end: 20 },
    { start: 30, end: 45 },
  ])
  expect(intervalsBetween(intervals.slice(4), span)).toEqual([span])
  expect(intervalsBetween([], { start: 10, end: 10 })).toEqual([])
})
