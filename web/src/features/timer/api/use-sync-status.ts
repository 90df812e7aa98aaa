/** How far the backend is behind this device. */
import { useSync, useSyncStatus as useStatus, useUnsavedCount } from '#session/signed-in.ts'

export interface SyncStatusView {
  readonly online: boolean
  /** How many changes the backend has not acknowledged. */
  readonly unsaved: number
  /** How long sending takes at the pace the backend allows; null while it does not slow it down. */
  readonly minutesLeft: number | null
  readonly retry: () => void
}

/** Whether the backend answers, and what it has not heard yet. */
export function useSyncStatus(): SyncStatusView {
  const sync = useSync()
  const { online, entriesPerMinute } = useStatus()
  const unsaved = useUnsavedCount()
  const minutesLeft = entriesPerMinute && Math.ceil(unsaved / entriesPerMinute)
  return { online, unsaved, minutesLeft, retry: () => void sync.retry() }
}
