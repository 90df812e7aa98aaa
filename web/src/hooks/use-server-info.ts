import { useEffect, useState } from 'react'

import { useSession } from '#session/current-session.ts'
import type { Session } from '#session/session.ts'

export type ServerInfo = NonNullable<Awaited<ReturnType<Session['serverInfo']>>>

/**
 * Returns the server's public information; null until it arrives, or when the server is not Stint's
 * own.
 */
export function useServerInfo(): ServerInfo | null {
  const session = useSession()
  const [info, setInfo] = useState<ServerInfo | null>(null)
  useEffect(() => {
    let gone = false
    session.serverInfo().then(
      (answer) => {
        if (!gone) setInfo(answer)
      },
      // Without a response the page keeps its defaults.
      () => undefined,
    )
    return () => {
      gone = true
    }
  }, [session])
  return info
}
