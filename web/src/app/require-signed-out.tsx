/** The guard of the routes for signed-out visitors. */
import type { ReactNode } from 'react'
import { Navigate, useLocation } from '#ui/navigation.tsx'
import { useAuth } from '#hooks/use-auth.ts'

import { LoadingPage, NoStoragePage } from './waiting.tsx'

/** Guards /, /login and /signup: redirects a signed-in visitor to /dashboard. Who has no account may create one. */
export function RequireSignedOut({ children }: { children?: ReactNode }) {
  const auth = useAuth()
  const { pathname, state } = useLocation()
  // The landing page renders at once and hides only its top-right button while the session loads.
  if (auth.status === 'loading' && pathname !== '/') return <LoadingPage />
  if (auth.status === 'no-storage') return <NoStoragePage message={auth.message} />
  if (auth.status === 'signed-in' && !auth.isGuest)
    return <Navigate to={`/dashboard${textOf(state)}`} replace />
  return children
}

/** Returns the query string that `require-signed-in.tsx` put into the location state before the sign-in. */
function textOf(state: unknown): string {
  return typeof state === 'string' ? state : ''
}
