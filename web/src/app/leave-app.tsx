import { useEffect, useState } from 'react'

import { Navigate } from '#ui/navigation.tsx'
import { useAuth } from '#hooks/use-auth.ts'

import { LoadingPage } from './waiting.tsx'

/** The path at which the app was opened. Reloading it would serve the app again, in an endless loop. */
const openedAt = location.pathname

/** Reloads the address once it is certain that the visitor is not redirected to the dashboard. */
export function LeaveApp() {
  const { status } = useAuth()
  // Decided once: the redirect below changes the address while this component still renders.
  const [mayLeave] = useState(() => location.pathname !== openedAt)

  useEffect(() => {
    if (mayLeave && status !== 'loading') location.reload()
  }, [mayLeave, status])

  return mayLeave || status === 'loading' ? <LoadingPage /> : <Navigate to="/login" replace />
}
