import { expect, test } from 'vitest'
import { strangeSubscribers } from './events.ts'

const EVENTS = process.env['TEST_DATABASE'] === 'postgres' ? 2000 : 10_000

test('of thousands of events every user receives their own, and none of another user’s', async () => {
  const { events, ...wrong } = await strangeSubscribers(EVENTS)
  expect(events).toBeGreaterThanOrEqual(EVENTS)
  expect(wrong).toEqual({ missing: 0, foreign: 0 })
})
