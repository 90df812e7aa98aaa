import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  exactDuration,
  formatDuration,
  formatTimer,
  hoursLabel,
  secondsLeftOver,
  spokenDuration,
  sumAsShown,
} from './duration.ts'

const HOUR = 3600

describe('a duration', () => {
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
  ])('of %s seconds reads %s', (seconds, text) => {
    expect(formatDuration(seconds)).toBe(text)
  })

  test.each([
    [40, '0:00', '0.00h'],
    [5 * 60, '0:05', '0.08h'],
    [HOUR + 5 * 60 + 59, '1:05', '1.08h'],
    [1234 * HOUR + 56 * 60, '1234:56', '1234.93h'],
    [Number.NaN, '0:00', '0.00h'],
  ])('of %s seconds reads %s as hours and minutes, %s as decimals', (seconds, clock, decimal) => {
    expect(formatDuration(seconds, 'h:mm')).toBe(clock)
    expect(formatDuration(seconds, 'decimal')).toBe(decimal)
  })
})

describe('the timer', () => {
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
  ])('at %s seconds shows %s', (seconds, text) => {
    expect(formatTimer(seconds)).toBe(text)
  })
})

describe('an exact duration', () => {
  test.each([
    [0, '0s'],
    [40, '40s'],
    [60, '1m 0s'],
    [HOUR + 5 * 60 + 12, '1h 5m 12s'],
    [2 * HOUR, '2h 0m 0s'],
  ])('of %s seconds reads %s', (seconds, text) => {
    expect(exactDuration(seconds)).toBe(text)
  })
})

describe('a spoken duration', () => {
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
  ])('of %s seconds says %s', (seconds, text) => {
    expect(spokenDuration(seconds)).toBe(text)
  })
})

describe('a bar label', () => {
  test.each([
    [0, '0.0h'],
    [HOUR + 1, '1.0h'],
    [1.5 * HOUR, '1.5h'],
    [1.25 * HOUR, '1.3h'],
    [1.35 * HOUR, '1.4h'],
    [2 * HOUR, '2.0h'],
    [23.96 * HOUR, '24.0h'],
    [-HOUR, '0.0h'],
  ])('of %s seconds reads %s', (seconds, text) => {
    expect(hoursLabel(seconds)).toBe(text)
  })
})

describe('durations that are added up', () => {
  test.each<[number[], number, number, string | null]>([
    [[], 0, 0, null],
    [[3600, 1800], 5400, 0, null],
    // A second here and there that no minute is lost by.
    [[3601, 1801], 5402, 0, null],
    [[59, 59], 118, 60, '0m'],
    [[119, 119, 119], 357, 120, '3m'],
    [[HOUR + 59, 2 * HOUR + 59, 2], 3 * HOUR + 120, 120, '3h 0m'],
  ])('%j of %i leave %i seconds over', (parts, total, leftOver, sum) => {
    expect(secondsLeftOver(total, { parts })).toBe(leftOver)
    expect(sumAsShown(total, { parts })).toBe(sum)
  })

  test.each<[number[], number, number, string | null]>([
    [[600, 600, 600], 1800, -36, '0.51h'],
    [[300, 300, 300], 900, 36, '0.24h'],
    [[3600, 1800], 5400, 0, null],
  ])('as decimals %j of %i leave %i seconds over', (parts, total, leftOver, sum) => {
    expect(secondsLeftOver(total, { parts }, 'decimal')).toBe(leftOver)
    expect(sumAsShown(total, { parts }, 'decimal')).toBe(sum)
  })

  test('what lies outside of the total is taken off again', () => {
    const added = { parts: [7200, 3600], outside: [3599] }
    expect(secondsLeftOver(7201, added)).toBe(-60)
    expect(sumAsShown(7201, added)).toBe('2h 1m')
    expect(sumAsShown(7201, added, 'h:mm')).toBe('2:01')
  })

  test('what is shown of the parts and what is left over sum to the total as it is shown', () => {
    const anySpans = fc.array(fc.oneof(fc.nat(120), fc.nat(400_000)), { maxLength: 40 })
    fc.assert(
      fc.property(anySpans, fc.constantFrom('h m', 'h:mm', 'decimal'), (parts, format) => {
        const total = parts.reduce((sum, part) => sum + part, 0)
        const shown = (seconds: number) => secondsOfText(formatDuration(seconds, format))
        const leftOver = secondsLeftOver(total, { parts }, format)
        const sum = parts.reduce((all, part) => all + shown(part), 0)
        expect(sum + leftOver).toBe(shown(total))
        expect(
          secondsOfText(sumAsShown(total, { parts }, format) ?? formatDuration(total, format)),
        ).toBe(sum)
        // At most a minute of each part is cut; hundredths of an hour may be rounded up as well.
        const least = format === 'decimal' ? -18 * (parts.length + 1) : 0
        expect(leftOver).toBeGreaterThanOrEqual(least)
        expect(leftOver).toBeLessThan(96 * (parts.length + 1))
      }),
    )
  })
})

/** Reads '1h 5m', '5m', '1:05' or '1.08h' as a person does. */
function secondsOfText(text: string): number {
  const decimal = /^(\d+)\.(\d\d)h$/.exec(text)
  if (decimal) return (Number(decimal[1]) * 100 + Number(decimal[2])) * 36
  const [, hours = '0', minutes] =
    /^(?:(\d+)h |(?=\d+m))?(\d+)m$/.exec(text) ?? /^(\d+):(\d\d)$/.exec(text) ?? []
  return Number(hours) * HOUR + Number(minutes) * 60
}
