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
  /** The kinds for which this round has already pulled the changes of other devices. */
  readonly asked: Set<Kind>
  /** Entries that are sent one by one, because a batch with them was refused. */
  readonly alone: Set<string>
  /** Entries of a session that ends. They are not paced behind those of an import. */
  readonly urgent: Set<string>
  /** Sessions of which an earlier write had no answer, and that were read again since. */
  readonly readAgain: Set<string>
  /** Sessions that this round has written. */
  readonly written: Set<string>
}
