/**
 * Something that any screen may ask for and one place answers: a dialog that is loaded when it is
 * first wanted.
 */
import { useSyncExternalStore } from 'react'

export interface Request<T> {
  readonly open: (wanted: T) => void
  readonly close: () => void
  /** What is wanted; null while nothing is. */
  readonly use: () => T | null
}

/** Makes one, with nothing wanted. */
export function createRequest<T>(): Request<T> {
  const listeners = new Set<() => void>()
  let current: T | null = null
  const publish = (wanted: T | null) => {
    current = wanted
    for (const listener of listeners) listener()
  }
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  return {
    open: publish,
    close: () => publish(null),
    use: () => useSyncExternalStore(subscribe, () => current),
  }
}
