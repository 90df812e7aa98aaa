import { expect, test } from 'vitest'
import { newTestDatabase } from '#db/test-databases.ts'
import { killRounds } from './kill.ts'

const ROUNDS = process.env['TEST_DATABASE'] === 'postgres' ? 3 : 20

test(
  'a server killed at any moment has lost nothing that it answered',
  { timeout: 120_000 },
  async () => {
    const place = await newTestDatabase()
    const report = await killRounds(place.url, ROUNDS, 4)
    await place.remove()
    expect(report.lost).toEqual([])
    expect(report.faults).toBe(0)
    expect(report.acknowledged).toBeGreaterThan(ROUNDS)
  },
)

test(
  'a server that answers before it has committed is found out',
  { timeout: 120_000 },
  async () => {
    const place = await newTestDatabase()
    const main = new URL('./planted.ts', import.meta.url)
    const report = await killRounds(place.url, 3, 4, { main })
    await place.remove()
    expect(report.lost).not.toEqual([])
  },
)
