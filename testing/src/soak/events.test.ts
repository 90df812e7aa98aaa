import { expect, test } from 'vitest'
import { strangeSubscribers } from './events.ts'

test(
  'of ten thousand events every user receives their own, and none of another user’s',
  { timeout: 120_000 },
  async () => {
    const { events, ...wrong } = await strangeSubscribers(10_000)
    expect(events).toBeGreaterThanOrEqual(10_000)
    expect(wrong).toEqual({ missing: 0, foreign: 0 })
  },
)
