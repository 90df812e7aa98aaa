/** What a simulation needs of its server. */
import type { Backend, ServerTimeSample } from '#backend/backend.ts'

import type { Rows } from './judge.ts'

/** A server of one user. */
export interface Server {
  readonly userId: string
  /** Returns the backend of a device, behind the network. */
  readonly backendFor: (host: string, onServerTime: (sample: ServerTimeSample) => void) => Backend
  /** Creates a task, whose id is its name. */
  readonly addTask: (name: string) => Promise<void>
  /** Backs the documents up. Returns what restores them. */
  readonly backUp: () => Promise<() => Promise<void>>
  /** Returns the rows of sessions and entries, as they are stored. */
  readonly rows: () => Promise<Rows>
}
