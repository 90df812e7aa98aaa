import { expect, test } from 'vitest'

import { BackendError } from './errors.ts'

import { createPace, millisecondsToWait } from './pace.ts'

const MINUTE = 60_000
const NOON = Date.UTC(2026, 0, 15, 12)

test('The pace has no limit until the backend refuses a write', () => {
  const pace = createPace(() => NOON)
  for (let count = 0; count < 1000; count += 1) expect(pace.take()).toBe(0)
  expect(pace.perMinute()).toBeNull()
})

test('After a refusal, three quarters of the limit are sent in each window and the rest is kept for the timer', () => {
  let now = NOON + 10_000
  const pace = createPace(() => now)
  pace.refused(new BackendError('rate-limited', 'Too many requests'))
  expect(pace.perMinute()).toBe(90)
  expect(pace.take()).toBe(50_000)
  now = NOON + MINUTE
  for (let round = 0; round < 3; round += 1) {
    for (let count = 0; count < 90; count += 1) expect(pace.take()).toBe(0)
    expect(pace.take()).toBe(MINUTE)
    now += MINUTE
  }
})

test('The limit that the server states replaces the usual one', () => {
  const pace = createPace(() => NOON)
  const rateLimit = { retryAfterSeconds: 7, limit: 40 }
  pace.refused(new BackendError('rate-limited', 'Too many requests', '', 429, rateLimit))
  expect(pace.perMinute()).toBe(30)
  expect(pace.take()).toBe(7000)
})

test('Without a stated delay, the pace waits for the next minute', () => {
  expect(millisecondsToWait(null, NOON)).toBe(MINUTE)
  expect(millisecondsToWait(null, NOON + 59_000)).toBe(1000)
  expect(millisecondsToWait({ retryAfterSeconds: 3, limit: null }, NOON)).toBe(3000)
})
