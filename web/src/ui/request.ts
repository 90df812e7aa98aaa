/**
 * Requests to a part of the app that may not be loaded yet. Any part can make one; one part handles it.
 */
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'

export interface Request<T> {
  readonly open: (wanted: T) => void
  readonly close: () => void
  /** Returns the open request, null without one. A hook. */
  readonly use: () => T | null
  /** Subscribes to changes; returns an unsubscribe function. */
  readonly subscribe: (listener: () => void) => () => void
  /**
   * Closes each request and calls `work` with it, starting with one that is already open. Returns an
   * unsubscribe function.
   */
  readonly answer: (work: (wanted: T) => void) => () => void
}

/** Creates a channel without a request. A new request replaces the open one. */
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

/**
 * Calls `work` once per request for `wanted`, including a request made before the component mounted.
 */
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
