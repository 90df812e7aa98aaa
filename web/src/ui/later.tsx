import { useEffect, useState } from 'react'
import type { ComponentType, ReactNode } from 'react'
import { untilLoaded } from '#loading/until-loaded.ts'

/**
 * Returns a component whose code is loaded when it is first rendered. Until then it renders `fallback`. A
 * failed load, as when offline, is retried while the component is mounted. `load` loads the code ahead;
 * it rejects on failure, and the next call retries.
 */
export function later<P extends object>(
  load: () => Promise<ComponentType<P>>,
  fallback: ReactNode = null,
): { (props: P): ReactNode; readonly load: () => Promise<void> } {
  let loaded: ComponentType<P> | null = null
  const loadOnce = async () => {
    loaded ??= await load()
  }
  function Later(props: P) {
    const [Shown, setShown] = useState(() => loaded)
    useEffect(() => {
      if (Shown) return undefined
      const unmounted = new AbortController()
      void untilLoaded(loadOnce, unmounted).then(() => setShown(() => loaded))
      return () => unmounted.abort()
    }, [Shown])
    return Shown ? <Shown {...props} /> : fallback
  }
  return Object.assign(Later, { load: loadOnce })
}
