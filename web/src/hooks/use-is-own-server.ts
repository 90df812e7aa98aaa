import { useEffect, useState } from 'react'

import { useSession } from '#session/current-session.ts'

/**
 * Returns whether the backend is Stint's own server; null until it is known. Without an answer, the
 * build decides.
 */
export function useIsOwnServer(): boolean | null {
  const session = useSession()
  const [isOwn, setIsOwn] = useState<boolean | null>(session.ownServer ? null : false)
  useEffect(() => {
    session.serverInfo().then(
      (info) => setIsOwn(info !== null),
      () => setIsOwn(session.ownServer),
    )
  }, [session])
  return isOwn
}
