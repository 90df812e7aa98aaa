/** The value of an `<input type="datetime-local">`: wall-clock text of the browser's zone. */
import { localDateTime } from '@stint/core/calendar.ts'

/** '2026-07-26T13:05' for epoch milliseconds; `zone` is the browser's. */
export function toLocalInput(instant: number, zone: string): string {
  return localDateTime(instant, zone).slice(0, 16).replace(' ', 'T')
}

/** Epoch milliseconds for what was picked, or null while it is not a whole date and time. */
export function fromLocalInput(text: string): number | null {
  const instant = text === '' ? Number.NaN : new Date(text).getTime()
  return Number.isNaN(instant) ? null : instant
}
