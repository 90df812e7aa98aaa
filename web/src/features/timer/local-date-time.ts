/**
 * Converts between instants and the value of `<input type="datetime-local">`, in the user's time zone.
 */
import { instantOfLocalDateTime, localDateTime } from '@stint/core/time/calendar.ts'

/** Returns '2026-07-26T13:05' for epoch milliseconds. */
export function toLocalInput(instant: number, timeZone: string): string {
  return localDateTime(instant, timeZone).slice(0, 16).replace(' ', 'T')
}

/** Returns epoch milliseconds; null for an incomplete date or time. */
export function fromLocalInput(text: string, timeZone: string): number | null {
  return instantOfLocalDateTime(text, timeZone)
}
