import { useLayoutEffect, useState } from 'react'
import type { ComponentType } from 'react'

import { shortcutRequest } from '#hooks/requests.ts'
import { untilLoaded } from '#loading/until-loaded.ts'

/**
 * Loads the companions (keyboard shortcuts, palette, editors) without delaying a screen: at the first
 * key press, else when the browser is idle. Keys pressed while they load are passed on to them. A failed load
 * is retried.
 */
export function LoadCompanions() {
  const [loaded, setLoaded] = useState<Loaded | null>(null)

  // A key may be pressed as soon as the screen is painted, which is before other effects run.
  useLayoutEffect(() => {
    if (loaded) return undefined
    const ended = new AbortController()
    const { signal } = ended
    const earlyKeys: KeyboardEvent[] = []
    const loadCompanions = () => import('./companions.tsx')
    const show = ({ Companions }: Awaited<ReturnType<typeof loadCompanions>>) => {
      if (!signal.aborted) setLoaded({ Companions, earlyKeys })
    }
    const load = () => void untilLoaded(loadCompanions, { signal }).then(show)
    // Keys that were pressed without a network are dropped.
    const loadNow = () => void loadCompanions().then(show, () => void earlyKeys.splice(0))
    document.addEventListener(
      'keydown',
      (event) => {
        // Prevents Firefox from focusing its search field.
        if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k')
          event.preventDefault()
        earlyKeys.push(event)
        loadNow()
      },
      { signal },
    )
    signal.addEventListener('abort', shortcutRequest.subscribe(loadNow))
    // A start or stop that the address requests must not wait for an idle browser.
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

/** Calls `work` when the browser is idle; returns a function that cancels the call. */
function whenIdle(work: () => void): () => void {
  // Safari has no requestIdleCallback.
  if (!('requestIdleCallback' in globalThis)) {
    const timeout = setTimeout(work, 1_000)
    return () => clearTimeout(timeout)
  }
  const handle = requestIdleCallback(work)
  return () => cancelIdleCallback(handle)
}
