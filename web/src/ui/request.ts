/** Requests to a part of the app that may not be loaded yet: any part makes them, one serves them. */
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'

export interface Request<T> {
  readonly open: (wanted: T) => void
  readonly close: () => void
  /** What is wanted; null while nothing is. */
  readonly use: () => T | null
  /** Calls back on every change; returns an unsubscribe function. */
  readonly subscribe: (listener: () => void) => () => void
  /**
   * Closes every request and does `work` for it, at once, beginning with the one that waits.
   * Returns an unsubscribe function.
   */
  readonly answer: (work: (wanted: T) => void) => () => void
}

/** Makes one, with nothing wanted. A second request replaces one that waits. */
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
    subscribe,
    answer(work) {
      const answer = () => {
        if (current === null) return
        const wanted = current
        publish(null)
        work(wanted)
      }
      answer()
      return subscribe(answer)
    },
  }
}

/** Does `work` once when `wanted` is requested, also when that was before the component came. */
export function useAnswer<T>(request: Request<T>, wanted: T, work: () => void): void {
  const isWanted = request.use() === wanted
  const fulfil = useEffectEvent(() => {
    request.close()
    work()
  })
  useEffect(() => {
    if (isWanted) fulfil()
  }, [isWanted])
}
