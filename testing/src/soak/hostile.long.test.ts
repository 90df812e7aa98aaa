import { expect, test } from 'vitest'
import { hostileMessages } from './hostile-messages.ts'
import { hostileRequests, MAX_HEAP_GROWTH } from './hostile.ts'

const REQUESTS = 10_000

test('hostile requests get a 4xx reply without data of other users', async () => {
  const { wrong, statuses, heapGrowthMebibytes } = await hostileRequests(REQUESTS)
  expect(wrong).toEqual([])
  expect(heapGrowthMebibytes).toBeLessThan(MAX_HEAP_GROWTH)
  // Enough requests passed the first checks for the test to be meaningful.
  expect(statuses['400']).toBeGreaterThan(REQUESTS / 10)
  expect(statuses['200']).toBeGreaterThan(REQUESTS / 100)
  expect(Object.keys(Object.prototype)).toEqual([])
  expect(Object.prototype).not.toHaveProperty('polluted')
})

test('hostile messages get a reply, and the socket stays usable', async () => {
  const { messages, ...wrong } = await hostileMessages(3000)
  expect(messages).toBeGreaterThanOrEqual(3000)
  expect(wrong).toEqual({ dead: 0, leaked: 0 })
})
