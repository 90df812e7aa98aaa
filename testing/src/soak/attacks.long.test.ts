import { expect, test } from 'vitest'
import { newTestDatabase } from '#databases.ts'
import { runAttacks } from './attacks.ts'

/** The attacks whose effect depends on the database. */
const ON_BOTH = ['text-filters', 'new-shapes', 'counted-calls', 'disk-filler', 'costly-calls']
const ON_SQLITE = [...ON_BOTH, 'guest-sockets', 'own-sockets', 'recoveries', 'slow-clients']

// The memory is read from /proc.
test.runIf(process.platform === 'linux')(
  'nobody who attacks the server takes it from the others, nor fills its memory or disk',
  async () => {
    const place = await newTestDatabase()
    const reports = await runAttacks(place.url, {
      seconds: 1.5,
      size: 0.2,
      isTimed: false,
      names: process.env['TEST_DATABASE'] === 'postgres' ? ON_BOTH : ON_SQLITE,
    })
    await place.remove()
    expect(reports.filter(({ missed }) => missed.length > 0)).toEqual([])
  },
)
