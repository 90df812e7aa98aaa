import { expect, test } from 'vitest'
import { newTestDatabase } from '#databases.ts'
import { killPresses } from './kill-presses.ts'

const ROUNDS = process.env['TEST_DATABASE'] === 'postgres' ? 1 : 3

test('a press over the API counts exactly once, whenever the server is killed', async () => {
  const place = await newTestDatabase()
  const report = await killPresses(place.url, ROUNDS, 2, ROUNDS + 1)
  await place.remove()
  expect(report.wrong).toEqual([])
})
