import { useEffect, useState } from 'react'

import { useIsGuest } from '#hooks/use-auth.ts'
import { useSession } from '#session/current-session.ts'

/**
 * Returns whether the backend is Stint's own server and somebody is signed in to it; null until it is known. Without an
 * answer, the build decides.
 */
export function useIsOwnServer(): boolean | null {
  const session = useSession()
  const isGuest = useIsGuest()
  const [isOwn, setIsOwn] = useState<boolean | null>(session.ownServer ? null : false)
  useEffect(() => {
    session.serverInfo().then(
      (info) => setIsOwn(info !== null),
      () => setIsOwn(session.ownServer),
    )
  }, [session])
  return isGuest ? false : isOwn
}
