import { expect, test } from 'vitest'
import { hostileMessages } from './hostile-messages.ts'
import { hostileRequests, MAX_HEAP_GROWTH } from './hostile.ts'

const REQUESTS = 10_000

test(
  'hostile requests get an answer of the client’s fault, and nothing of anybody else’s',
  { timeout: 120_000 },
  async () => {
    const { wrong, statuses, heapGrowthMebibytes } = await hostileRequests(REQUESTS)
    expect(wrong).toEqual([])
    expect(heapGrowthMebibytes).toBeLessThan(MAX_HEAP_GROWTH)
    // They got past the door often enough to mean something.
    expect(statuses['400']).toBeGreaterThan(REQUESTS / 10)
    expect(statuses['200']).toBeGreaterThan(REQUESTS / 100)
    expect(Object.keys(Object.prototype)).toEqual([])
    expect(Object.prototype).not.toHaveProperty('polluted')
  },
)

test('hostile messages are answered, and the socket goes on', { timeout: 60_000 }, async () => {
  const { messages, ...wrong } = await hostileMessages(3000)
  expect(messages).toBeGreaterThanOrEqual(3000)
  expect(wrong).toEqual({ dead: 0, leaked: 0 })
})
