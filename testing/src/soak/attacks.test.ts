import { expect, test } from 'vitest'
import { newTestDatabase } from '#databases.ts'
import { runAttacks } from './attacks.ts'

// The memory is read from /proc.
test.runIf(process.platform === 'linux')(
  'nobody who makes the costliest calls takes the server from the others, nor fills its memory or disk',
  async () => {
    const place = await newTestDatabase()
    const names = ['costly-calls']
    const reports = await runAttacks(place.url, { seconds: 1.5, size: 0.2, isTimed: false, names })
    await place.remove()
    expect(reports.filter(({ missed }) => missed.length > 0)).toEqual([])
  },
)
