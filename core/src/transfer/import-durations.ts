/** Reads durations as other programs write them. */
import { folded } from '#folded.ts'
import { readDuration } from '#time/time-span-input.ts'

export type DurationUnit = 'hours' | 'minutes' | 'seconds'

export const UNIT_SECONDS = { hours: 3600, minutes: 60, seconds: 1 } as const

/** Longer texts are no durations, or numbers too large to be counted. */
const MAX_LENGTH = 80

/** How long a day and a week of work are in '1d 2h', as Jira counts them by default. */
export const WORKDAY_HOURS = 8
const WORKWEEK_DAYS = 5

/**
 * Reads '01:30:00', '1:30', '0:24:5', '1.5', '1,5', '1.234,5', '1h 30m', '1d 2h' and 'PT1H30M' as
 * seconds, not rounded, negative if the text is. `unit` is the unit of a plain number. Returns null
 * if the text is no duration.
 */
export function readImportedDuration(text: string, unit: DurationUnit): number | null {
  if (text.length > MAX_LENGTH) return null
  const trimmed = text.normalize('NFKC').trim().replace(/^−/, '-')
  if (trimmed.startsWith('-')) {
    const seconds = readImportedDuration(trimmed.slice(1), unit)
    return seconds === null ? null : -seconds
  }
  const clock = /^(\d{1,5}):(\d{1,2})(?::(\d{1,2})(?:[.,](\d+))?)?(?:\s?h)?$/.exec(trimmed)
  if (clock) {
    const [, hours, minutes, seconds = '0', fraction = '0'] = clock
    if (Number(minutes) > 59 || Number(seconds) > 59) return null
    return (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds) + Number(`0.${fraction}`)
  }
  if (/^[\d.,' ]*\d[\d.,' ]*$/.test(trimmed)) return decimalOf(trimmed) * UNIT_SECONDS[unit]
  return isoDuration(trimmed) ?? workdays(trimmed) ?? spoken(trimmed)
}

/** A duration of ISO 8601, whose days have 24 hours. */
function isoDuration(text: string): number | null {
  const parts =
    /^P(?:(\d+(?:[.,]\d+)?)W)?(?:(\d+(?:[.,]\d+)?)D)?(?:T(?:(\d+(?:[.,]\d+)?)H)?(?:(\d+(?:[.,]\d+)?)M)?(?:(\d+(?:[.,]\d+)?)S)?)?$/i.exec(
      text,
    )
  const numbers = parts?.slice(1) ?? []
  if (!numbers.some((part) => part !== undefined)) return null
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = numbers.map((part) =>
    part === undefined ? 0 : decimalOf(part),
  )
  return (((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + seconds
}

const DAYS =
  /^(?:(\d+(?:[.,]\d+)?) ?(?:w|wk|weeks?|wochen?|semaines?|semanas?)(?![a-z])[, ]*)?(?:(\d+(?:[.,]\d+)?) ?(?:d|days?|tage?|t|j|jours?|dias?)(?![a-z])[, ]*)?(.*)$/

/** Returns whether a duration has days or weeks of work in it, whose length is a rule. */
export function hasWorkdays(text: string): boolean {
  return workdays(text.normalize('NFKC').trim()) !== null
}

/** Reads '1w 2d 3h'. */
function workdays(text: string): number | null {
  const [, weeks, days, rest = ''] = DAYS.exec(folded(text)) ?? []
  if (weeks === undefined && days === undefined) return null
  const seconds = rest === '' ? 0 : readImportedDuration(rest, 'hours')
  if (seconds === null) return null
  const daysInAll = decimalOf(weeks ?? '0') * WORKWEEK_DAYS + decimalOf(days ?? '0')
  return daysInAll * WORKDAY_HOURS * 3600 + seconds
}

function spoken(text: string): number | null {
  const read = readDuration(text)
  return read.kind === 'duration' ? read.seconds : null
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
 * Reads a number whose last point or comma is the decimal sign; those before it group thousands.
 */
function decimalOf(text: string): number {
  const plain = text.replace(/[' ]/g, '')
  const mark = Math.max(plain.lastIndexOf('.'), plain.lastIndexOf(','))
  if (mark < 0) return Number(plain)
  return Number(`${plain.slice(0, mark).replace(/[.,]/g, '')}.${plain.slice(mark + 1)}`)
}
