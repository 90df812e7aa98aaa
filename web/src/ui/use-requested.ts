import { useEffect, useEffectEvent, useState } from 'react'
import type { Request } from './request.ts'
import { showToast } from './toast.tsx'

/**
 * What is requested, and the part of the app that `load` imports for it; both null until there is a request
 * and the part is loaded. The part is loaded before it is requested, so that it is there without a network,
 * and again on a request when that failed; a request that cannot be met is closed, with a toast. Leaving
 * closes the request: after a sign-out it is not the next person's.
 */
export function useRequested<T, P extends object>(
  request: Request<T>,
  load: () => Promise<P>,
): { readonly wanted: T; readonly part: P } | { readonly wanted: null; readonly part: null } {
  const wanted = request.use()
  const [part, setPart] = useState<P | null>(null)
  const isWanted = wanted !== null

  const begin = useEffectEvent((isWanted: boolean, signal: AbortSignal) => {
    void load().then(
      (loaded) => {
        if (!signal.aborted) setPart(loaded)
      },
      () => {
        if (signal.aborted || !isWanted) return
        request.close()
        showToast({ text: 'This part of Stint couldn’t load. Go online once to download it.' })
      },
    )
  })

  useEffect(() => {
    if (part) return undefined
    const ended = new AbortController()
    begin(isWanted, ended.signal)
    return () => ended.abort()
  }, [part, isWanted])
  useEffect(() => request.close, [request])

  return wanted !== null && part ? { wanted, part } : { wanted: null, part: null }
}
