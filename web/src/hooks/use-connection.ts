/** The connection to the backend as the screens show it. */
import { useIsGuest } from '#hooks/use-auth.ts'
import { useSync, useSyncStatus, useUnsavedCount } from '#session/signed-in.ts'

export interface Connection {
  readonly online: boolean
  /** The number of changes that the backend has not acknowledged. */
  readonly unsaved: number
  /** The minutes until everything is sent at the backend's rate limit; null without a limit. */
  readonly minutesLeft: number | null
  readonly retry: () => void
}

/** Returns the connection and re-renders when it changes. */
export function useConnection(): Connection {
  const sync = useSync()
  const { online, entriesPerMinute } = useSyncStatus()
  // Of a guest nothing is to be sent.
  const unsaved = useUnsavedCount() * Number(!useIsGuest())
  const minutesLeft = entriesPerMinute && Math.ceil(unsaved / entriesPerMinute)
  return { online, unsaved, minutesLeft, retry: () => void sync.retry() }
}
