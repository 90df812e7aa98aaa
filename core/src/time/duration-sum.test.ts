import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatChanges, formatParts } from './duration-sum.ts'
import { DURATION_FORMATS, formatDuration } from './duration.ts'

const HOUR = 3600

test.each<[number[], string[]]>([
  [[], []],
  [
    [3600, 1800],
    ['1h 0m', '30m'],
  ],
  // Single seconds that do not add up to a minute.
  [
    [3601, 1801],
    ['1h 0m', '30m'],
  ],
  [
    [59, 58],
    ['1m', '0m'],
  ],
  [
    [119, 118, 120],
    ['2m', '1m', '2m'],
  ],
  [
    [HOUR, 59],
    ['1h 0m', '0m'],
  ],
])('The parts %j of a total are shown as %j', (parts, expected) => {
  expect(formatParts(parts)).toEqual(expected)
})

test('Decimal hours of parts add up to those of their total', () => {
  expect(formatParts([600, 600, 600], 'decimal')).toEqual(['0.17h', '0.17h', '0.16h'])
  expect(formatParts([300, 300, 300], 'decimal')).toEqual(['0.09h', '0.08h', '0.08h'])
  expect(formatParts([36], 'decimal')).toEqual(['0.00h'])
})

test('A part that grows takes what is left over, and the others stand still', () => {
  const shown = [0, 30, 59].map((seconds) => formatParts([100, 60 + seconds, 110], 'h m', 1))
  expect(shown).toEqual([
    ['1m', '1m', '2m'],
    ['1m', '2m', '2m'],
    ['1m', '2m', '2m'],
  ])
})

test('The shown parts of any total add up to it, and each is as long as it is', () => {
  const anyParts = fc.array(fc.oneof(fc.nat(120), fc.nat(400_000)), { minLength: 1, maxLength: 40 })
  fc.assert(
    fc.property(
      anyParts,
      fc.constantFrom(...DURATION_FORMATS),
      fc.option(fc.nat(39), { nil: undefined }),
      (parts, format, growing) => {
        const shown = formatParts(parts, format, growing).map(secondsOfText)
        const total = parts.reduce((sum, part) => sum + part, 0)
        expect(shown).toHaveLength(parts.length)
        expect(shown.reduce((sum, each) => sum + each, 0)).toBe(
          secondsOfText(formatDuration(total, format)),
        )
        for (const [index, seconds] of parts.entries()) {
          const isGrowing = index === growing
          const unit = format === 'decimal' ? 72 : 60
          expect(Math.abs((shown[index] ?? NaN) - seconds)).toBeLessThan(
            isGrowing ? 2 * unit : unit,
          )
        }
      },
    ),
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

test('The shown changes of a sum lead from what it was to what it is', () => {
  const anyPart = fc.integer({ min: -400_000, max: 400_000 })
  fc.assert(
    fc.property(anyPart, fc.array(anyPart, { minLength: 1, maxLength: 4 }), (before, parts) => {
      const after = parts.reduce((sum, each) => sum + each, before)
      const shown = formatChanges(parts, { before, after }, 'h:mm').map(minutesOf)
      const there = shown.reduce((sum, each) => sum + each, 0)
      expect(Math.trunc(before / 60) + there).toBe(0 + Math.trunc(after / 60))
      for (const [index, minutes] of shown.entries()) {
        expect(Math.abs(minutes - (parts[index] ?? 0) / 60)).toBeLessThan(3)
      }
    }),
  )
})

test.each([
  [[567_671, -582_120, 0, 0], -379_160, -393_609, ['+157h 41m', '−161h 42m', '0m', '0m']],
  [[3600, -28_800], 0, -25_200, ['+1h 0m', '−8h 0m']],
  [[59, -28_800], 0, -28_741, ['+1m', '−8h 0m']],
  [[30, 30], 0, 60, ['+1m', '0m']],
  [[0, 0], 45, 45, ['0m', '0m']],
])('The changes %j from %i to %i are shown as %j', (parts, before, after, shown) => {
  expect(formatChanges(parts, { before, after })).toEqual(shown)
})

/** Returns the minutes of '+1:05' and '−0:40'. */
function minutesOf(text: string): number {
  const [hours = 0, minutes = 0] = text.replace(/^[+−]/, '').split(':').map(Number)
  return (text.startsWith('−') ? -1 : 1) * (hours * 60 + minutes)
}
