/**
 * Instants. Inside Stint an instant is a number: milliseconds since the epoch, in server time.
 * On the wire it is UTC text with milliseconds, `2026-01-01T00:00:00.000+00:00`.
 */

/** A stretch of time, epoch milliseconds, `start <= end`. */
export interface Interval {
  readonly start: number
  readonly end: number
}

/** Epoch milliseconds as the text that goes on the wire (`…Z`; the backend writes `+00:00`). */
export function instantToWire(epochMilliseconds: number): string {
  return new Date(epochMilliseconds).toISOString()
}

/**
 * Wire text as epoch milliseconds, or null when it is missing, no date at all, or outside the
 * years 1900 … 2199: a broken client's, which would stretch every chart over centuries.
 */
export function instantFromWire(text: string | null | undefined): number | null {
  if (text === null || text === undefined) return null
  const epochMilliseconds = Date.parse(text)
  return epochMilliseconds >= EARLIEST && epochMilliseconds < LATEST ? epochMilliseconds : null
}

/** No instant before this one can be read back. */
export const EARLIEST = Date.UTC(1900, 0)
const LATEST = Date.UTC(2200, 0)

/** How long the intervals last together, in milliseconds. */
export function totalMilliseconds(intervals: readonly Interval[]): number {
  return intervals.reduce((sum, interval) => sum + (interval.end - interval.start), 0)
}

/** The intervals cut to `[start, end]`; those outside it are dropped. */
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

/** What of the span no interval covers. The intervals are sorted by start; they may overlap. */
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
