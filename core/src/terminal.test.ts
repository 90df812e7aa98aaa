import { expect, test } from 'vitest'
import { terminalField, terminalJson, terminalText } from './terminal.ts'

const OVERRIDES = '\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069'
const CONTROLS = '\u0000\u0007\r\u001B\u007F\u0085\u009B\u2028\u2029'

test('controls and bidirectional overrides are replaced', () => {
  const text = `a${CONTROLS}b${OVERRIDES}c`
  const replaced = `a${'\uFFFD'.repeat(9)}b${'\uFFFD'.repeat(9)}c`
  expect(terminalText(text)).toBe(replaced)
  expect(terminalField(text)).toBe(replaced)
})

test('a text keeps its tabs and lines, a field has none', () => {
  expect(terminalText('a\tb\nc')).toBe('a\tb\nc')
  expect(terminalField('a\tb\nc')).toBe('a\uFFFDb\uFFFDc')
})

test.each(['Émile', 'שלום \u200F2026', 'مرحبا', '👩‍💻 世界', 'a\u00ADb'])('%s is kept', (text) => {
  expect(terminalText(text)).toBe(text)
  expect(terminalField(text)).toBe(text)
})

test('JSON is escaped and keeps its value', () => {
  const value = { name: `a${CONTROLS}${OVERRIDES}\t\n` }
  const json = terminalJson(JSON.stringify(value, null, 2))
  expect(json.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/u)
  expect(JSON.parse(json)).toEqual(value)
})
