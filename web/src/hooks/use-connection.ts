/** The connection to the backend as the screens show it. */
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
  const unsaved = useUnsavedCount()
  const minutesLeft = entriesPerMinute && Math.ceil(unsaved / entriesPerMinute)
  return { online, unsaved, minutesLeft, retry: () => void sync.retry() }
}
