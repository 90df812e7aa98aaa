/**
 * Compares shortened durations with their total: what they sum to, and what shortening cuts off.
 */
import type { DurationFormat } from './duration.ts'
import { shownUnits, unitsText } from './duration.ts'

/**
 * Durations that are shown beside their total, each written by `formatDuration`. All are seconds,
 * none below 0.
 */
export interface AddedDurations {
  readonly parts: readonly number[]
  /** Parts that are shown to lie outside of the total; they are subtracted. */
  readonly outside?: readonly number[]
}

/**
 * Returns by how many seconds the shown total exceeds the sum of the shown parts: the seconds that
 * were cut from the parts and together make whole minutes. The shown parts and this remainder
 * always sum to the shown total. It is negative if decimals were rounded up, or if the parts
 * outside lost more.
 */
export function secondsLeftOver(
  totalSeconds: number,
  added: AddedDurations,
  format: DurationFormat = 'h m',
): number {
  const unitSeconds = format === 'decimal' ? HUNDREDTH_SECONDS : MINUTE_SECONDS
  return (shownUnits(totalSeconds, format) - unitsAdded(added, format)) * unitSeconds
}

/** Returns the sum of the shown parts as text; null if it equals the shown total. */
export function sumAsShown(
  totalSeconds: number,
  added: AddedDurations,
  format: DurationFormat = 'h m',
): string | null {
  return secondsLeftOver(totalSeconds, added, format) === 0
    ? null
    : unitsText(unitsAdded(added, format), format)
}

const MINUTE_SECONDS = 60
const HUNDREDTH_SECONDS = 36

function unitsAdded({ parts, outside = [] }: AddedDurations, format: DurationFormat): number {
  const sum = (spans: readonly number[]) =>
    spans.reduce((units, seconds) => units + shownUnits(seconds, format), 0)
  return sum(parts) - sum(outside)
}
