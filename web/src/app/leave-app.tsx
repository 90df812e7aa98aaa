import { useEffect } from 'react'
import { Navigate } from 'react-router'

import { useAuth } from '#features/auth/api.ts'

import { LoadingPage } from './waiting.tsx'

/** Where the app was opened: a page that is served as the app itself must not be asked for again. */
const openedAt = location.pathname

/** Loads the address anew, once it is known that nobody is to be led to the dashboard from here. */
export function LeaveApp() {
  const { status } = useAuth()
  const mayLeave = location.pathname !== openedAt

  useEffect(() => {
    if (mayLeave && status !== 'loading') location.reload()
  }, [mayLeave, status])

  return mayLeave || status === 'loading' ? <LoadingPage /> : <Navigate to="/login" replace />
}
