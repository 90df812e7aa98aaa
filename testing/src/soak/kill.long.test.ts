import { expect, test } from 'vitest'
import { newTestDatabase } from '#databases.ts'
import { killRounds } from './kill.ts'

const ROUNDS = process.env['TEST_DATABASE'] === 'postgres' ? 3 : 10

test('a server that is killed at any moment loses nothing that it has acknowledged', async () => {
  const place = await newTestDatabase()
  const report = await killRounds(place.url, ROUNDS, 4, { atLeast: ROUNDS })
  await place.remove()
  expect(report.lost).toEqual([])
  expect(report.faults).toBe(0)
  expect(report.acknowledged).toBeGreaterThanOrEqual(ROUNDS)
})

test('the kill rounds find a server that acknowledges before it commits', async () => {
  const place = await newTestDatabase()
  const main = new URL('./planted.ts', import.meta.url)
  const report = await killRounds(place.url, 1, 2, { main, atLeast: 1 })
  await place.remove()
  expect(report.lost).not.toEqual([])
})
