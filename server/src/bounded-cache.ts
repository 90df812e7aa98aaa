/** A cache that is bounded by the size of its values, which clients choose, not by their number. */

export interface BoundedCache<Value> {
  get(key: string): Value | undefined
  /**
   * Adds a value and removes the oldest beyond the bound. A value above `MAX_SHARE` is not added.
   */
  set(key: string, value: Value, size: number): void
}

/** The share of the bound that one value may take. */
const MAX_SHARE = 1 / 8

/**
 * Returns a cache.
 * @param maxSize of all values and keys together, in the unit of the sizes (characters, bytes).
 */
export function boundedCache<Value>(maxSize: number): BoundedCache<Value> {
  const kept = new Map<string, { readonly value: Value; readonly size: number }>()
  let total = 0
  return {
    get: (key) => kept.get(key)?.value,
    set(key, value, valueSize) {
      const size = valueSize + key.length
      if (size > maxSize * MAX_SHARE) return
      total += size - (kept.get(key)?.size ?? 0)
      kept.delete(key)
      kept.set(key, { value, size })
      for (const [oldest, each] of kept) {
        if (total <= maxSize) return
        kept.delete(oldest)
        total -= each.size
      }
    },
  }
}
