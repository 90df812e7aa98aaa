/** Sets of time. Spans that overlap or touch are one, and an end may be `Infinity`. */
import type { Interval } from '#time/instant.ts'

/** Returns the time that any of the lists has, sorted. */
export function union(...lists: readonly (readonly Interval[])[]): readonly Interval[] {
  const [only] = lists
  if (only && lists.length === 1 && isUnion(only)) return only
  const joined: Interval[] = []
  const spans = lists.flat().filter(({ start, end }) => end > start)
  for (const span of spans.sort((a, b) => a.start - b.start)) {
    const last = joined.at(-1)
    if (last && span.start <= last.end) {
      joined[joined.length - 1] = { start: last.start, end: Math.max(last.end, span.end) }
    } else joined.push(span)
  }
  return joined
}

function isUnion(spans: readonly Interval[]): boolean {
  return spans.every(({ start, end }, index) => {
    const before = spans[index - 1]
    return start < end && (!before || before.end < start)
  })
}

/** Returns the time of the first list that the second one does not have. */
export function without(spans: readonly Interval[], taken: readonly Interval[]): Interval[] {
  const left: Interval[] = []
  const gaps = union(taken)
  let next = 0
  for (const { start, end } of union(spans)) {
    let from = start
    for (let gap = gaps[next]; gap && gap.start < end; gap = gaps[next]) {
      if (from < gap.start) left.push({ start: from, end: gap.start })
      from = Math.max(from, gap.end)
      if (gap.end > end) break
      next += 1
    }
    if (from < end) left.push({ start: from, end })
  }
  return left
}

/** Returns the time that both lists have. */
export function inBoth(some: readonly Interval[], others: readonly Interval[]): Interval[] {
  return without(some, without(some, others))
}
