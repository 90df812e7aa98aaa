import { expect, test } from 'vitest'
import { strangeSubscribers } from './events.ts'

test('of ten thousand events every user receives their own, and none of another user’s', async () => {
  const { events, ...wrong } = await strangeSubscribers(10_000)
  expect(events).toBeGreaterThanOrEqual(10_000)
  expect(wrong).toEqual({ missing: 0, foreign: 0 })
})
