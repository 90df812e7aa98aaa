/** What sending and fetching need: the record, the backend and the clock. */
import type { Kind } from '@stint/core/device/stored.ts'

import type { Backend } from '#backend/backend.ts'
import type { Pace } from '#backend/pace.ts'
import type { LocalRecord } from '#record/record.ts'

/** Runs `work` while no other tab of this browser holds the lock of that name. */
export type WithLock = <T>(name: string, work: () => Promise<T>) => Promise<T>

/** What fetching needs. */
export interface FetchContext {
  readonly record: LocalRecord
  readonly backend: Backend
  /** The account that the documents belong to. */
  readonly userId: string
}

export interface SyncContext extends FetchContext {
  /** Waits between tries. */
  readonly wait: (milliseconds: number) => Promise<void>
  /** The rate at which entries are sent one by one. */
  readonly pace: Pace
}

/** The state of one round of sending. */
export interface Round extends SyncContext {
  /** What this round has already read again, because other devices may have changed it. */
  readonly asked: Set<Kind | 'session'>
  /** Entries that are sent one by one, because a batch with them was refused. */
  readonly alone: Set<string>
  /** Sessions that this round has written. */
  readonly written: Set<string>
  /** How often each session or edit was sent, by id. */
  readonly steps: Map<string, number>
}
