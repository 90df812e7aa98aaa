/** Reads times of day, and moments that are written in one field. */
import type { CalendarDate, ZoneClock } from '#time/calendar.ts'
import { dateOfDay } from '#time/calendar.ts'
import { skippedTime } from '#time/skipped-time.ts'
import { dateOfSerial, readDate } from './import-dates.ts'
import { readZone, splitZone } from './import-zones.ts'
import type { ImportedZone } from './import-zones.ts'

/** A time of day, and the zone that the text names; null where it names none. */
export interface ImportedTime {
  readonly secondsOfDay: number
  /** Milliseconds of the second. */
  readonly milliseconds: number
  readonly zone: ImportedZone | null
}

/** The zone of a time that is not known, or has several meanings. */
export interface UnknownZone {
  readonly unknownZone: string
}

const DAY_SECONDS = 86_400
const DAY_MILLISECONDS = DAY_SECONDS * 1000

const TIME =
  /^(?:([ap])\.?m?\.?\s?)?(\d{1,2})(?:(?:[:.h]|\s?(?:h|uhr)\s?)(\d{2})(?:[:.](\d{2})(?:[.,](\d{1,9}))?)?)?\s?(?:h|hrs?|uhr)?\s?(?:([ap])\.?\s?m?\.?)?$/i
/** '0930' and '093015', as ISO 8601 writes times without colons. */
const COMPACT = /^(\d{2})(\d{2})(\d{2})?(?:[.,](\d{1,9}))?$/
/** The time of a spreadsheet: a share of the day. '0.30' is half past midnight. */
const SHARE = /^0?[.,](?:\d|\d{3,})$/

/**
 * Reads '9:30', '09:30:15.250', '9:30 p. m.', '9 AM', '21.30', '9h00', '9 Uhr', '9 Uhr 30', '0930', '24:00',
 * '09:30:15+01:00', '08:30Z' and '10:00 CET'. `own` is the zone of the import. Returns null if the
 * text is no time.
 */
export function readTime(text: string, own: string): ImportedTime | UnknownZone | null {
  const plain = text.normalize('NFKC').trim()
  if (SHARE.test(plain)) return ofShare(Number(plain.replace(',', '.')))
  const { time, zone: named } = splitZone(plain)
  const parts = partsOf(time)
  if (!parts) return null
  const zone = named === '' ? null : readZone(named, own)
  if (named !== '' && zone === null) return { unknownZone: named }
  return { ...parts, zone }
}

function partsOf(text: string): Omit<ImportedTime, 'zone'> | null {
  const compact = COMPACT.exec(text)
  if (compact) return checked(compact[1], compact[2], compact[3], compact[4])
  const parts = TIME.exec(text)
  if (!parts) return null
  const [, before, hours, minutes, seconds, fraction, after] = parts
  const half = (before ?? after)?.toLowerCase()
  // '9' alone is a number.
  if (minutes === undefined && half === undefined && !/h|uhr/i.test(text)) return null
  return checked(hours, minutes, seconds, fraction, half)
}

function checked(
  hours: string = '',
  minutes: string = '0',
  seconds: string = '0',
  fraction: string = '',
  half?: string,
): Omit<ImportedTime, 'zone'> | null {
  const [hour, minute, second] = [Number(hours), Number(minutes), Number(seconds)]
  if (minute > 59 || second > 59 || hour > 24) return null
  // '13:00 PM' says the same twice.
  const hourOfDay = half === undefined || hour > 12 ? hour : (hour % 12) + (half === 'p' ? 12 : 0)
  const secondsOfDay = (hourOfDay * 60 + minute) * 60 + second
  if (secondsOfDay > DAY_SECONDS) return null
  return { secondsOfDay, milliseconds: Number(fraction.padEnd(3, '0').slice(0, 3)) }
}

function ofShare(share: number): ImportedTime {
  return { secondsOfDay: Math.round(share * DAY_SECONDS), milliseconds: 0, zone: null }
}

/**
 * Returns when the clocks of the zone show the time, or those of its own zone: one instant, or two
 * where the clocks repeat the time. A time that they skipped is moved forward: see `skippedReason`.
 */
export function instantsOf(
  date: CalendarDate,
  time: ImportedTime,
  clock: ZoneClock,
): readonly [number] | readonly [number, number] {
  const { secondsOfDay, milliseconds, zone } = time
  if (zone && 'offset' in zone) {
    const atUtc = Date.parse(`${date}T00:00:00Z`) + secondsOfDay * 1000 + milliseconds
    return [atUtc - zone.offset]
  }
  const first = clock.instantOf(date, secondsOfDay) + milliseconds
  const shown = clock.secondsOfDay(first)
  for (const later of REPEATS) {
    if (clock.secondsOfDay(first + later) === shown) return [first, first + later]
  }
  return [first]
}

/** How long clocks go back for: an hour, or half of one on Lord Howe Island. */
const REPEATS = [3_600_000, 1_800_000] as const

/** Returns why the clocks of the zone never show the time, as a sentence; null if they do. */
export function skippedReason(
  date: CalendarDate,
  { secondsOfDay, zone }: ImportedTime,
  { skippedSince, timeZone }: ZoneClock,
): string | null {
  // Every day has its end, 24:00.
  const isShown =
    (zone !== null && 'offset' in zone) ||
    secondsOfDay === DAY_SECONDS ||
    skippedSince(date, secondsOfDay) === null
  return isShown ? null : (skippedTime(date, secondsOfDay, timeZone)?.message ?? null)
}

/** The date and the time of a moment, each as text for `readDate` and `readTime`. */
export interface DateAndTime {
  readonly date: string
  readonly time: string
}

/** Where a moment may be divided. */
const BETWEEN = /[Tt]|\s*[,@;]?\s+(?:(?:at|um|à|a las?|de)\s+)?|,/g
const TIME_BEGINS =
  /^(?:\d{1,2}(?:[:.h]|\s?(?:h|uhr|[ap]\.?\s?m)\b)|\d{4}(?:\d{2})?(?:[.,]\d+)?(?:z|[+-])?|[ap]m?\s?\d)/i

/**
 * Reads '2026-03-09T09:30', '9.3.2026 9:30 AM', '09:30 9.3.2026', '20260309T083000Z', a date alone,
 * Unix time in seconds or milliseconds, and the number of a spreadsheet, '46090.375'. Returns null
 * for anything else.
 */
export function dateAndTime(text: string): DateAndTime | null {
  const plain = text.normalize('NFKC').trim()
  if (plain.length < 5) return null
  if (/^-?[\d.,]+$/.test(plain)) {
    const moment = numericMoment(plain)
    if (moment) return moment
  }
  if (isDate(plain)) return { date: plain, time: '' }
  BETWEEN.lastIndex = 0
  for (;;) {
    const between = BETWEEN.exec(plain)
    if (!between) return timeFirst(plain)
    const date = plain.slice(0, between.index)
    const time = plain.slice(between.index + between[0].length)
    if (TIME_BEGINS.test(time) && isDate(date)) return { date, time }
  }
}

function timeFirst(text: string): DateAndTime | null {
  const parts = /^(\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?:\s?[ap]\.?m\.?)?),?\s+(.+)$/i.exec(text)
  const [, time = '', date = ''] = parts ?? []
  return parts && isDate(date) ? { date, time } : null
}

/** Reads a moment that is one number; null for a number that is none. */
function numericMoment(text: string): DateAndTime | null {
  const number = Number(text.replace(',', '.'))
  if (/^\d{10}(?:[.,]\d+)?$/.test(text)) return ofInstant(number * 1000)
  if (/^\d{13}$/.test(text)) return ofInstant(number)
  if (!/^\d{5}[.,]\d+$/.test(text)) return null
  const date = dateOfSerial(number)
  if (date === null) return null
  // The number of a spreadsheet is exact to less than a second.
  const seconds = Math.round((number % 1) * DAY_SECONDS)
  const day = Date.parse(`${date}T00:00:00Z`) / DAY_MILLISECONDS + Math.floor(seconds / DAY_SECONDS)
  const [, time = ''] = new Date((seconds % DAY_SECONDS) * 1000).toISOString().split('T')
  return { date: dateOfDay(day), time: time.slice(0, 8) }
}

function ofInstant(instant: number): DateAndTime {
  const [date = '', time = ''] = new Date(Math.round(instant)).toISOString().split('T')
  return { date, time }
}

function isDate(text: string): boolean {
  return (readDate(text, 'dmy') ?? readDate(text, 'mdy')) !== null
}
