import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { secondsLeftOver, sumAsShown } from './duration-sum.ts'
import { formatDuration } from './duration.ts'

const HOUR = 3600

test.each<[number[], number, number, string | null]>([
  [[], 0, 0, null],
  [[3600, 1800], 5400, 0, null],
  // Single seconds that do not add up to a minute.
  [[3601, 1801], 5402, 0, null],
  [[59, 59], 118, 60, '0m'],
  [[119, 119, 119], 357, 120, '3m'],
  [[HOUR + 59, 2 * HOUR + 59, 2], 3 * HOUR + 120, 120, '3h 0m'],
])(
  'The shown durations %j of a total of %i seconds leave a remainder of %i seconds',
  (parts, total, leftOver, sum) => {
    expect(secondsLeftOver(total, { parts })).toBe(leftOver)
    expect(sumAsShown(total, { parts })).toBe(sum)
  },
)

test.each<[number[], number, number, string | null]>([
  [[600, 600, 600], 1800, -36, '0.51h'],
  [[300, 300, 300], 900, 36, '0.24h'],
  [[3600, 1800], 5400, 0, null],
])(
  'The shown decimal durations %j of a total of %i seconds leave a remainder of %i seconds',
  (parts, total, leftOver, sum) => {
    expect(secondsLeftOver(total, { parts }, 'decimal')).toBe(leftOver)
    expect(sumAsShown(total, { parts }, 'decimal')).toBe(sum)
  },
)

test('A sum of durations subtracts the parts that lie outside of the total', () => {
  const added = { parts: [7200, 3600], outside: [3599] }
  expect(secondsLeftOver(7201, added)).toBe(-60)
  expect(sumAsShown(7201, added)).toBe('2h 1m')
  expect(sumAsShown(7201, added, 'h:mm')).toBe('2:01')
})

test('The shown parts and the remainder sum to the shown total', () => {
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
      // At most a minute of each part is cut. Hundredths of an hour may also be rounded up.
      const least = format === 'decimal' ? -18 * (parts.length + 1) : 0
      expect(leftOver).toBeGreaterThanOrEqual(least)
      expect(leftOver).toBeLessThan(96 * (parts.length + 1))
    }),
  )
})

/** Returns the seconds of '1h 5m', '5m', '1:05' or '1.08h'. */
function secondsOfText(text: string): number {
  const decimal = /^(\d+)\.(\d\d)h$/.exec(text)
  if (decimal) return (Number(decimal[1]) * 100 + Number(decimal[2])) * 36
  const [, hours = '0', minutes] =
    /^(?:(\d+)h |(?=\d+m))?(\d+)m$/.exec(text) ?? /^(\d+):(\d\d)$/.exec(text) ?? []
  return Number(hours) * HOUR + Number(minutes) * 60
}
