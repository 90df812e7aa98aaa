/** Says that a time of the clock does not exist, because the clocks went forward over it. */
import { t } from '#text.ts'
import {
  addDays,
  clockSeconds,
  clockTime,
  formatLongDate,
  localDateTime,
  skippedSince,
} from './calendar.ts'
import type { CalendarDate, HourCycle } from './calendar.ts'

export interface SkippedTime {
  /** A sentence: 'There is no 02:30 on 29 March: clocks went forward at 02:00.' */
  readonly message: string
  /** When the clocks went forward, in epoch milliseconds. */
  readonly since: number
}

const DAY_SECONDS = 86_400

/**
 * Returns why no clock of the zone shows so many seconds past 00:00 of the date; null if one does.
 * From 86,400 on, they reach into the following days.
 */
export function skippedTime(
  date: CalendarDate,
  secondsOfDay: number,
  timeZone: string,
  cycle: HourCycle = 24,
): SkippedTime | null {
  const since = skippedSince(date, secondsOfDay, timeZone)
  if (since === null) return null
  const day = addDays(date, Math.floor(secondsOfDay / DAY_SECONDS))
  const message = t('There is no {time} on {date}: clocks went forward at {before}.', {
    time: timeText(secondsOfDay, cycle),
    date: formatLongDate(day),
    before: timeText(clockSeconds(since - 1000, timeZone) + 1, cycle),
  })
  return { since, message }
}

/** Returns '02:30', or with seconds '02:59:59'. */
function timeText(seconds: number, cycle: HourCycle): string {
  const time = localDateTime(seconds * 1000, 'UTC').slice(11)
  return time.endsWith(':00') ? clockTime(seconds * 1000, 'UTC', cycle) : time
}
