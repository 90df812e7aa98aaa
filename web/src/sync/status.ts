/** The status of sync for the screens. It exists before sync itself is loaded. */
import { createStore } from '#record/create-store.ts'
import type { WritableStore } from '#record/create-store.ts'

export interface SyncStatus {
  /** Whether the backend answers. */
  readonly online: boolean
  /** Whether the backend rejects this account's sign-in. Sending is paused until the user signs in again. */
  readonly signedOut: boolean
  /** The number of entries per minute that the backend accepts while it limits the rate, or null. */
  readonly entriesPerMinute: number | null
  /** The error of the last pull, or null after a successful one. */
  readonly tasksError: string | null
  readonly entriesError: string | null
  /** Whether the first refresh is over. It may have failed. */
  readonly isRefreshed: boolean
}

/** Returns the status before the first request. */
export function createStatus(): WritableStore<SyncStatus> {
  return createStore<SyncStatus>({
    online: navigator.onLine,
    signedOut: false,
    entriesPerMinute: null,
    tasksError: null,
    entriesError: null,
    isRefreshed: false,
  })
}
