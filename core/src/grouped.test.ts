import { expect, test } from 'vitest'

import { grouped } from '#grouped.ts'

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1,000'],
  [1_234_567, '1,234,567'],
])('The number %i is written as %s', (count, text) => {
  expect(grouped(count)).toBe(text)
})

test.each([
  ['de', 12_345, '12.345'],
  ['fr', 12_345, '12\u202F345'],
  ['es', 12_345, '12.345'],
  ['es', 1234, '1234'],
] as const)('In %s, the number %i is written as %s', (language, count, text) => {
  expect(grouped(count, language)).toBe(text)
})
