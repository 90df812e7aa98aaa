import { expect, test } from 'vitest'

import { bestLanguage, formatText, pluralOf, t } from './text.ts'
import type { Language, TextValues } from './text.ts'

const SESSIONS = '{count, plural, one {# session} other {# sessions}}'

const ENGLISH: readonly [string, TextValues | undefined, string][] = [
  ['Track offline', undefined, 'Track offline'],
  ['field|Start', undefined, 'Start'],
  ['Stopped {task}', { task: 'Write {report} <b>' }, 'Stopped Write {report} <b>'],
  ['You’re offline', undefined, 'You’re offline'],
  ['Read the <terms>terms</terms>.', undefined, 'Read the <terms>terms</terms>.'],
  [SESSIONS, { count: 0 }, '0 sessions'],
  [SESSIONS, { count: 1 }, '1 session'],
  [SESSIONS, { count: 12_345 }, '12,345 sessions'],
  ['{count, number} tasks', { count: 1000 }, '1,000 tasks'],
  ['{count} tasks', { count: 1000 }, '1000 tasks'],
  ['{state, select, paused {Paused} other {Running}}', { state: 'paused' }, 'Paused'],
  ['{state, select, paused {Paused} other {Running}}', { state: 'idle' }, 'Running'],
]

test.each(ENGLISH)('The text %s with %o is %s', (message, values, text) => {
  expect(t(message, values)).toBe(text)
})

const OTHERS: readonly [Language, string, TextValues | undefined, string][] = [
  ['de', 'verb|Starten', undefined, 'Starten'],
  ['de', '{task} gestoppt', { task: 'Bericht' }, 'Bericht gestoppt'],
  ['de', '{n, plural, one {# Sitzung} other {# Sitzungen}}', { n: 12_345 }, '12.345 Sitzungen'],
  ['fr', '{n, plural, one {# session} other {# sessions}}', { n: 0 }, '0 session'],
  ['fr', '{n, plural, one {# session} other {# sessions}}', { n: 2 }, '2 sessions'],
  ['es', '{n, plural, one {# sesión} other {# sesiones}}', { n: 1 }, '1 sesión'],
  ['es', '{n, plural, one {# sesión} other {# sesiones}}', { n: 12_345 }, '12.345 sesiones'],
]

test.each(OTHERS)('In %s, the text %s with %o is %s', (language, message, values, text) => {
  expect(formatText(message, values, language)).toBe(text)
})

test('A text without its value throws, rather than showing a gap', () => {
  expect(() => t('Stopped {task}')).toThrow(/task/)
})

test.each([
  [0, 'other'],
  [1, 'one'],
  [2, 'other'],
] as const)('The English plural category of %i is %s', (count, category) => {
  expect(pluralOf(count)).toBe(category)
})

test.each([
  [['de-AT', 'en'], 'de'],
  [['FR'], 'fr'],
  [['xx', 'es-MX', 'de'], 'es'],
  [['nl', 'en-GB', 'fr'], 'en'],
  [['deu', 'ja'], 'en'],
  [[''], 'en'],
  [[], 'en'],
] as const)('Of the languages %j, the best is %s', (wanted, language) => {
  expect(bestLanguage(wanted)).toBe(language)
})
