import { expect, test } from 'vitest'

import { fromLocalInput, toLocalInput } from './local-date-time.ts'

test('a moment survives the way through the field, to the second', () => {
  const lastSeen = Date.parse('2026-07-26T17:05:59Z')
  expect(toLocalInput(lastSeen, 'America/New_York')).toBe('2026-07-26T13:05:59')
  expect(fromLocalInput(toLocalInput(lastSeen, 'America/New_York'))).toBe(lastSeen)
})

test('a field without seconds is whole minutes, an unfinished one is nothing', () => {
  expect(fromLocalInput('2026-01-01T09:30')).toBe(Date.parse('2026-01-01T14:30:00Z'))
  expect(fromLocalInput('')).toBeNull()
})
