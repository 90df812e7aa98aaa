/**
 * Pauses. Every client keeps their sum (`pauseDurationSeconds`). Stint also keeps their instants (`pauses`, JSON
 * of [start, end] each), to place work on the right day. What is in the sum alone is "unplaced".
 */
import { COLLECTIONS } from '#collections.ts'
import { isNumber, isText } from '#guards.ts'
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

/** Returns the pauses within `[start, end]`. Unplaced seconds stay, because their time is unknown. */
export function clipPauses(pauses: Pauses, start: number, end: number): Pauses {
  return { ...pauses, intervals: clipIntervals(pauses.intervals, start, end) }
}

/**
 * Returns the `pauses` attribute, or null when no pause is placed. Of more than a thousand, the last ones are in
 * the sum alone, because a save must never be refused.
 */
export function pausesToWire({ intervals }: Pauses): string | null {
  if (intervals.length === 0) return null
  const sent = intervals.slice(0, MAX_PAUSES_ON_WIRE)
  return JSON.stringify(sent.map(({ start, end }) => [instantToWire(start), instantToWire(end)]))
}

const PAUSE_ON_WIRE = '["2026-01-01T00:00:00.000Z","2026-01-01T00:00:00.000Z"],'
const MAX_PAUSES_ON_WIRE = Math.floor(COLLECTIONS.timer_sessions.pauses.size / PAUSE_ON_WIRE.length)

/** Returns the pauses that the text has. What is not an array of pairs of instants counts as absent. */
export function pausesFromWire(text: unknown): Pauses {
  return { ...NO_PAUSES, intervals: mergeIntervals(parseIntervals(text)) }
}

/** Returns pauses with a total of `sumSeconds`. The seconds that the intervals do not cover are unplaced. */
export function pausesOfSum(intervals: readonly Interval[], sumSeconds: number): Pauses {
  const placedSeconds = Math.floor(totalMilliseconds(intervals) / 1000)
  return { intervals, unplacedSeconds: Math.max(0, Math.floor(sumSeconds) - placedSeconds) }
}

function parseIntervals(text: unknown): Interval[] {
  let pairs: unknown
  try {
    pairs = isText(text) ? JSON.parse(text) : null
  } catch {
    return []
  }
  if (!Array.isArray(pairs)) return []
  return pairs.flatMap((pair: unknown) => {
    const instants = Array.isArray(pair) ? pair : []
    const [start, end] = instants.map((each) => (isText(each) ? instantFromWire(each) : null))
    return isNumber(start) && isNumber(end) ? { start, end } : []
  })
}

/**
 * Returns the intervals sorted, without empty ones. Those that overlap are joined. A pause that begins as another
 * one ends stays a pause of its own.
 */
export function mergeIntervals(intervals: readonly Interval[]): Interval[] {
  const merged: Interval[] = []
  const sorted = intervals.filter(({ start, end }) => end > start).sort((a, b) => a.start - b.start)
  for (const interval of sorted) {
    const last = merged.at(-1)
    if (last && interval.start < last.end) {
      merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, interval.end) }
    } else merged.push(interval)
  }
  return merged
}
