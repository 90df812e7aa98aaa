/** The browser's address bar of a test: says where the app is, and takes it elsewhere. */
import type { ReactNode } from 'react'

import { navigate, Router } from '#ui/navigation.tsx'

export interface AddressBar {
  readonly path: () => string
  readonly search: () => string
  /** To be called as the test's library wants changes of state to be made. */
  readonly go: typeof navigate
  /** The router. */
  readonly router: (children: ReactNode) => ReactNode
}

/** Loads the address `entry` in the browser of the test. */
export function createAddressBar(entry: string): AddressBar {
  history.replaceState(null, '', entry)
  return {
    path: () => location.pathname,
    search: () => location.search,
    go: navigate,
    router: (children) => <Router>{children}</Router>,
  }
}
