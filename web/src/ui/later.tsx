import { useEffect, useState } from 'react'
import type { ComponentType } from 'react'

/**
 * Returns a component whose code is loaded when it is first rendered. It renders nothing until the code
 * is loaded. A failed load, as when offline, is retried on the next mount.
 */
export function later<P extends object>(
  load: () => Promise<ComponentType<P>>,
): (props: P) => React.ReactNode {
  let loaded: ComponentType<P> | null = null
  return function Later(props) {
    const [Shown, setShown] = useState(() => loaded)
    useEffect(() => {
      if (Shown) return undefined
      let isCurrent = true
      load().then(
        (component) => {
          loaded = component
          if (isCurrent) setShown(() => component)
        },
        () => undefined,
      )
      return () => {
        isCurrent = false
      }
    }, [Shown])
    return Shown && <Shown {...props} />
  }
}
