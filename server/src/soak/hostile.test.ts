import { expect, test } from 'vitest'
import { hostileRequests } from './hostile.ts'

const REQUESTS = 10_000

test(
  'hostile requests get an answer of the client’s fault, and nothing of anybody else’s',
  { timeout: 120_000 },
  async () => {
    const { wrong, statuses } = await hostileRequests(REQUESTS)
    expect(wrong).toEqual([])
    // They got past the door often enough to mean something.
    expect(statuses['400']).toBeGreaterThan(REQUESTS / 10)
    expect(statuses['200']).toBeGreaterThan(REQUESTS / 100)
    expect(Object.keys(Object.prototype)).toEqual([])
    expect(Object.prototype).not.toHaveProperty('polluted')
  },
)
