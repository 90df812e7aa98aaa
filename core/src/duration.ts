/**
 * Spans of time as text. The only file that formats them; all take seconds and give English.
 * A span below zero or that is no number at all reads as nothing: it must never reach a screen.
 */

/** How spans are written; the first is the spec's. */
export const DURATION_FORMATS = ['h m', 'h:mm', 'decimal'] as const
export type DurationFormat = (typeof DURATION_FORMATS)[number]

/**
 * 'Xh Ym', or 'Ym' under an hour, floored to whole minutes (spec 9); 40 seconds is '0m' (S28).
 * As 'h:mm' it is '1:05', as 'decimal' hours to two places, '1.08h': the same whole minutes.
 */
export function formatDuration(seconds: number, format: DurationFormat = 'h m'): string {
  const { hours, minutes } = partsOf(seconds)
  switch (format) {
    case 'h m':
      return hours > 0 ? `${hours}h ${minutes}m` : `${minutes}m`
    case 'h:mm':
      return `${hours}:${String(minutes).padStart(2, '0')}`
    case 'decimal':
      return `${(hours + minutes / 60).toFixed(2)}h`
  }
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
