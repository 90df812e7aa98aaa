import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { storedText } from './stored-text.ts'

test.each([
  ['short', 10, 'short'],
  ['too long', 3, 'too'],
  ['xx🎂', 4, 'xx🎂'],
  ['xx🎂', 3, 'xx'],
  ['a\ud83d b', 10, 'a b'],
  ['a\0b', 10, 'ab'],
])('The text %j in %s characters is kept as %j', (text, size, kept) => {
  expect(storedText(text, size)).toBe(kept)
})

test('Any text is turned into one that no backend refuses', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(20), (text, size) => {
      const kept = storedText(text, size)
      expect(kept.length).toBeLessThanOrEqual(size)
      expect(kept.isWellFormed() && !kept.includes('\0')).toBe(true)
    }),
  )
})
