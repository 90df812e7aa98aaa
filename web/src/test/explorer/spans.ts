/**
 * Spans of time: sets of instants, as sorted intervals that do not touch, in epoch milliseconds.
 */
import type { Interval } from '@stint/core/time/instant.ts'

/** Returns all instants of these spans, each once. */
export function union(spans: readonly Interval[]): Interval[] {
  const joined: Interval[] = []
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = joined.at(-1)
    if (span.end <= span.start) continue
    if (last && span.start <= last.end) {
      joined[joined.length - 1] = { start: last.start, end: Math.max(last.end, span.end) }
    } else joined.push(span)
  }
  return joined
}

/** Returns the instants of `spans` that are not in `others`. */
export function without(spans: readonly Interval[], others: readonly Interval[]): Interval[] {
  return others.reduce<Interval[]>(
    (left, { start, end }) =>
      union(
        left.flatMap((span) => [
          { start: span.start, end: Math.min(span.end, start) },
          { start: Math.max(span.start, end), end: span.end },
        ]),
      ),
    union(spans),
  )
}

/** Returns the total length in milliseconds. Time in several spans counts several times. */
export function lengthOf(spans: readonly Interval[]): number {
  return spans.reduce((sum, { start, end }) => sum + Math.max(0, end - start), 0)
}
