import { afterEach, beforeEach, expect, test } from 'vitest'

import { afterInput, lastActive, lastActiveOf, watchActivity } from './activity.ts'
import type { Activity } from './activity.ts'

const MINUTE = 60_000

/** The activity after input at these minutes. */
function seen(...minutes: number[]): Activity {
  const activity = minutes.reduce<Activity | null>(
    (known, minute) => afterInput(known, minute * MINUTE),
    null,
  )
  if (!activity) throw new Error('Nothing was seen')
  return activity
}

test.each([
  ['A person who is working was last active at the last input', [0, 1, 4, 8], 9, 8],
  ['A person who left was last active when they left', [0, 1, 4], 60, 4],
  ['A person who has just come back was last active when they left', [0, 1, 4, 60], 60, 4],
  ['A few minutes after coming back, the last input counts again', [0, 1, 4, 60, 63, 66], 66, 66],
  ['A second short visit counts from the first one', [0, 4, 60, 120], 120, 60],
  ['A clock that was set back starts a new period', [60, 61, 10], 10, 10],
])('%s', (_, minutes, now, expected) => {
  expect(lastActiveOf(seen(...minutes), now * MINUTE)).toBe(expected * MINUTE)
})

beforeEach(() => localStorage.clear())
afterEach(() => localStorage.clear())

test('Key presses and pointer moves count as activity, also after a reload', () => {
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

test('Unreadable stored activity counts as none', () => {
  localStorage.setItem('stint-activity', '{"last":"yesterday"}')
  expect(lastActive(0)).toBeNull()
  localStorage.setItem('stint-activity', 'no')
  expect(lastActive(0)).toBeNull()
})
