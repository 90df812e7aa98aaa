import { t } from '@stint/core/text.ts'
import { useEffect } from 'react'

import { noteNewAccount } from '#hooks/new-account.ts'
import { useAuth } from '#hooks/use-auth.ts'
import { useSession } from '#session/current-session.ts'
import type { Session } from '#session/session.ts'
import { offersTryOut } from '#session/page-policy.ts'
import { Navigate } from '#ui/navigation.tsx'
import { Loading } from '#ui/spinner.tsx'

/** Opens the record without an account, and goes to the dashboard. Who is signed in goes there at once. */
export function TryOut() {
  const session = useSession()
  const auth = useAuth()
  const isOffered = offersTryOut()
  const mayBegin = isOffered && auth.status === 'signed-out'
  useEffect(() => {
    if (mayBegin) void begin(session)
  }, [mayBegin, session])
  if (auth.status === 'signed-in') return <Navigate to="/dashboard" replace />
  if (!isOffered || auth.status === 'no-storage') return <Navigate to="/signup" replace />
  return <Loading text={t('Loading...')} />
}

/** A new record begins like a new account: with the cursor in the line, in the theme of the page before. */
async function begin(session: Session): Promise<void> {
  if (!(await session.hasGuest())) noteNewAccount()
  await session.tryOut()
}
