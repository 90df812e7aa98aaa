import { expect, test } from 'vitest'
import { newTestDatabase } from '#databases.ts'
import { steadyLoad } from './load.ts'

// The memory is read from /proc.
test.runIf(process.platform === 'linux')(
  'people at work on many devices are all answered, and every device hears of every entry',
  async () => {
    const place = await newTestDatabase()
    const options = { sockets: 60, perSecond: 60, seconds: 3, flood: false }
    const { faults, events, missing } = await steadyLoad(place.url, options)
    await place.remove()
    expect({ faults, missing }).toEqual({ faults: 0, missing: 0 })
    expect(events).toBeGreaterThan(20)
  },
)
