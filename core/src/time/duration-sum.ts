/** Short durations that stand beside their total: what they add up to, and what their cut leaves over. */
import type { DurationFormat } from './duration.ts'
import { shownUnits, unitsText } from './duration.ts'

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
    : unitsText(unitsAdded(added, format), format)
}

const MINUTE_SECONDS = 60
const HUNDREDTH_SECONDS = 36

function unitsAdded({ parts, outside = [] }: AddedDurations, format: DurationFormat): number {
  const sum = (spans: readonly number[]) =>
    spans.reduce((units, seconds) => units + shownUnits(seconds, format), 0)
  return sum(parts) - sum(outside)
}
