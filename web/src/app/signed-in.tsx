/** Who may see the signed-in routes, and what surrounds them. */
import { useEffect } from 'react'
import { Navigate, Outlet, useLocation } from 'react-router'

import { noteErrors } from '#diagnostics/event-log.ts'
import { useAuth } from '#features/auth/api.ts'
import { SettingsProvider } from '#features/settings/settings-provider.tsx'
import { applyTheme } from '#features/settings/theme.ts'

import { Layout } from './layout.tsx'
import { LoadingPage, NoStoragePage } from './waiting.tsx'

/** A route that needs a user: visited signed out, it leads to /login. */
export function Component() {
  const auth = useAuth()
  const { pathname, search } = useLocation()
  useEffect(() => noteErrors(), [])
  const { status } = auth
  // The next one at this browser begins with the theme of everybody.
  useEffect(() => {
    if (status === 'signed-out') applyTheme('light')
  }, [status])
  switch (auth.status) {
    case 'loading':
      return <LoadingPage />
    case 'no-storage':
      return <NoStoragePage message={auth.message} />
    case 'signed-out':
      // What an address asked for is asked again after the sign-in.
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
