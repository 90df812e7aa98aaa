import { expect, test } from 'vitest'

import { fromLocalInput, toLocalInput } from './local-date-time.ts'

test('An instant survives the conversion to a field value and back, to the minute', () => {
  const lastSeen = Date.parse('2026-07-26T17:05:59Z')
  expect(toLocalInput(lastSeen, 'America/New_York')).toBe('2026-07-26T13:05')
  expect(fromLocalInput(toLocalInput(lastSeen, 'America/New_York'), 'America/New_York')).toBe(
    lastSeen - 59_000,
  )
})

test('A winter date is read with the winter offset, and an incomplete one is null', () => {
  expect(fromLocalInput('2026-01-01T09:30', 'America/New_York')).toBe(
    Date.parse('2026-01-01T14:30:00Z'),
  )
  expect(fromLocalInput('', 'UTC')).toBeNull()
})

test('A time that the clocks skipped is no instant, and the reason says so', () => {
  expect(fromLocalInput('2026-03-08T02:30', 'America/New_York')).toBe(
    'There is no 02:30 on 8 March: clocks went forward at 02:00.',
  )
  expect(fromLocalInput('2026-03-08T02:30', 'America/New_York', 12)).toBe(
    'There is no 2:30 AM on 8 March: clocks went forward at 2:00 AM.',
  )
  expect(fromLocalInput('2026-03-08T03:00', 'America/New_York')).toBe(
    Date.parse('2026-03-08T07:00:00Z'),
  )
})
