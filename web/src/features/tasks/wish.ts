import { useEffect, useEffectEvent } from 'react'
import { useLocation, useNavigate } from 'react-router'

import type { Wish } from './api.ts'

/**
 * Does `work` when the app came to this page to have it done. Once: the wish is taken out of the
 * history, so that neither Back nor a reload repeats it.
 */
export function useWish(wish: Wish, work: () => void): void {
  const { pathname, search, state } = useLocation()
  const navigate = useNavigate()
  const isWished = wishIn(state) === wish

  const fulfil = useEffectEvent(() => {
    work()
    void navigate(pathname + search, { replace: true, state: null, preventScrollReset: true })
  })

  useEffect(() => {
    if (isWished) fulfil()
  }, [isWished])
}

function wishIn(state: unknown): unknown {
  return typeof state === 'object' && state !== null && 'wish' in state ? state.wish : null
}
