import { useEffect, useState } from 'react'
import type { ComponentType } from 'react'

import { shortcutRequest } from '#features/keyboard/api.ts'

/**
 * What accompanies every signed-in screen and is none itself: the keyboard, the palette. No screen
 * waits for it: it is loaded at the first key, else when the browser is idle, and gets the keys that
 * were pressed meanwhile.
 */
export function LoadCompanions() {
  const [loaded, setLoaded] = useState<Loaded | null>(null)

  useEffect(() => {
    if (loaded) return undefined
    const ended = new AbortController()
    const { signal } = ended
    const earlyKeys: KeyboardEvent[] = []
    const load = () => {
      void import('./companions.tsx').then(
        ({ Companions }) => {
          if (!signal.aborted) setLoaded({ Companions, earlyKeys })
        },
        // Without a network and not kept yet: the next key tries again, and those so far are forgotten.
        () => void earlyKeys.splice(0),
      )
    }
    document.addEventListener(
      'keydown',
      (event) => {
        // Firefox would go to its search field.
        if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k')
          event.preventDefault()
        earlyKeys.push(event)
        load()
      },
      { signal },
    )
    signal.addEventListener('abort', shortcutRequest.subscribe(load))
    // Somebody waits for the answer to what the address asks for.
    if (/[?&]st(art|op)\b/.test(location.search)) load()
    else signal.addEventListener('abort', whenIdle(load))
    return () => ended.abort()
  }, [loaded])

  return loaded && <loaded.Companions earlyKeys={loaded.earlyKeys} />
}

interface Loaded {
  readonly Companions: ComponentType<{ earlyKeys: readonly KeyboardEvent[] }>
  readonly earlyKeys: readonly KeyboardEvent[]
}

/** Calls back when the browser is idle; returns a function that prevents it. */
function whenIdle(work: () => void): () => void {
  // Safari has no requestIdleCallback.
  if (!('requestIdleCallback' in globalThis)) {
    const timeout = setTimeout(work, 1_000)
    return () => clearTimeout(timeout)
  }
  const handle = requestIdleCallback(work)
  return () => cancelIdleCallback(handle)
}
