/** The browser's address bar of a test: says where the app is, and takes it elsewhere. */
import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { MemoryRouter, useLocation, useNavigate } from 'react-router'
import type { InitialEntry, NavigateFunction, NavigateOptions, To } from 'react-router'

export interface AddressBar {
  readonly path: () => string
  readonly search: () => string
  /** To be called as the test's library wants changes of state to be made. */
  readonly go: (to: To, options?: NavigateOptions) => void
  /** The router, with the bar in it. */
  readonly router: (children: ReactNode) => ReactNode
}

/** Makes the address bar of a router that begins at `entry`. */
export function createAddressBar(entry: InitialEntry): AddressBar {
  let current: ReturnType<typeof useLocation> | null = null
  let navigate: NavigateFunction | null = null

  function Bar() {
    const location = useLocation()
    const navigateHere = useNavigate()
    useEffect(() => {
      current = location
      navigate = navigateHere
    })
    return null
  }

  return {
    path: () => current?.pathname ?? '',
    search: () => current?.search ?? '',
    go: (to, options) => void navigate?.(to, options),
    router: (children) => (
      <MemoryRouter initialEntries={[entry]} useTransitions={false}>
        <Bar />
        {children}
      </MemoryRouter>
    ),
  }
}
