import { expect, test } from 'vitest'
import {
  exactDuration,
  formatDuration,
  formatTimer,
  hoursLabel,
  spokenDuration,
} from './duration.ts'

const HOUR = 3600

test.each([
  [0, '0m'],
  [40, '0m'],
  [59, '0m'],
  [60, '1m'],
  [119.999, '1m'],
  [HOUR - 1, '59m'],
  [HOUR, '1h 0m'],
  [HOUR + 5 * 60 + 59, '1h 5m'],
  [28_800, '8h 0m'],
  [1234 * HOUR + 56 * 60, '1234h 56m'],
  [-1, '0m'],
  [Number.NaN, '0m'],
  [Number.POSITIVE_INFINITY, '0m'],
])('A duration of %s seconds is written as %s', (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text)
})

test.each([
  [40, '0:00', '0.00h'],
  [5 * 60, '0:05', '0.08h'],
  [HOUR + 5 * 60 + 59, '1:05', '1.08h'],
  [1234 * HOUR + 56 * 60, '1234:56', '1234.93h'],
  [Number.NaN, '0:00', '0.00h'],
])(
  'A duration of %s seconds is written as %s in hours and minutes and as %s in decimals',
  (seconds, clock, decimal) => {
    expect(formatDuration(seconds, 'h:mm')).toBe(clock)
    expect(formatDuration(seconds, 'decimal')).toBe(decimal)
  },
)

test.each([
  [0, '00:00'],
  [9, '00:09'],
  [61, '01:01'],
  [HOUR - 1, '59:59'],
  [HOUR, '01:00:00'],
  [9 * HOUR + 9 * 60 + 9, '09:09:09'],
  [100 * HOUR, '100:00:00'],
  [-5, '00:00'],
  [Number.NaN, '00:00'],
])('The timer at %s seconds shows %s', (seconds, text) => {
  expect(formatTimer(seconds)).toBe(text)
})

test.each([
  [0, '0s'],
  [40, '40s'],
  [60, '1m'],
  [61, '1m 1s'],
  [HOUR + 5 * 60 + 12, '1h 5m 12s'],
  [HOUR + 12, '1h 0m 12s'],
  [2 * HOUR, '2h 0m'],
  [-60, '0s'],
  [Number.NaN, '0s'],
])('An exact duration of %s seconds is written as %s', (seconds, text) => {
  expect(exactDuration(seconds)).toBe(text)
})

test.each([
  [0, '0 seconds'],
  [1, '1 second'],
  [40, '40 seconds'],
  [60, '1 minute'],
  [125, '2 minutes'],
  [HOUR, '1 hour'],
  [HOUR + 59, '1 hour'],
  [HOUR + 5 * 60, '1 hour 5 minutes'],
  [2 * HOUR + 60, '2 hours 1 minute'],
])('A spoken duration of %s seconds is written as %s', (seconds, text) => {
  expect(spokenDuration(seconds)).toBe(text)
})

test.each([
  [0, '0.0h'],
  [HOUR + 1, '1.0h'],
  [1.5 * HOUR, '1.5h'],
  [1.25 * HOUR, '1.3h'],
  [1.35 * HOUR, '1.4h'],
  [2 * HOUR, '2.0h'],
  [23.96 * HOUR, '24.0h'],
  [-HOUR, '0.0h'],
])('A bar label of %s seconds is written as %s', (seconds, text) => {
  expect(hoursLabel(seconds)).toBe(text)
})
