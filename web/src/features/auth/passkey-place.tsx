import type { ReactNode } from 'react'

/**
 * The place of the button for passkeys, kept free until it is known whether there is one, so that nothing moves then. A
 * server that can have none says so in its pages.
 */
export function PasskeyPlace({ children }: { children: ReactNode }) {
  return <div className="-my-1 min-h-12 in-[[data-passkeys=none]]:hidden">{children}</div>
}
