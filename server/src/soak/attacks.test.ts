import { expect, test } from 'vitest'
import { newTestDatabase } from '#db/test-databases.ts'
import { runAttacks } from './attacks.ts'

/** Where the database makes a difference. On SQLite every attack runs. */
const ON_POSTGRES = ['text-filters', 'new-shapes', 'counted-calls', 'disk-filler']

// Memory is read from /proc.
test.runIf(process.platform === 'linux')(
  'nobody who attacks the server takes it from the others, nor fills its memory or disk',
  { timeout: 300_000 },
  async () => {
    const place = await newTestDatabase()
    const reports = await runAttacks(place.url, {
      seconds: 1.5,
      size: 0.2,
      // Other tests keep the machine busy: that everybody is answered is what is to be seen here.
      maxP99: 3000,
      ...(process.env['TEST_DATABASE'] === 'postgres' ? { names: ON_POSTGRES } : {}),
    })
    await place.remove()
    expect(reports.filter(({ missed }) => missed.length > 0)).toEqual([])
    for (const { bystanders } of reports) expect(bystanders.answers).toBeGreaterThan(10)
  },
)
