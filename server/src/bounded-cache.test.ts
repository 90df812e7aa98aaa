import { expect, test } from 'vitest'
import { boundedCache } from './bounded-cache.ts'

test('a cache holds no more than its size, keys included, and removes the oldest first', () => {
  const cache = boundedCache<number>(100)
  for (let index = 0; index < 20; index++) cache.set(`key${index % 10}`, index, 8)
  const kept = Array.from({ length: 10 }, (_, index) => cache.get(`key${index}`))
  expect(kept).toEqual([undefined, undefined, 12, 13, 14, 15, 16, 17, 18, 19])
})

test('a value of more than an eighth of a cache is not cached', () => {
  const cache = boundedCache<string>(800)
  cache.set('a', 'small', 99)
  cache.set('b', 'large', 100)
  expect([cache.get('a'), cache.get('b')]).toEqual(['small', undefined])
})
