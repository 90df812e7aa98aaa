import { expect, test } from 'vitest'

import { percentText, percentWords, unitWords } from './number-words.ts'

/** Intl separates by thin and no-break spaces; people read a space. */
function plain(text: string): string {
  return text.replaceAll(/\s/gu, ' ')
}

test('In English, a percentage has no space and a decimal point', () => {
  expect(percentText(34)).toBe('34%')
  expect(percentText(33.4, 1)).toBe('33.4%')
  expect(percentText(0, 1)).toBe('0.0%')
})

test.each([
  ['de', 34, 0, '34 %'],
  ['de', 33.4, 1, '33,4 %'],
  ['fr', 33.4, 1, '33,4 %'],
  ['es', 100, 1, '100,0 %'],
] as const)('In %s, %d percent with %i decimals are %s', (language, percent, decimals, text) => {
  expect(plain(percentWords(percent, decimals, language))).toBe(text)
})

test.each([
  ['de', 1, 'hour', 'short', 0, '1 Std.'],
  ['de', 1.25, 'hour', 'short', 2, '1,25 Std.'],
  ['de', 1, 'minute', 'long', 0, '1 Minute'],
  ['fr', 2.5, 'hour', 'short', 2, '2,50 h'],
  ['fr', 40, 'second', 'long', 0, '40 secondes'],
  ['es', 5, 'minute', 'short', 0, '5 min'],
  ['es', 2, 'hour', 'long', 0, '2 horas'],
] as const)(
  'In %s, %d %s in the %s form with %i decimals is %s',
  (language, amount, unit, display, decimals, text) => {
    expect(plain(unitWords(amount, unit, { display, decimals }, language))).toBe(text)
  },
)
