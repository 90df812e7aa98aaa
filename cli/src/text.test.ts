import { expect, test } from 'vitest'

import { totalText } from './text.ts'

test('A total with more groups than a call has room for arguments is written', () => {
  const groups = Array.from({ length: 150_000 }, (_, index) => ({ name: `#${index}`, seconds: 60 }))
  const days = { from: '2026-11-01', to: '2026-11-30', timeZone: 'UTC' }
  const text = totalText({ seconds: 9_000_000, ...days, groups, explain: '' })
  expect(text.split('\n').at(-1)).toBe('  #149999  1m')
})
