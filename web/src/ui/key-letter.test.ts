import { expect, test } from 'vitest'

import { letterOf } from './key-letter.ts'

for (const [what, key, code, shiftKey, letter] of [
  ['a letter', 'n', 'KeyN', false, 'n'],
  ['a letter with Shift', 'N', 'KeyN', true, 'N'],
  ['a letter with Caps Lock', 'N', 'KeyN', false, 'n'],
  ['a letter with Caps Lock and Shift', 'n', 'KeyN', true, 'N'],
  ['a letter of another script', 'т', 'KeyN', false, 'n'],
  ['a letter of another script with Shift', 'Т', 'KeyN', true, 'N'],
  ['a sign that takes Shift', '?', 'Slash', true, '?'],
  ['a sign that takes Shift on a German keyboard', '/', 'Digit7', true, '/'],
  ['a letter with an accent', 'é', 'Digit2', false, 'digit2'],
  ['a key that composes', 'Dead', 'KeyN', false, 'dead'],
] as const) {
  test(`The letter of ${what} is ${letter}`, () => {
    expect(letterOf({ key, code, shiftKey })).toBe(letter)
  })
}
