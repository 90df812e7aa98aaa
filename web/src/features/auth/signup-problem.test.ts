import { expect, test } from 'vitest'

import { signupProblem } from './signup-problem.ts'

test.each([
  ['different passwords', 'abc1', 'abc2', false, 'Passwords do not match'],
  [
    'a password of one point',
    'abc',
    'abc',
    true,
    'Password is too weak. Please choose a stronger password.',
  ],
  ['terms that are not agreed to', 'abc1', 'abc1', false, 'Please agree to the Terms & Conditions'],
  ['a password of two points and the terms agreed to', 'abc1', 'abc1', true, null],
])(
  'A form with %s has the expected problem',
  (_, password, confirmPassword, agreeToTerms, text) => {
    expect(signupProblem({ password, confirmPassword, agreeToTerms })).toBe(text)
  },
)
