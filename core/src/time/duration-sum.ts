/** Shortens durations that are shown beside their total, so that they add up to it. */
import type { DurationFormat } from './duration.ts'
import { shownUnits, unitsText } from './duration.ts'

/**
 * Returns the parts of a total as text. They add up to the total as `formatDuration` shows it: what
 * rounding down cuts off goes to the parts that lose most, so that none differs by a whole unit
 * from what it is. A `growing` part, that of a running timer, takes what is left over, so that the
 * others stand still.
 */
export function formatParts(
  parts: readonly number[],
  format: DurationFormat = 'h m',
  growing: number = -1,
): string[] {
  const still = parts.filter((_, index) => index !== growing)
  const units = distributed(still, format)
  if (growing in parts) {
    const added = units.reduce((sum, each) => sum + each, 0)
    units.splice(growing, 0, shownUnits(totalOf(parts), format) - added)
  }
  return units.map((each) => unitsText(each, format))
}

/**
 * Returns what leads from one signed sum to another, with signs: '+7h 5m', '−8h 0m', '0m'. With the first
 * sum as it is shown, the parts add up to the last one: what rounding towards zero cuts off goes to the
 * parts that lose most.
 */
export function formatChanges(
  parts: readonly number[],
  { before, after }: { readonly before: number; readonly after: number },
  format: DurationFormat = 'h m',
): string[] {
  const unit = format === 'decimal' ? HUNDREDTH_SECONDS : MINUTE_SECONDS
  const signedUnits = (seconds: number) =>
    Math.sign(seconds) * shownUnits(Math.abs(seconds), format)
  const units = parts.map(signedUnits)
  const missing = signedUnits(after) - signedUnits(before) - totalOf(units)
  const step = Math.sign(missing)
  const byLoss = parts
    .map((seconds, index) => ({ index, loss: step * (seconds / unit - (units[index] ?? 0)) }))
    .filter(({ index }) => parts[index] !== 0)
    .toSorted((a, b) => b.loss - a.loss)
  for (let given = 0; given < Math.abs(missing) && byLoss.length > 0; given++) {
    const { index } = byLoss[given % byLoss.length] ?? { index: 0 }
    units[index] = (units[index] ?? 0) + step
  }
  return units.map((each) => {
    const text = unitsText(Math.abs(each), format)
    return each === 0 ? text : (each < 0 ? '−' : '+') + text
  })
}

/** Returns the parts in whole units that add up to their total, by largest remainder. */
function distributed(parts: readonly number[], format: DurationFormat): number[] {
  const unit = format === 'decimal' ? HUNDREDTH_SECONDS : MINUTE_SECONDS
  const units = parts.map((seconds) => Math.floor(seconds / unit))
  const missing = shownUnits(totalOf(parts), format) - units.reduce((sum, each) => sum + each, 0)
  const byRemainder = parts
    .map((seconds, index) => ({ index, remainder: seconds % unit }))
    .toSorted((a, b) => b.remainder - a.remainder)
  for (const { index } of byRemainder.slice(0, Math.max(0, missing))) {
    units[index] = (units[index] ?? 0) + 1
  }
  // Decimal hours are of whole minutes, so their total may be less than the parts.
  const least = byRemainder.toReversed().filter(({ index }) => (units[index] ?? 0) > 0)
  for (const { index } of least.slice(0, Math.max(0, -missing))) {
    units[index] = (units[index] ?? 0) - 1
  }
  return units
}

function totalOf(parts: readonly number[]): number {
  return parts.reduce((sum, each) => sum + each, 0)
}

const MINUTE_SECONDS = 60
const HUNDREDTH_SECONDS = 36
