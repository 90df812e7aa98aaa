/**
 * Pauses. Every client keeps their sum (`pauseDurationSeconds`). Stint also keeps their instants
 * (`pauses`, JSON text: array of [start, end] instants), so that work can be placed on the right
 * day. A document of another client may have the sum alone. That part is called "unplaced".
 */
import { COLLECTIONS } from '#collections.ts'
import { clipIntervals, instantFromWire, instantToWire, totalMilliseconds } from '#time/instant.ts'
import type { Interval } from '#time/instant.ts'

export interface Pauses {
  /** Known pauses, sorted, not overlapping, in epoch milliseconds. */
  readonly intervals: readonly Interval[]
  /** Whole seconds paused at an unknown time. */
  readonly unplacedSeconds: number
}

export const NO_PAUSES: Pauses = { intervals: [], unplacedSeconds: 0 }

/** Returns the total length of the pauses in milliseconds. */
export function pausedMilliseconds(pauses: Pauses): number {
  return totalMilliseconds(pauses.intervals) + pauses.unplacedSeconds * 1000
}

/** Returns the attribute `pauseDurationSeconds` in whole seconds. */
export function pauseDurationSeconds(pauses: Pauses): number {
  return Math.floor(pausedMilliseconds(pauses) / 1000)
}

/** Returns the pauses with one more at the end. An empty or backwards pause changes nothing. */
export function addPause(pauses: Pauses, start: number, end: number): Pauses {
  if (end <= start) return pauses
  return { ...pauses, intervals: mergeIntervals([...pauses.intervals, { start, end }]) }
}

/**
 * Returns the pauses within `[start, end]`. Unplaced seconds stay, because their time is unknown.
 */
export function clipPauses(pauses: Pauses, start: number, end: number): Pauses {
  return { ...pauses, intervals: clipIntervals(pauses.intervals, start, end) }
}

/**
 * Returns the `pauses` attribute, or null when no pause is placed. More than a thousand pauses do
 * not fit the attribute. The last ones are then sent in the sum alone, because a save must never be
 * refused.
 */
export function pausesToWire(pauses: Pauses): string | null {
  if (pauses.intervals.length === 0) return null
  return JSON.stringify(
    pauses.intervals
      .slice(0, MAX_PAUSES_ON_WIRE)
      .map(({ start, end }) => [instantToWire(start), instantToWire(end)]),
  )
}

const PAUSE_ON_WIRE = '["2026-01-01T00:00:00.000Z","2026-01-01T00:00:00.000Z"],'
const MAX_PAUSES_ON_WIRE = Math.floor(COLLECTIONS.timer_sessions.pauses.size / PAUSE_ON_WIRE.length)

/**
 * Reads `pauses` and the sum beside it. Text that is not an array of pairs of instants counts as
 * absent. The sum still holds then, and only the place of the pauses is lost.
 */
export function pausesFromWire(text: string | null | undefined, sumSeconds: number): Pauses {
  return pausesOfSum(mergeIntervals(parseIntervals(text)), sumSeconds)
}

/**
 * Returns these pauses with a total of `sumSeconds`. The seconds that the intervals do not cover
 * are unplaced.
 */
export function pausesOfSum(intervals: readonly Interval[], sumSeconds: number): Pauses {
  const placedSeconds = Math.floor(totalMilliseconds(intervals) / 1000)
  return { intervals, unplacedSeconds: Math.max(0, Math.floor(sumSeconds) - placedSeconds) }
}

function parseIntervals(text: string | null | undefined): Interval[] {
  if (!text) return []
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return []
  }
  if (!Array.isArray(parsed)) return []
  return parsed.flatMap((pair: unknown) => {
    if (!Array.isArray(pair)) return []
    const [start, end] = pair.map((instant) =>
      typeof instant === 'string' ? instantFromWire(instant) : null,
    )
    return start === null || start === undefined || end === null || end === undefined
      ? []
      : [{ start, end }]
  })
}

/**
 * Returns the intervals sorted. Intervals that overlap are joined, and empty ones are dropped. A pause
 * that begins as another one ends stays a pause of its own.
 */
export function mergeIntervals(intervals: readonly Interval[]): Interval[] {
  const sorted = intervals
    .filter((interval) => interval.end > interval.start)
    .toSorted((a, b) => a.start - b.start)
  const merged: Interval[] = []
  for (const interval of sorted) {
    const last = merged.at(-1)
    if (last && interval.start < last.end) {
      merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, interval.end) }
    } else merged.push(interval)
  }
  return merged
}
