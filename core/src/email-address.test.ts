import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { formerEmail, normalizedEmail } from './email-address.ts'

/** Texts with many letters that some way of folding changes. */
const ADDRESS = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      ...'AKZakz@. \u00a0'.split(''),
      '\u212a',
      'Ö',
      'ö',
      'İ',
      'ı',
      'ſ',
      'ß',
      'ẞ',
      'Σ',
      'ς',
      'K',
    ),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
  ),
  maxLength: 40,
})

test.each([
  [' Kim@Example.COM\t', 'kim@example.com'],
  ['\u212aim@example.com', '\u212aim@example.com'],
  ['JÖRG@KÖLN.example', 'jÖrg@kÖln.example'],
  ['İI@example.com', 'İi@example.com'],
  ['ſ@example.com', 'ſ@example.com'],
  // Composed and decomposed letters stay different.
  ['\u00e9@example.com', '\u00e9@example.com'],
  ['e\u0301@example.com', 'e\u0301@example.com'],
])('%j is compared as %j', (typed, normalized) => {
  expect(normalizedEmail(typed)).toBe(normalized)
})

test('only A to Z and the white space around an address change, and a second time nothing does', () => {
  fc.assert(
    fc.property(ADDRESS, (typed) => {
      const trimmed = typed.trim()
      const normalized = normalizedEmail(typed)
      expect(normalized).toHaveLength(trimmed.length)
      for (let index = 0; index < trimmed.length; index++) {
        const code = trimmed.charCodeAt(index)
        const isCapital = code >= 0x41 && code <= 0x5a
        expect(normalized.charCodeAt(index)).toBe(isCapital ? code + 0x20 : code)
      }
      expect(normalizedEmail(normalized)).toBe(normalized)
    }),
    { numRuns: 2000 },
  )
})

test('an address in other letters is the same only if they differ in the case of A to Z alone', () => {
  fc.assert(
    fc.property(ADDRESS, fc.infiniteStream(fc.nat(2)), (typed, choices) => {
      const one = typed.trim()
      const other = one
        .split('')
        .map((letter) => {
          const choice = choices.next().value
          return [letter, letter.toUpperCase(), letter.toLowerCase()][choice] ?? letter
        })
        .join('')
      const isSame =
        one.length === other.length &&
        one.split('').every((letter, index) => {
          const each = other[index] ?? ''
          return letter === each || (/^[A-Za-z]{2}$/.test(letter + each) && isPair(letter, each))
        })
      expect(normalizedEmail(one) === normalizedEmail(other)).toBe(isSame)
    }),
    { numRuns: 2000 },
  )
})

test('the form in which earlier versions stored an address follows from the present one', () => {
  fc.assert(
    fc.property(ADDRESS, (typed) => {
      expect(formerEmail(normalizedEmail(typed))).toBe(typed.trim().toLowerCase())
    }),
    { numRuns: 2000 },
  )
})

/** Returns whether two letters of ASCII differ in case alone. */
function isPair(one: string, other: string): boolean {
  return Math.abs(one.charCodeAt(0) - other.charCodeAt(0)) === 0x20
}
