/** An observable value for React's useSyncExternalStore and for other subscribers. */

export interface Store<T> {
  readonly get: () => T
  /** Calls `listener` after every change. Returns a function that unsubscribes it. */
  readonly subscribe: (listener: () => void) => () => void
}

export interface WritableStore<T> extends Store<T> {
  /** Replaces the value and calls every listener. Setting the same value again calls none. */
  readonly set: (value: T) => void
}

/** Returns a store that holds `value`. */
export function createStore<T>(value: T): WritableStore<T> {
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return
      value = next
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
