import { expect, test } from 'vitest'
import { startRaces } from './races.ts'

test('of sixteen devices that start at once, one does, twenty times over', async () => {
  expect(await startRaces(20)).toEqual({ races: 20, wrongWinners: 0, mostActive: 1, faults: 0 })
})
