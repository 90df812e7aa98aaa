/**
 * Converts between instants and the value of `<input type="datetime-local">`, in the user's time zone.
 */
import { localDate, localDateTime } from '@stint/core/time/calendar.ts'
import type { HourCycle } from '@stint/core/time/calendar.ts'
import { dayRuleOf } from '@stint/core/time/day-rule.ts'
import { readMoment } from '@stint/core/time/time-span-input.ts'

/** Returns '2026-07-26T13:05' for epoch milliseconds. */
export function toLocalInput(instant: number, timeZone: string): string {
  return localDateTime(instant, timeZone).slice(0, 16).replace(' ', 'T')
}

/**
 * Returns epoch milliseconds; null for an incomplete date or time; a sentence for a time that the
 * clocks of the zone skipped.
 */
export function fromLocalInput(
  text: string,
  timeZone: string,
  hourCycle?: HourCycle,
): number | string | null {
  // The text has its own date.
  const context = { timeZone, date: localDate(0, dayRuleOf(timeZone)), now: 0 }
  const read = readMoment(text, hourCycle ? { ...context, hourCycle } : context)
  if (read.kind === 'moment') return read.at
  return read.kind === 'problem' && read.skippedSince !== null ? read.message : null
}
