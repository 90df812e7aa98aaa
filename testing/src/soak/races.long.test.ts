import { expect, test } from 'vitest'
import { startRaces } from './races.ts'

test('when sixteen devices start a timer at once, exactly one succeeds, in twenty races', async () => {
  expect(await startRaces(20)).toEqual({ races: 20, wrongWinners: 0, mostActive: 1, faults: 0 })
})
