import { expect, test } from 'vitest'
import { MIN_PASSWORD_STRENGTH, passwordStrength, passwordStrengthLabel } from './password.ts'

test.each([
  ['', 0, null],
  ['a', 1, 'Very Weak'],
  ['A', 1, 'Very Weak'],
  ['7', 1, 'Very Weak'],
  ['!', 1, 'Very Weak'],
  [' ', 1, 'Very Weak'],
  ['abc1', 2, 'Weak'],
  ['abcdefgh', 2, 'Weak'],
  ['abcdefg', 1, 'Very Weak'],
  ['aB1', 3, 'Fair'],
  ['aB1!', 4, 'Good'],
  ['abcdEFG1', 4, 'Good'],
  ['abcdEF1!', 5, 'Strong'],
  ['größeÄ9ß', 4, 'Good'],
  ['パスワード', 1, 'Very Weak'],
])('The strength of %j is %i, %s', (password, strength, label) => {
  expect(passwordStrength(password)).toBe(strength)
  expect(passwordStrengthLabel(password)).toBe(label)
})

test('A password must be at least Weak', () => {
  expect(MIN_PASSWORD_STRENGTH).toBe(2)
})
