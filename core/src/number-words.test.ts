import { expect, test } from 'vitest'

import { decimalWords, percentText, percentWords, unitWords } from './number-words.ts'

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
  ['de', 1, 'minute', '1 Minute'],
  ['fr', 40, 'second', '40 secondes'],
  ['es', 2, 'hour', '2 horas'],
] as const)('In %s, %d %s is %s', (language, amount, unit, text) => {
  expect(plain(unitWords(amount, unit, language))).toBe(text)
})

test.each([
  ['de', 1.25, 2, '1,25'],
  ['fr', 2.5, 2, '2,50'],
  ['es', 2, 1, '2,0'],
] as const)('In %s, %d with %i decimals is %s', (language, number, decimals, text) => {
  expect(decimalWords(number, decimals, language)).toBe(text)
})
