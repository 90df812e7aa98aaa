import { expect, test } from 'vitest'
import { hostileMessages } from './hostile-messages.ts'
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

test('hostile messages are answered, and the socket goes on', { timeout: 60_000 }, async () => {
  const { messages, ...wrong } = await hostileMessages(3000)
  expect(messages).toBeGreaterThanOrEqual(3000)
  expect(wrong).toEqual({ dead: 0, leaked: 0 })
})
