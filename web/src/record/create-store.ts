/** A value that changes, for React's useSyncExternalStore and for whoever else wants to hear of it. */

export interface Store<T> {
  readonly get: () => T
  /** Calls back after every change; returns an unsubscribe function. */
  readonly subscribe: (listener: () => void) => () => void
}

export interface WritableStore<T> extends Store<T> {
  /** Replaces the value and tells every listener; the same value again tells nobody. */
  readonly set: (value: T) => void
}

/** A store with that value in it. */
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
