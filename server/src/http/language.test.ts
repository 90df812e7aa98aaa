import { expect, test } from 'vitest'
import { bestLanguage } from '@stint/core/text.ts'
import { accepted, languageNamed } from './language.ts'

test.each([
  ['de', 'de'],
  ['de-CH, fr;q=0.9', 'de'],
  ['fr;q=0.5, de;q=0.9, en;q=0.1', 'de'],
  ['xx, yy;q=0.9, es;q=0.4', 'es'],
  ['de;q=0, fr;q=0.1', 'fr'],
  ['DE-at', 'de'],
  ['en-GB,de', 'en'],
  ['*', 'en'],
  ['', 'en'],
  [undefined, 'en'],
  ['de;q=high', 'de'],
  ['de;q=1.1.1', 'en'],
  [';;,,;q=,\u00ff', 'en'],
  [`${'x,'.repeat(50_000)}de`, 'en'],
])('Accept-Language %j asks for %s', (header, language) => {
  expect(bestLanguage(accepted(header))).toBe(language)
})

test('only the names of our languages are languages', () => {
  expect(languageNamed('de')).toBe('de')
  for (const other of ['de-DE', 'DE', '', '__proto__', ['de'], null, undefined, 7]) {
    expect(languageNamed(other)).toBeNull()
  }
})
