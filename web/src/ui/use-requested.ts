import { useEffect, useEffectEvent, useState } from 'react'
import { t } from '@stint/core/text.ts'
import { untilLoaded } from '#loading/until-loaded.ts'
import type { Request } from './request.ts'
import { showToast } from './toast.tsx'

/**
 * Returns the open request and the module that `load` imports for it; both are null until there is a
 * request and the module is loaded. The module is loaded in advance, so that it is available offline.
 * A failed load is retried when the network returns and at the next request; if it fails during one, a
 * toast is shown and the request is closed. Unmounting closes the request, as it must not reach the next
 * person after a sign-out.
 */
export function useRequested<T, P extends object>(
  request: Request<T>,
  load: () => Promise<P>,
): { readonly wanted: T; readonly part: P } | { readonly wanted: null; readonly part: null } {
  const wanted = request.use()
  const [part, setPart] = useState<P | null>(null)
  const isWanted = wanted !== null

  const begin = useEffectEvent((isWanted: boolean, signal: AbortSignal) => {
    const onFailure = () => {
      if (!isWanted) return
      request.close()
      showToast({ text: t('This part of Stint couldn’t load. Go online once to download it.') })
    }
    void untilLoaded(load, { signal, onFailure }).then(setPart)
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
