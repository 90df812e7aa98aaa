import { expect, test } from 'vitest'

import type { Language } from '#text.ts'
import { decimalHoursWords, shortWords, spokenWords } from './duration.ts'

/** Intl separates by thin and no-break spaces; people read a space. */
function plain(text: string): string {
  return text.replaceAll(/\s/gu, ' ')
}

test.each([
  [[0, 0], '0min'],
  [[0, 59], '59min'],
  [[1, 0], '1h 0min'],
  [[1, 5], '1h 5min'],
  [[1, 0, 12], '1h 0min 12s'],
  [[0, 5, 12], '5min 12s'],
  [[0, 0, 40], '40s'],
  [[1234, 5], '1234h 5min'],
] as const)('The duration %j is %s in other languages', ([hours, minutes, seconds], text) => {
  const parts = seconds === undefined ? { hours, minutes } : { hours, minutes, seconds }
  expect(shortWords(parts)).toBe(text)
})

const SPOKEN: readonly [Language, [number, number, number], string][] = [
  ['de', [0, 0, 0], '0 Sekunden'],
  ['de', [0, 0, 1], '1 Sekunde'],
  ['de', [1, 5, 12], '1 Stunde 5 Minuten'],
  ['de', [2, 0, 0], '2 Stunden'],
  ['fr', [1, 5, 0], '1 heure 5 minutes'],
  ['fr', [0, 1, 59], '1 minute'],
  ['es', [2, 1, 0], '2 horas 1 minuto'],
  ['es', [0, 0, 40], '40 segundos'],
]

test.each(SPOKEN)('In %s, the duration %j is said as %s', (language, parts, text) => {
  const [hours, minutes, seconds] = parts
  expect(plain(spokenWords({ hours, minutes, seconds }, language))).toBe(text)
})

test.each([
  ['de', 1.25, 2, '1,25h'],
  ['de', 1.5, 1, '1,5h'],
  ['fr', 1.5, 2, '1,50h'],
  ['es', 2, 1, '2,0h'],
] as const)('In %s, %d hours with %i decimals are %s', (language, hours, decimals, text) => {
  expect(plain(decimalHoursWords(hours, decimals, language))).toBe(text)
})
