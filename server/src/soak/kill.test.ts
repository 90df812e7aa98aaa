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
    expect(report.acknowledged).toBeGreaterThan(ROUNDS)
  },
)
