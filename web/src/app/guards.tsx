/** Who may see a route. */
import { Navigate, Outlet, useLocation } from 'react-router'

import { useAuth } from '#features/auth/api.ts'

import { LoadingPage, NoStoragePage } from './waiting.tsx'

/** /, /login and /signup: visited signed in, they lead to /dashboard. */
export function RequireSignedOut() {
  const auth = useAuth()
  const { pathname, state } = useLocation()
  // The landing page is there at once and hides only its top-right button meanwhile.
  if (auth.status === 'loading' && pathname !== '/') return <LoadingPage />
  if (auth.status === 'no-storage') return <NoStoragePage message={auth.message} />
  if (auth.status === 'signed-in')
    return <Navigate to={{ pathname: '/dashboard', search: textOf(state) }} replace />
  return <Outlet />
}

/** What an address asked for that led here (signed-in.tsx). */
function textOf(state: unknown): string {
  return typeof state === 'string' ? state : ''
}
