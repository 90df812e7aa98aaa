/** The guard and the layout of the signed-in routes. */
import { useEffect } from 'react'
import { Navigate, Outlet, useLocation } from 'react-router'

import { noteErrors } from '#diagnostics/event-log.ts'
import { useAuth } from '#features/auth/api.ts'
import { SettingsProvider } from '#features/settings/settings-provider.tsx'
import { applyTheme } from '#features/settings/theme.ts'

import { Layout } from './layout.tsx'
import { LoadingPage, NoStoragePage } from './waiting.tsx'

/** Guards a signed-in route: redirects a signed-out visitor to /login. */
export function Component() {
  const auth = useAuth()
  const { pathname, search } = useLocation()
  useEffect(() => noteErrors(), [])
  const { status } = auth
  // The next person at this browser starts with the default theme.
  useEffect(() => {
    if (status === 'signed-out') applyTheme('light')
  }, [status])
  switch (auth.status) {
    case 'loading':
      return <LoadingPage />
    case 'no-storage':
      return <NoStoragePage message={auth.message} />
    case 'signed-out':
      // Keeps the query, so that what it requests still happens after the sign-in.
      return <Navigate to="/login" replace state={pathname === '/dashboard' ? search : null} />
    case 'signed-in':
      return (
        <SettingsProvider>
          <Layout>
            <Outlet />
          </Layout>
        </SettingsProvider>
      )
  }
}
