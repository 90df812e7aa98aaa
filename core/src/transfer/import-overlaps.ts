/** Counts the time of an import that overlaps. */
import { workedIntervals } from '#record/entry-edit.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import { totalMilliseconds } from '#time/instant.ts'
import type { Interval } from '#time/instant.ts'
import { mergeIntervals } from '#timer/pauses.ts'

export interface OverlapCount {
  /** How many new sessions overlap. */
  readonly sessions: number
  /** How much time counts more than once. */
  readonly seconds: number
}

export interface ImportOverlaps {
  /** New sessions that overlap each other. */
  readonly each: OverlapCount
  /** New sessions that overlap sessions of the record. */
  readonly record: OverlapCount
}

/** Returns how much the new entries overlap each other and those of the record. */
export function countOverlaps(
  added: readonly TimeEntry[],
  existing: readonly TimeEntry[],
): ImportOverlaps {
  const own = added.flatMap((entry, index) =>
    workedIntervals(entry).map(({ start, end }) => ({ start, end, index })),
  )
  own.sort((a, b) => a.start - b.start)
  const union = mergeIntervals(own)
  const [first, last] = [union[0]?.start ?? 0, union.at(-1)?.end ?? 0]
  const others = mergeIntervals(
    existing.flatMap((entry) =>
      entry.deletedAt === null && entry.startedAt < last && entry.endedAt > first
        ? workedIntervals(entry)
        : [],
    ),
  )
  return {
    each: {
      sessions: overlappingEachOther(own),
      seconds: wholeSeconds(totalMilliseconds(own) - totalMilliseconds(union)),
    },
    record: {
      sessions: new Set(own.flatMap((each) => (shared(each, others) > 0 ? each.index : []))).size,
      seconds: wholeSeconds(union.reduce((sum, interval) => sum + shared(interval, others), 0)),
    },
  }
}

function overlappingEachOther(sorted: readonly (Interval & { readonly index: number })[]): number {
  const found = new Set<number>()
  let until = -Infinity
  for (const [at, { start, end, index }] of sorted.entries()) {
    const next = sorted[at + 1]
    if (start < until || (next !== undefined && next.start < end)) found.add(index)
    until = Math.max(until, end)
  }
  return found.size
}

/** Returns how many milliseconds of the interval others cover. These are sorted and do not overlap. */
function shared({ start, end }: Interval, others: readonly Interval[]): number {
  let [low, high] = [0, others.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((others[middle]?.end ?? 0) <= start) low = middle + 1
    else high = middle
  }
  let sum = 0
  for (let at = low; at < others.length; at++) {
    const other = others[at]
    if (!other || other.start >= end) break
    sum += Math.min(end, other.end) - Math.max(start, other.start)
  }
  return sum
}

function wholeSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000)
}
