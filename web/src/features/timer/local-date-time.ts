/** The value of an `<input type="datetime-local">`: wall-clock text of the viewer's zone. */
import { instantOfLocalDateTime, localDateTime } from '@stint/core/time/calendar.ts'

/** '2026-07-26T13:05' for epoch milliseconds. */
export function toLocalInput(instant: number, timeZone: string): string {
  return localDateTime(instant, timeZone).slice(0, 16).replace(' ', 'T')
}

/** Epoch milliseconds for what was picked, or null while it is not a whole date and time. */
export function fromLocalInput(text: string, timeZone: string): number | null {
  return instantOfLocalDateTime(text, timeZone)
}
