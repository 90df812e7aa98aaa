/** The guard and the layout of the signed-in routes. */
import { useEffect } from 'react'
import type { ReactNode } from 'react'

import { Navigate, useLocation } from '#ui/navigation.tsx'
import { noteErrors } from '#diagnostics/event-log.ts'
import { useAuth } from '#hooks/use-auth.ts'
import { SettingsProvider } from '#features/settings/settings-provider.tsx'

import { Layout } from './layout.tsx'
import { LoadingPage, NoStoragePage } from './waiting.tsx'

/** Guards a signed-in route: redirects a signed-out visitor to /login. */
export function Component({ children }: { children?: ReactNode }) {
  const auth = useAuth()
  const { pathname, search } = useLocation()
  useEffect(() => noteErrors(), [])
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
          <Layout>{children}</Layout>
        </SettingsProvider>
      )
  }
}
