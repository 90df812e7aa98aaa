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
  readonly handle: (work: (wanted: T) => void) => () => void
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
    handle(work) {
      const handleOpen = () => {
        if (current === null) return
        const wanted = current
        publish(null)
        work(wanted)
      }
      handleOpen()
      return subscribe(handleOpen)
    },
  }
}

/**
 * Calls `work` once per request for `wanted`, including a request made before the component mounted.
 */
export function useRequestHandler<T>(request: Request<T>, wanted: T, work: () => void): void {
  const isWanted = request.use() === wanted
  const handle = useEffectEvent(() => {
    request.close()
    work()
  })
  useEffect(() => {
    if (isWanted) handle()
  }, [isWanted])
}
