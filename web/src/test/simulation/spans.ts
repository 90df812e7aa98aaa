/** Stretches of time, as sorted lists that do not touch, in epoch milliseconds. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Returns all spans as one list. */
export function union(...lists: readonly (readonly Span[])[]): Span[] {
  const merged: { start: number; end: number }[] = []
  for (const { start, end } of lists.flat().toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1)
    if (end <= start) continue
    if (last && start <= last.end) last.end = Math.max(last.end, end)
    else merged.push({ start, end })
  }
  return merged
}

/** Returns what is in the first list and not in the second. */
export function without(from: readonly Span[], removed: readonly Span[]): Span[] {
  let left = union(from)
  for (const { start, end } of removed) {
    left = left.flatMap((span) =>
      [
        { start: span.start, end: Math.min(span.end, start) },
        { start: Math.max(span.start, end), end: span.end },
      ].filter((piece) => piece.end > piece.start),
    )
  }
  return left
}

/** Returns what is in both lists. */
export function both(one: readonly Span[], other: readonly Span[]): Span[] {
  return without(one, without(one, other))
}

/** Returns the spans that are longer than `milliseconds`. */
export function longerThan(spans: readonly Span[], milliseconds: number): Span[] {
  return spans.filter(({ start, end }) => end - start > milliseconds)
}

export function length(spans: readonly Span[]): number {
  return spans.reduce((sum, { start, end }) => sum + end - start, 0)
}
