import { useEffect, useState } from 'react'
import type { ComponentType } from 'react'

/**
 * Makes a component whose code is loaded when it is first shown. Nothing is shown until it is loaded, nor
 * when it cannot be: without a network and not kept yet, the next visit has it.
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
