/**
 * Instants. Inside Stint an instant is a number: milliseconds since the epoch, in server time.
 * On the wire it is UTC text with milliseconds, `2026-01-01T00:00:00.000+00:00`.
 */

/** A span of time in epoch milliseconds, `start <= end`. */
export interface Interval {
  readonly start: number
  readonly end: number
}

/** Returns epoch milliseconds as the text for the wire (`…Z`; the backend writes `+00:00`). */
export function instantToWire(epochMilliseconds: number): string {
  return new Date(epochMilliseconds).toISOString()
}

/**
 * Returns the wire text as epoch milliseconds; null if it is missing, no date, or outside of the
 * years 1900 … 2199. Such a date comes from a broken client and would stretch every chart over
 * centuries.
 */
export function instantFromWire(text: string | null | undefined): number | null {
  if (text === null || text === undefined) return null
  const epochMilliseconds = Date.parse(text)
  return epochMilliseconds >= EARLIEST && epochMilliseconds < LATEST ? epochMilliseconds : null
}

/** The earliest instant that `instantFromWire` reads. */
export const EARLIEST = Date.UTC(1900, 0)
/** The first instant after those that `instantFromWire` reads. */
export const LATEST = Date.UTC(2200, 0)

/** Returns the sum of the lengths of the intervals, in milliseconds. */
export function totalMilliseconds(intervals: readonly Interval[]): number {
  return intervals.reduce((sum, interval) => sum + (interval.end - interval.start), 0)
}

/** Returns the intervals cut to `[start, end]`, without those outside of it. */
export function clipIntervals(
  intervals: readonly Interval[],
  start: number,
  end: number,
): Interval[] {
  return intervals
    .map((interval) => ({
      start: Math.max(interval.start, start),
      end: Math.min(interval.end, end),
    }))
    .filter((interval) => interval.end > interval.start)
}

/**
 * Returns the parts of the span that no interval covers. The intervals are sorted by start and may
 * overlap.
 */
export function intervalsBetween(intervals: readonly Interval[], span: Interval): Interval[] {
  const between: Interval[] = []
  let from = span.start
  for (const interval of intervals) {
    const end = Math.min(interval.start, span.end)
    if (end > from) between.push({ start: from, end })
    from = Math.max(from, interval.end)
  }
  if (span.end > from) between.push({ start: from, end: span.end })
  return between
}
