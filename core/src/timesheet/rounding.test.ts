import { array, assert, constantFrom, integer, property } from 'fast-check'
import { expect, test } from 'vitest'

import type { DurationFormat } from '#time/duration.ts'
import {
  ROUNDING_DIRECTIONS,
  ROUNDING_STEPS,
  roundingSentence,
  roundSeconds,
  shareRounded,
  sheetDuration,
  sumOf,
} from './rounding.ts'
import type { Rounding } from './rounding.ts'

type Case = readonly [
  time: string,
  step: Rounding['step'],
  direction: Rounding['direction'],
  rounded: string,
]

// Worked out by hand.
test.each<Case>([
  ['0:00:00', 15, 'up', '0:00:00'],
  ['0:00:01', 15, 'up', '0:15:00'],
  ['0:15:00', 15, 'up', '0:15:00'],
  ['0:15:01', 15, 'up', '0:30:00'],
  ['0:14:59', 15, 'down', '0:00:00'],
  ['0:29:59', 15, 'down', '0:15:00'],
  ['0:07:29', 15, 'nearest', '0:00:00'],
  ['0:07:30', 15, 'nearest', '0:15:00'],
  ['0:22:29', 15, 'nearest', '0:15:00'],
  ['0:02:29', 5, 'nearest', '0:00:00'],
  ['0:02:30', 5, 'nearest', '0:05:00'],
  ['1:05:01', 5, 'up', '1:10:00'],
  ['0:03:00', 6, 'nearest', '0:06:00'],
  ['0:02:59', 6, 'nearest', '0:00:00'],
  ['1:00:01', 6, 'up', '1:06:00'],
  ['1:05:59', 6, 'down', '1:00:00'],
  ['0:45:00', 30, 'nearest', '1:00:00'],
  ['0:44:59', 30, 'nearest', '0:30:00'],
  ['7:31:00', 30, 'up', '8:00:00'],
  ['0:00:30', 1, 'nearest', '0:01:00'],
  ['0:00:29', 1, 'nearest', '0:00:00'],
  ['25:00:01', 30, 'up', '25:30:00'],
  ['3:17:42', 0, 'up', '3:17:42'],
])('%s in steps of %d minutes, rounded %s, is %s', (time, step, direction, rounded) => {
  expect(clock(roundSeconds(seconds(time), { step, direction }))).toBe(rounded)
})

type Shares = readonly [
  times: string,
  step: Rounding['step'],
  direction: Rounding['direction'],
  shares: string,
]

test.each<Shares>([
  // 0:23 is 0:30; the larger remainder, 0:08 of 0:15, gets the step that is left.
  ['0:15:00 0:08:00', 15, 'up', '0:15:00 0:15:00'],
  // 0:40 is 0:45, three steps: one each to 0:20 rounded down, and the third to the first of the equal ones.
  ['0:20:00 0:20:00', 15, 'up', '0:30:00 0:15:00'],
  ['0:20:00 0:20:00', 15, 'down', '0:15:00 0:15:00'],
  // 0:06 is one step to the nearest of 5, for the larger part.
  ['0:02:00 0:04:00', 5, 'nearest', '0:00:00 0:05:00'],
  ['0:02:00 0:02:00 0:02:00', 6, 'up', '0:06:00 0:00:00 0:00:00'],
  ['0:05:00 0:05:00 0:05:00', 6, 'up', '0:06:00 0:06:00 0:06:00'],
  ['0:05:00 0:05:00 0:05:00', 6, 'down', '0:06:00 0:06:00 0:00:00'],
  ['1:00:00 2:00:00', 30, 'up', '1:00:00 2:00:00'],
  ['1:00:01 2:00:00', 30, 'up', '1:30:00 2:00:00'],
  ['0:01:00', 30, 'up', '0:30:00'],
  ['0:01:00', 30, 'nearest', '0:00:00'],
  ['0:01:01 0:02:02', 0, 'up', '0:01:01 0:02:02'],
  ['', 15, 'up', ''],
])(
  '%s share their sum in steps of %d minutes, rounded %s: %s',
  (times, step, direction, shares) => {
    const parts = times.split(' ').filter((time) => time !== '')
    expect(shareRounded(parts.map(seconds), { step, direction }).map(clock).join(' ')).toBe(shares)
  },
)

test('Shares sum to the rounded sum, and each is less than a step from its part, in whole steps', () => {
  const parts = array(integer({ min: 0, max: 200_000 }), { maxLength: 30 })
  const rule = [constantFrom(...ROUNDING_STEPS), constantFrom(...ROUNDING_DIRECTIONS)] as const
  assert(
    property(parts, ...rule, (times, step, direction) => {
      const shares = shareRounded(times, { step, direction })
      expect(sumOf(shares)).toBe(roundSeconds(sumOf(times), { step, direction }))
      for (const [index, share] of shares.entries()) {
        // Times are whole seconds, so that those without a step are off by less than one.
        const size = Math.max(1, step * 60)
        expect(Math.abs(share - (times[index] ?? 0))).toBeLessThan(size)
        expect(share % size).toBe(0)
      }
    }),
  )
})

test('No part gets less of a longer time than of a shorter one', () => {
  const parts = array(integer({ min: 0, max: 20_000 }), { minLength: 2, maxLength: 10 })
  assert(
    property(parts, constantFrom(...ROUNDING_DIRECTIONS), (times, direction) => {
      const sorted = times.toSorted((a, b) => b - a)
      const shares = shareRounded(sorted, { step: 15, direction })
      expect(shares).toEqual(shares.toSorted((a, b) => b - a))
    }),
  )
})

test.each<[Rounding, string]>([
  [{ step: 0, direction: 'up', per: 'session' }, 'Times are exact, to the second.'],
  [{ step: 15, direction: 'up', per: 'session' }, 'Each session is rounded up to 15 minutes.'],
  [
    { step: 6, direction: 'nearest', per: 'line' },
    'Each task of a day is rounded to the nearest 6 minutes.',
  ],
  [
    { step: 1, direction: 'down', per: 'total' },
    'The total is rounded down to 1 minute. The lines share it in steps of 1 minute, by largest remainder.',
  ],
])('A rule is one sentence: %j', (rule, sentence) => {
  expect(roundingSentence(rule)).toBe(sentence)
})

test.each<[string, Rounding['step'], DurationFormat, string]>([
  ['1:05:09', 0, 'h m', '1h 5m 9s'],
  ['1:05:09', 0, 'decimal', '1h 5m 9s'],
  ['1:15:00', 15, 'h m', '1h 15m'],
  ['1:15:00', 15, 'h:mm', '1:15'],
  ['1:15:00', 15, 'decimal', '1.25h'],
  ['0:06:00', 6, 'decimal', '0.10h'],
  ['0:30:00', 30, 'decimal', '0.50h'],
  // Three times 0.08 would be 0.24, beside a total of 0.25.
  ['0:05:00', 5, 'decimal', '0:05'],
  ['0:01:00', 1, 'decimal', '0:01'],
])('%s in steps of %d minutes is written as %s: %s', (time, step, format, text) => {
  expect(sheetDuration(seconds(time), { step }, format)).toBe(text)
})

function seconds(time: string): number {
  const [hours = 0, minutes = 0, rest = 0] = time.split(':').map(Number)
  return hours * 3600 + minutes * 60 + rest
}

function clock(time: number): string {
  return `${Math.floor(time / 3600)}:${two((time % 3600) / 60)}:${two(time % 60)}`
}

function two(part: number): string {
  return String(Math.floor(part)).padStart(2, '0')
}
