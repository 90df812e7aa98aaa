/** Mutual exclusion across tabs: Web Locks, or a queue within this tab where the browser has none. */

import type { WithLock } from '#sync/context.ts'

/** Returns the browser's locks, which are released when a tab dies. */
export function browserLocks(): WithLock {
  if (typeof navigator === 'undefined' || !('locks' in navigator)) return queueLocks()
  return async (name, work) => navigator.locks.request(name, work)
}

/**
 * Returns one queue per name within this tab. It suffices, because every step of sync can be repeated.
 */
export function queueLocks(): WithLock {
  const tails = new Map<string, Promise<unknown>>()
  return async (name, work) => {
    const turn = (tails.get(name) ?? Promise.resolve()).then(work, work)
    tails.set(
      name,
      turn.catch(() => undefined),
    )
    return turn
  }
}
