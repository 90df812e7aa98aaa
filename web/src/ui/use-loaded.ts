import { useEffect, useEffectEvent, useState } from 'react'

import { showToast } from './toast.tsx'

/**
 * What `load` brings: behind the screen, so that it is there without a network, and once more when it
 * is wanted and could not be had. Null until then; what is wanted in vain is said, and given up.
 */
export function useLoaded<T extends object>(
  load: () => Promise<T>,
  wanted: boolean,
  giveUp: () => void,
): T | null {
  const [loaded, setLoaded] = useState<T | null>(null)

  const fail = useEffectEvent((isWanted: boolean) => {
    if (!isWanted) return
    giveUp()
    showToast({ text: 'This part of Stint could not be loaded. It needs a network once.' })
  })
  const begin = useEffectEvent((isWanted: boolean, signal: AbortSignal) => {
    void load().then(
      (part) => {
        if (!signal.aborted) setLoaded(part)
      },
      () => {
        if (!signal.aborted) fail(isWanted)
      },
    )
  })

  useEffect(() => {
    if (loaded) return undefined
    const ended = new AbortController()
    begin(wanted, ended.signal)
    return () => ended.abort()
  }, [loaded, wanted])

  return loaded
}
