/** The layout of the signed-in routes around a page that is for everybody. */
import type { ReactNode } from 'react'

import { useAuth } from '#hooks/use-auth.ts'
import { SettingsProvider } from '#features/settings/settings-provider.tsx'

import { Layout } from './layout.tsx'
import { LoadingPage } from './waiting.tsx'

/** Shows the navigation to who is signed in, and to others the page alone. */
export function Component({ children }: { children?: ReactNode }) {
  const auth = useAuth()
  if (auth.status === 'loading') return <LoadingPage />
  if (auth.status !== 'signed-in') return children
  return (
    <SettingsProvider>
      <Layout>{children}</Layout>
    </SettingsProvider>
  )
}
