import { expect, test } from 'vitest'

import { fromLocalInput, toLocalInput } from './local-date-time.ts'

test('a moment survives the way through the field, to the minute', () => {
  const lastSeen = Date.parse('2026-07-26T17:05:59Z')
  expect(toLocalInput(lastSeen, 'America/New_York')).toBe('2026-07-26T13:05')
  expect(fromLocalInput(toLocalInput(lastSeen, 'America/New_York'), 'America/New_York')).toBe(
    lastSeen - 59_000,
  )
})

test('a winter day is read in winter time, an unfinished one is nothing', () => {
  expect(fromLocalInput('2026-01-01T09:30', 'America/New_York')).toBe(
    Date.parse('2026-01-01T14:30:00Z'),
  )
  expect(fromLocalInput('', 'UTC')).toBeNull()
})
