import { expect, test } from 'vitest'
import { Shares } from './shares.ts'

test('one person has three calls at once', () => {
  const shares = new Shares()
  for (const key of ['a', 'b', 'c']) {
    expect(shares.ownersWithoutRoom).toEqual([])
    shares.begin(key, 'ann')
  }
  expect(shares.ownersWithoutRoom).toEqual(['ann'])
  shares.end('b')
  expect(shares.ownersWithoutRoom).toEqual([])
})

test('what twenty calls leave is for people without a call, up to a hundred', () => {
  const shares = new Shares()
  for (let count = 0; count < 20; count++) shares.begin(`key ${count}`, `person ${count % 10}`)
  expect(shares.ownersWithoutRoom).toEqual(
    Array.from({ length: 10 }, (_, index) => `person ${index}`),
  )
  for (let count = 20; count < 100; count++) {
    expect(shares.isFull).toBe(false)
    expect(shares.ownersWithoutRoom).not.toContain(`person ${count}`)
    shares.begin(`key ${count}`, `person ${count}`)
  }
  expect(shares.isFull).toBe(true)
  shares.end('key 50')
  expect(shares.isFull).toBe(false)
})

test('nobody has a second turn in a round', () => {
  const shares = new Shares()
  shares.begin('a', 'ann')
  shares.end('a')
  expect(shares.ownersOutOfTurn).toEqual(['ann'])
  shares.begin('b', 'bob')
  expect(shares.ownersOutOfTurn).toEqual(['bob', 'ann'].toSorted())
  shares.beginRound()
  expect(shares.ownersOutOfTurn).toEqual([])
  expect(shares.busyKeys).toEqual(['b'])
})
