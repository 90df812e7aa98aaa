import { array, assert, integer, property, tuple } from 'fast-check'
import { expect, test } from 'vitest'

import { testEntry } from '#test/entries.ts'
import { dayRuleOf } from '#time/day-rule.ts'
import { secondsCountedTwice } from './counted-twice.ts'

const RULE = dayRuleOf('UTC')
const HOUR = 3600
const DAY = { from: '2026-11-18', to: '2026-11-19' } as const

type Times = readonly [start: string, end: string, pause?: readonly [string, string]]

function entryOf([start, end, pause]: Times) {
  return testEntry({ start, end, ...(pause && { pauses: [pause] }) })
}

test.each<[name: string, entries: Times[], seconds: number]>([
  ['nothing', [], 0],
  [
    'sessions that touch',
    [
      ['2026-11-18T09:00Z', '2026-11-18T10:00Z'],
      ['2026-11-18T10:00Z', '2026-11-18T11:00Z'],
    ],
    0,
  ],
  [
    'two long ones of a day',
    [
      ['2026-11-18T00:00Z', '2026-11-18T20:00Z'],
      ['2026-11-18T04:00Z', '2026-11-18T23:00Z'],
    ],
    16 * HOUR,
  ],
  [
    'three at once, of which two are too many',
    [
      ['2026-11-18T09:00Z', '2026-11-18T12:00Z'],
      ['2026-11-18T09:00Z', '2026-11-18T10:00Z'],
      ['2026-11-18T09:30Z', '2026-11-18T10:00Z'],
    ],
    1.5 * HOUR,
  ],
  [
    'work in the pause of another one',
    [
      ['2026-11-18T09:00Z', '2026-11-18T12:00Z', ['2026-11-18T10:00Z', '2026-11-18T11:00Z']],
      ['2026-11-18T10:00Z', '2026-11-18T11:00Z'],
    ],
    0,
  ],
  [
    'only what is on the day',
    [
      ['2026-11-17T22:00Z', '2026-11-18T01:00Z'],
      ['2026-11-17T23:00Z', '2026-11-18T02:00Z'],
    ],
    HOUR,
  ],
])('Time counted twice: %s', (_name, times, seconds) => {
  const entries = times.map(entryOf)
  expect(secondsCountedTwice(entries, DAY, RULE)).toBe(seconds)
  expect(secondsCountedTwice(entries.toReversed(), DAY, RULE)).toBe(seconds)
})

test('A deleted session counts nothing twice', () => {
  const times = { start: '2026-11-18T09:00Z', end: '2026-11-18T10:00Z' }
  const entries = [testEntry(times), testEntry({ ...times, deletedAt: 0 })]
  expect(secondsCountedTwice(entries, DAY, RULE)).toBe(0)
})

test('What is counted twice is the work without the time in which somebody worked', () => {
  const minute = integer({ min: 0, max: 24 * 60 })
  assert(
    property(array(tuple(minute, minute), { maxLength: 8 }), (spans) => {
      const first = Date.parse(DAY.from)
      const at = (minutes: number) => first + minutes * 60_000
      const sorted = spans.map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const)
      const entries = sorted.map(([from, to]) => testEntry({ start: at(from), end: at(to) }))
      const all = sorted.reduce((sum, [from, to]) => sum + to - from, 0)
      const passed = Array.from({ length: 24 * 60 }, (_, index) => index).filter((index) =>
        sorted.some(([from, to]) => from <= index && index < to),
      ).length
      expect(secondsCountedTwice(entries, DAY, RULE)).toBe((all - passed) * 60)
    }),
  )
})
