/** How sync stands, for the screens; there before sync itself is loaded. */
import { createStore } from '#record/create-store.ts'
import type { WritableStore } from '#record/create-store.ts'

export interface SyncStatus {
  /** False while the backend does not answer. */
  readonly online: boolean
  /** The backend no longer knows this account's sign-in: work is parked until they are back. */
  readonly signedOut: boolean
  /** How many entries a minute the backend takes while it slows the sending down; else null. */
  readonly entriesPerMinute: number | null
  /** Why the last pull failed, null after a good one. */
  readonly tasksError: string | null
  readonly entriesError: string | null
}

/** The status before anything was asked. */
export function createStatus(): WritableStore<SyncStatus> {
  return createStore<SyncStatus>({
    online: navigator.onLine,
    signedOut: false,
    entriesPerMinute: null,
    tasksError: null,
    entriesError: null,
  })
}
