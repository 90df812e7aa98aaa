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
