/**
 * Formats durations. Only this file does. All functions take seconds and return text in the language
 * of the build; the examples are English. The forms of the other languages are in the functions
 * that end in 'Words'. A negative or invalid duration is formatted as 0: it must never reach a
 * screen.
 */
import { decimalWords, unitWords } from '#number-words.ts'
import { LANGUAGE } from '#text.ts'
import type { Language } from '#text.ts'

/** The formats of durations; the first is the default. */
export const DURATION_FORMATS = ['h m', 'h:mm', 'decimal'] as const
export type DurationFormat = (typeof DURATION_FORMATS)[number]

/**
 * Returns 'Xh Ym', or 'Ym' under an hour, cut to whole minutes; 40 seconds are '0m'. The same whole
 * minutes are '1:05' as 'h:mm', and hours with two places, '1.08h', as 'decimal'. Only this
 * function shortens durations, so that the same time is written the same everywhere.
 */
export function formatDuration(seconds: number, format: DurationFormat = 'h m'): string {
  return unitsText(shownUnits(seconds, format), format)
}

const MINUTE_SECONDS = 60

/**
 * Returns the duration in the smallest units that the format shows: whole minutes, or hundredths of
 * hours.
 */
export function shownUnits(seconds: number, format: DurationFormat): number {
  const minutes = Math.floor(wholeSeconds(seconds) / MINUTE_SECONDS)
  return format === 'decimal' ? Math.round((minutes * 100) / 60) : minutes
}

/** Returns so many of these units as text. */
export function unitsText(units: number, format: DurationFormat): string {
  if (format === 'decimal') return decimalHours(units / 100, 2)
  const hours = Math.floor(units / 60)
  const minutes = units % 60
  if (format === 'h:mm') return `${hours}:${String(minutes).padStart(2, '0')}`
  if (LANGUAGE !== 'en') return shortWords({ hours, minutes })
  return hours > 0 ? `${hours}h ${minutes}m` : `${minutes}m`
}

function decimalHours(hours: number, decimals: number): string {
  if (LANGUAGE !== 'en') return decimalHoursWords(hours, decimals)
  return `${hours.toFixed(decimals)}h`
}

/** Returns '1,25h', in a language other than English. */
export function decimalHoursWords(
  hours: number,
  decimals: number,
  language: Language = LANGUAGE,
): string {
  return `${decimalWords(hours, decimals, language)}h`
}

/** Returns the running timer's clock: MM:SS under an hour, HH:MM:SS from an hour on. */
export function formatTimer(seconds: number): string {
  const { hours, minutes, seconds: rest } = partsOf(seconds)
  const clock = hours > 0 ? [hours, minutes, rest] : [minutes, rest]
  return clock.map((part) => String(part).padStart(2, '0')).join(':')
}

/**
 * Returns '1h 5m 12s', '5m 12s' or '40s': to the second. Whole minutes have no seconds, '1h 0m', as
 * most typed and imported sessions.
 */
export function exactDuration(seconds: number): string {
  const whole = wholeSeconds(seconds)
  if (whole > 0 && whole % MINUTE_SECONDS === 0) return formatDuration(whole)
  const { hours, minutes, seconds: rest } = partsOf(seconds)
  if (LANGUAGE !== 'en') return shortWords({ hours, minutes, seconds: rest })
  if (hours > 0) return `${hours}h ${minutes}m ${rest}s`
  return minutes > 0 ? `${minutes}m ${rest}s` : `${rest}s`
}

/** Returns '1h', '1h 30m', '45m' or, under a minute, '40s': a length as people say it. */
export function briefDuration(seconds: number): string {
  const { hours, minutes, seconds: rest } = partsOf(seconds)
  const parts = [
    hours > 0 && `${hours}h`,
    minutes > 0 && `${minutes}${LANGUAGE === 'en' ? 'm' : 'min'}`,
  ].filter((part) => part !== false)
  return parts.length > 0 ? parts.join(' ') : `${rest}s`
}

/**
 * Returns '1 hour 5 minutes', '2 hours' or '40 seconds', for accessible labels. It has the minutes
 * that `formatDuration` shows, and seconds only where that would be '0m'.
 */
export function spokenDuration(seconds: number): string {
  const { hours, minutes, seconds: rest } = partsOf(seconds)
  if (LANGUAGE !== 'en') return spokenWords({ hours, minutes, seconds: rest })
  const said = [counted(hours, 'hour'), counted(minutes, 'minute')].filter((part) => part !== null)
  return said.length > 0 ? said.join(' ') : (counted(rest, 'second') ?? '0 seconds')
}

/** Returns a bar's label, hours rounded to one decimal: '1.5h', '2.0h'. */
export function hoursLabel(seconds: number): string {
  const tenths = Math.round(wholeSeconds(seconds) / 360)
  return decimalHours(tenths / 10, 1)
}

interface DurationParts {
  readonly hours: number
  readonly minutes: number
  readonly seconds: number
}

/**
 * Returns '1h 5min 12s', '5min 12s' or, without the seconds, '0min', in a language other than
 * English. German, French and Spanish share these symbols. Intl's German words, '1 Std. 5 Min.', do
 * not fit beside a button on a phone.
 */
export function shortWords({
  hours,
  minutes,
  seconds,
}: Omit<DurationParts, 'seconds'> & Partial<DurationParts>): string {
  const parts: string[] = []
  if (hours > 0) parts.push(`${hours}h`)
  if (hours > 0 || minutes > 0 || seconds === undefined) parts.push(`${minutes}min`)
  if (seconds !== undefined) parts.push(`${seconds}s`)
  return parts.join(' ')
}

/** Returns '1 Stunde 5 Minuten' or '40 Sekunden', in a language other than English. */
export function spokenWords(
  { hours, minutes, seconds }: DurationParts,
  language: Language = LANGUAGE,
): string {
  const parts: string[] = []
  if (hours > 0) parts.push(unitWords(hours, 'hour', language))
  if (minutes > 0) parts.push(unitWords(minutes, 'minute', language))
  return parts.length > 0 ? parts.join(' ') : unitWords(seconds, 'second', language)
}

function partsOf(seconds: number): DurationParts {
  const whole = wholeSeconds(seconds)
  return {
    hours: Math.floor(whole / 3600),
    minutes: Math.floor((whole % 3600) / 60),
    seconds: whole % 60,
  }
}

function wholeSeconds(seconds: number): number {
  return Number.isFinite(seconds) ? Math.max(0, Math.floor(seconds)) : 0
}

function counted(count: number, noun: string): string | null {
  if (count === 0) return null
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`
}
