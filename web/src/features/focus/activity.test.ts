import { afterEach, beforeEach, expect, test } from 'vitest'

import { after, lastActive, lastActiveOf, watchActivity } from './activity.ts'
import type { Activity } from './activity.ts'

const MINUTE = 60_000

/** What is known after signs at these minutes. */
function seen(...minutes: number[]): Activity {
  const activity = minutes.reduce<Activity | null>(
    (known, minute) => after(known, minute * MINUTE),
    null,
  )
  if (!activity) throw new Error('Nothing was seen')
  return activity
}

test.each([
  ['somebody who is at it', [0, 1, 4, 8], 9, 8],
  ['somebody who left', [0, 1, 4], 60, 4],
  ['somebody who just came back was away until now', [0, 1, 4, 60], 60, 4],
  ['and after a few minutes they are at it again', [0, 1, 4, 60, 63, 66], 66, 66],
  ['who looks in twice left before the first time', [0, 4, 60, 120], 120, 60],
  ['a clock set back', [60, 61, 10], 10, 10],
])('%s', (_, minutes, now, expected) => {
  expect(lastActiveOf(seen(...minutes), now * MINUTE)).toBe(expected * MINUTE)
})

beforeEach(() => localStorage.clear())
afterEach(() => localStorage.clear())

test('keys and pointers are signs of life, also after a reload', () => {
  let now = 100 * MINUTE
  const stop = watchActivity(() => now)
  document.body.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, key: 'x' }))
  now += MINUTE
  document.body.dispatchEvent(new Event('pointerdown', { bubbles: true }))
  stop()
  now += MINUTE
  document.body.dispatchEvent(new Event('pointerdown', { bubbles: true }))
  expect(lastActive(now)).toBe(101 * MINUTE)
})

test('what cannot be read is as if nothing were known', () => {
  localStorage.setItem('stint-activity', '{"last":"yesterday"}')
  expect(lastActive(0)).toBeNull()
  localStorage.setItem('stint-activity', 'no')
  expect(lastActive(0)).toBeNull()
})
