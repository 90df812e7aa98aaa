/**
 * Reads dates, times and durations as other programs write them. The order of day and month is
 * found from the whole column: '03/04/2026' is read as most dates of the column must be.
 */
import type { CalendarDate, ZoneClock } from '#time/calendar.ts'
import { isCalendarDate } from '#time/calendar.ts'
import { skippedTime } from '#time/skipped-time.ts'
import { readDuration } from '#time/time-span-input.ts'

export const DATE_ORDERS = ['ymd', 'dmy', 'mdy'] as const
export type DateOrder = (typeof DATE_ORDERS)[number]

export type DurationUnit = 'hours' | 'minutes' | 'seconds'

/** A time of day, and the offset from UTC where the text names one. */
export interface ImportedTime {
  readonly secondsOfDay: number
  /** Milliseconds of the second. */
  readonly milliseconds: number
  readonly offsetMilliseconds: number | null
}

const DAY_SECONDS = 86_400

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/**
 * Guesses the order of day and month in a column. A number above 12 settles it. Otherwise no work
 * may be after today. Otherwise the separator decides: dots mean the day first, slashes the month
 * first. The last rule is a guess (`isAmbiguous`).
 */
export function guessDateOrder(
  texts: Iterable<string>,
  today: CalendarDate,
): { readonly order: DateOrder; readonly isAmbiguous: boolean } {
  const kinds = new Set<string>()
  let daysFirst = 0
  let monthsFirst = 0
  const later = { dmy: false, mdy: false }
  let isOpen = false
  let hasDots = false
  for (const text of texts) {
    const numbers = numbersOf(text)
    if (!numbers) continue
    const [first, second] = numbers
    if (first > 12) daysFirst++
    if (second > 12) monthsFirst++
    if (kinds.has(text)) continue
    if (kinds.size < MAX_KINDS) kinds.add(text)
    isOpen ||= first !== second
    hasDots ||= text.includes('.')
    later.dmy ||= (readDate(text, 'dmy') ?? '') > today
    later.mdy ||= (readDate(text, 'mdy') ?? '') > today
  }
  if (daysFirst !== monthsFirst) {
    return { order: daysFirst > monthsFirst ? 'dmy' : 'mdy', isAmbiguous: false }
  }
  if (later.dmy !== later.mdy) return { order: later.dmy ? 'mdy' : 'dmy', isAmbiguous: false }
  if (!isOpen) return { order: kinds.size > 0 ? 'mdy' : 'ymd', isAmbiguous: false }
  return { order: hasDots ? 'dmy' : 'mdy', isAmbiguous: true }
}

/** How many different dates are kept to recognise repeated ones, as most are. */
const MAX_KINDS = 10_000

/**
 * Reads '2026-03-09', '09/03/2026' and '9.3.26' in the given order, '9 Mar 2026', 'Mar 9, 2026' and
 * '09-Mar-2026'. Returns null if the text is no date.
 */
export function readDate(text: string, order: DateOrder): CalendarDate | null {
  const trimmed = text.trim()
  const yearFirst = /^(\d{4})[-/. ](\d{1,2})[-/. ](\d{1,2})\.?$/.exec(trimmed)
  if (yearFirst) return dateOf(yearFirst[1], yearFirst[2], yearFirst[3])
  const numbers = /^(\d{1,2})[-/. ] ?(\d{1,2})[-/. ] ?(\d{4}|\d{2})$/.exec(trimmed)
  if (numbers) {
    const [, first, second, third] = numbers
    if (order === 'ymd') return dateOf(first, second, third)
    return order === 'dmy' ? dateOf(third, second, first) : dateOf(third, first, second)
  }
  const dayFirst = /^(\d{1,2})\.?[- ]([a-z]{3,9})\.?,?[- ](\d{4}|\d{2})$/i.exec(trimmed)
  if (dayFirst) return dateOf(dayFirst[3], monthOf(dayFirst[2]), dayFirst[1])
  const monthFirst = /^([a-z]{3,9})\.? (\d{1,2}),? (\d{4})$/i.exec(trimmed)
  return monthFirst ? dateOf(monthFirst[3], monthOf(monthFirst[1]), monthFirst[2]) : null
}

/**
 * Reads '9:30', '09:30:15.250', '9:30 PM', '21.30', '09:30:15+01:00' and '08:30Z'. Returns null if
 * the text is no time.
 */
export function readTime(text: string): ImportedTime | null {
  const parts = TIME.exec(text.normalize('NFKC').trim())
  if (!parts) return null
  const [, hours = '', minutes = '', seconds = '0', fraction = '', half, zone] = parts
  const hour = Number(hours)
  const [minute, second] = [Number(minutes), Number(seconds)]
  if (minute > 59 || second > 59 || hour > (half === undefined ? 24 : 12)) return null
  const isPm = half?.toLowerCase() === 'p'
  const hourOfDay = half === undefined ? hour : (hour % 12) + (isPm ? 12 : 0)
  const secondsOfDay = (hourOfDay * 60 + minute) * 60 + second
  if (secondsOfDay > DAY_SECONDS) return null
  return {
    secondsOfDay,
    milliseconds: Number(fraction.padEnd(3, '0').slice(0, 3)),
    offsetMilliseconds: zone === undefined ? null : offsetOf(zone),
  }
}

const TIME =
  /^(\d{1,2})[:.h](\d{2})(?:[:.](\d{2})(?:[.,](\d{1,9}))?)?(?: ?([ap])\.? ?m?\.?)? ?(z|utc|gmt|[+-]\d{2}:?\d{2}(?::\d{2})?)?$/i

/**
 * Returns when the clocks of the zone show the time, or those of its own offset. A time that they
 * skipped is moved forward: see `skippedReason`.
 */
export function instantOf(date: CalendarDate, time: ImportedTime, clock: ZoneClock): number {
  const { secondsOfDay, milliseconds, offsetMilliseconds } = time
  if (offsetMilliseconds === null) return clock.instantOf(date, secondsOfDay) + milliseconds
  return Date.parse(`${date}T00:00:00Z`) + secondsOfDay * 1000 + milliseconds - offsetMilliseconds
}

/** Returns why the clocks of the zone never show the time, as a sentence; null if they do. */
export function skippedReason(
  date: CalendarDate,
  { secondsOfDay, offsetMilliseconds }: ImportedTime,
  { skippedSince, timeZone }: ZoneClock,
): string | null {
  // Every day has its end, 24:00.
  const isShown =
    offsetMilliseconds !== null ||
    secondsOfDay === DAY_SECONDS ||
    skippedSince(date, secondsOfDay) === null
  return isShown ? null : (skippedTime(date, secondsOfDay, timeZone)?.message ?? null)
}

/**
 * Returns the seconds of a break, as `readImportedDuration` does; nothing and a dash are none.
 * Without a unit, `unit` is that of a plain number; null: minutes of a whole one, hours of another.
 */
export function readBreak(text: string, unit: DurationUnit | null): number | null {
  if (/^\p{Pd}?$/u.test(text)) return 0
  return readImportedDuration(text, unit ?? (/^\d+$/.test(text) ? 'minutes' : 'hours'))
}

/**
 * Reads '01:30:00', '1:30', '1.5', '1,5', '1.234,5' and '1h 30m' as seconds, not rounded, negative
 * if the text is. `unit` is the unit of a plain number. Returns null if the text is no duration.
 */
export function readImportedDuration(text: string, unit: DurationUnit): number | null {
  const trimmed = text.normalize('NFKC').trim().replace(/^−/, '-')
  if (trimmed.startsWith('-')) {
    const seconds = readImportedDuration(trimmed.slice(1), unit)
    return seconds === null ? null : -seconds
  }
  const clock = /^(\d{1,5}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?$/.exec(trimmed)
  if (clock) {
    const [, hours, minutes, seconds = '0'] = clock
    return (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)
  }
  if (/^[\d.,' ]*\d[\d.,' ]*$/.test(trimmed)) return decimalOf(trimmed) * UNIT_SECONDS[unit]
  const read = readDuration(trimmed)
  return read.kind === 'duration' ? read.seconds : null
}

const UNIT_SECONDS = { hours: 3600, minutes: 60, seconds: 1 } as const

/** Returns the two numbers before the year in '03/04/2026', or null for other dates. */
function numbersOf(text: string): readonly [number, number] | null {
  const parts = /^\s*(\d{1,2})[-/. ] ?(\d{1,2})[-/. ] ?(?:\d{4}|\d{2})\s*$/.exec(text)
  return parts ? [Number(parts[1]), Number(parts[2])] : null
}

function dateOf(year: string = '', month: string = '', day: string = ''): CalendarDate | null {
  const century = year.length === 2 ? `20${year}` : year
  const date = `${century}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isCalendarDate(date) ? date : null
}

function monthOf(name: string = ''): string {
  return String(MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1)
}

function offsetOf(zone: string): number {
  const parts = /^([+-])(\d{2}):?(\d{2})(?::(\d{2}))?$/.exec(zone)
  if (!parts) return 0
  const [, sign, hours, minutes, seconds = '0'] = parts
  const offset = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)
  return (sign === '-' ? -offset : offset) * 1000
}

/**
 * Reads a number whose last point or comma is the decimal sign; those before it group thousands.
 */
function decimalOf(text: string): number {
  const plain = text.replace(/[' ]/g, '')
  const mark = Math.max(plain.lastIndexOf('.'), plain.lastIndexOf(','))
  if (mark < 0) return Number(plain)
  return Number(`${plain.slice(0, mark).replace(/[.,]/g, '')}.${plain.slice(mark + 1)}`)
}
