import { array, assert, integer, nat, property, tuple } from 'fast-check'
import { expect, test } from 'vitest'

import { RowMap } from './row-map.ts'

const row = tuple(integer({ min: -1, max: 3 }), nat(2), nat(400_000_000))

test('A map of rows returns what a JavaScript map with the same keys returns, in the same order', () => {
  assert(
    property(array(row, { minLength: 1, maxLength: 3000 }), (rows) => {
      const expected = new Map<string, number>()
      const map = new RowMap(3)
      for (const [index, each] of rows.entries()) {
        const key = each.join(' ')
        expect(map.get(each)).toBe(expected.get(key))
        if (expected.has(key)) continue
        expected.set(key, index)
        map.set(each, index)
      }
      expect(map.size).toBe(expected.size)
      const found = Array.from({ length: map.size }, (_, place) => [
        map.row(place).join(' '),
        map.value(place),
      ])
      expect(found).toEqual([...expected])
    }),
  )
})

test('A map of rows holds more than a block of them', () => {
  const map = new RowMap(2)
  const size = 600_000
  for (let index = 0; index < size; index += 1) map.set([index % 7, index], -index)
  expect(map.size).toBe(size)
  expect(map.row(size - 1)).toEqual([(size - 1) % 7, size - 1])
  expect(map.get([3, 3])).toBe(-3)
  expect(map.get([4, 3])).toBeUndefined()
  expect(() => map.value(size)).toThrow('Nothing was set')
})
