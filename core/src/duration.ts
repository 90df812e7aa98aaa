/**
 * Spans of time as text. The only file that formats them; all take seconds and give English.
 * A span below zero or that is no number at all reads as nothing: it must never reach a screen.
 */

/** How spans are written; the first is the spec's. */
export const DURATION_FORMATS = ['h m', 'h:mm', 'decimal'] as const
export type DurationFormat = (typeof DURATION_FORMATS)[number]

/**
 * 'Xh Ym', or 'Ym' under an hour, cut to whole minutes; 40 seconds is '0m'.
 * As 'h:mm' it is '1:05', as 'decimal' hours to two places, '1.08h': the same whole minutes. The one
 * function that shortens a span: the same time reads the same everywhere.
 */
export function formatDuration(seconds: number, format: DurationFormat = 'h m'): string {
  return textOf(shownUnits(seconds, format), format)
}

/** Durations that a reader adds up, each written by `formatDuration`. All seconds, none below 0. */
export interface AddedDurations {
  readonly parts: readonly number[]
  /** What is shown to lie outside of the total, and is taken off again. */
  readonly outside?: readonly number[]
}

/**
 * What the total, as it is shown, has more than the parts as they are shown, in seconds: the seconds
 * that were cut from each part and make whole minutes together. Shown parts and this sum to the shown
 * total, always. It is below 0 where decimals were rounded up, or when what lies outside lost more.
 */
export function secondsLeftOver(
  totalSeconds: number,
  added: AddedDurations,
  format: DurationFormat = 'h m',
): number {
  const unitSeconds = format === 'decimal' ? HUNDREDTH_SECONDS : MINUTE_SECONDS
  return (shownUnits(totalSeconds, format) - unitsAdded(added, format)) * unitSeconds
}

/** What the parts add up to as they are shown, as text; null where that is the total as it is shown. */
export function sumAsShown(
  totalSeconds: number,
  added: AddedDurations,
  format: DurationFormat = 'h m',
): string | null {
  return secondsLeftOver(totalSeconds, added, format) === 0
    ? null
    : textOf(unitsAdded(added, format), format)
}

const MINUTE_SECONDS = 60
const HUNDREDTH_SECONDS = 36

/** The span in the smallest units that the format shows: whole minutes, or those as hundredths of hours. */
function shownUnits(seconds: number, format: DurationFormat): number {
  const minutes = Math.floor(wholeSeconds(seconds) / MINUTE_SECONDS)
  return format === 'decimal' ? Math.round((minutes * 100) / 60) : minutes
}

function unitsAdded({ parts, outside = [] }: AddedDurations, format: DurationFormat): number {
  const sum = (spans: readonly number[]) =>
    spans.reduce((units, seconds) => units + shownUnits(seconds, format), 0)
  return sum(parts) - sum(outside)
}

function textOf(units: number, format: DurationFormat): string {
  if (format === 'decimal') return `${(units / 100).toFixed(2)}h`
  const hours = Math.floor(units / 60)
  const minutes = units % 60
  if (format === 'h:mm') return `${hours}:${String(minutes).padStart(2, '0')}`
  return hours > 0 ? `${hours}h ${minutes}m` : `${minutes}m`
}

/** The running clock: MM:SS under an hour, HH:MM:SS from an hour on (spec 9, design 6). */
export function formatTimer(seconds: number): string {
  const { hours, minutes, seconds: rest } = partsOf(seconds)
  const clock = hours > 0 ? [hours, minutes, rest] : [minutes, rest]
  return clock.map((part) => String(part).padStart(2, '0')).join(':')
}

/** '1h 5m 12s', '5m 12s', '40s': for tooltips, where the shown figure is rounded (S23, S28). */
export function exactDuration(seconds: number): string {
  const { hours, minutes, seconds: rest } = partsOf(seconds)
  if (hours > 0) return `${hours}h ${minutes}m ${rest}s`
  return minutes > 0 ? `${minutes}m ${rest}s` : `${rest}s`
}

/**
 * For ears: '1 hour 5 minutes', '2 hours', '40 seconds'. Says what `formatDuration` shows, and
 * seconds only where that would be '0m' (S28).
 */
export function spokenDuration(seconds: number): string {
  const { hours, minutes, seconds: rest } = partsOf(seconds)
  const said = [counted(hours, 'hour'), counted(minutes, 'minute')].filter((part) => part !== null)
  return said.length > 0 ? said.join(' ') : (counted(rest, 'second') ?? '0 seconds')
}

/** A bar's label: hours rounded to one decimal, '1.5h', '2.0h' (spec 9). */
export function hoursLabel(seconds: number): string {
  const tenths = Math.round(wholeSeconds(seconds) / 360)
  return `${(tenths / 10).toFixed(1)}h`
}

function partsOf(seconds: number): { hours: number; minutes: number; seconds: number } {
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
