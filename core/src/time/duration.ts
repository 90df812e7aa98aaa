/**
 * Spans of time as text. The only file that formats them; all take seconds and give English.
 * A span below zero or that is no number at all reads as nothing: it must never reach a screen.
 */

/** How spans are written; the first is the default. */
export const DURATION_FORMATS = ['h m', 'h:mm', 'decimal'] as const
export type DurationFormat = (typeof DURATION_FORMATS)[number]

/**
 * 'Xh Ym', or 'Ym' under an hour, cut to whole minutes; 40 seconds is '0m'.
 * As 'h:mm' it is '1:05', as 'decimal' hours to two places, '1.08h': the same whole minutes. The one
 * function that shortens a span: the same time reads the same everywhere.
 */
export function formatDuration(seconds: number, format: DurationFormat = 'h m'): string {
  return unitsText(shownUnits(seconds, format), format)
}

const MINUTE_SECONDS = 60

/** The span in the smallest units that the format shows: whole minutes, or those as hundredths of hours. */
export function shownUnits(seconds: number, format: DurationFormat): number {
  const minutes = Math.floor(wholeSeconds(seconds) / MINUTE_SECONDS)
  return format === 'decimal' ? Math.round((minutes * 100) / 60) : minutes
}

/** So many of these units as text. */
export function unitsText(units: number, format: DurationFormat): string {
  if (format === 'decimal') return `${(units / 100).toFixed(2)}h`
  const hours = Math.floor(units / 60)
  const minutes = units % 60
  if (format === 'h:mm') return `${hours}:${String(minutes).padStart(2, '0')}`
  return hours > 0 ? `${hours}h ${minutes}m` : `${minutes}m`
}

/** The running clock: MM:SS under an hour, HH:MM:SS from an hour on. */
export function formatTimer(seconds: number): string {
  const { hours, minutes, seconds: rest } = partsOf(seconds)
  const clock = hours > 0 ? [hours, minutes, rest] : [minutes, rest]
  return clock.map((part) => String(part).padStart(2, '0')).join(':')
}

/** '1h 5m 12s', '5m 12s', '40s': for tooltips, where the shown figure is rounded. */
export function exactDuration(seconds: number): string {
  const { hours, minutes, seconds: rest } = partsOf(seconds)
  if (hours > 0) return `${hours}h ${minutes}m ${rest}s`
  return minutes > 0 ? `${minutes}m ${rest}s` : `${rest}s`
}

/**
 * For accessible labels: '1 hour 5 minutes', '2 hours', '40 seconds'. Says what
 * `formatDuration` shows, and seconds only where that would be '0m'.
 */
export function spokenDuration(seconds: number): string {
  const { hours, minutes, seconds: rest } = partsOf(seconds)
  const said = [counted(hours, 'hour'), counted(minutes, 'minute')].filter((part) => part !== null)
  return said.length > 0 ? said.join(' ') : (counted(rest, 'second') ?? '0 seconds')
}

/** A bar's label: hours rounded to one decimal, '1.5h', '2.0h'. */
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
