/** What sending and fetching need: the record, the backend, and the clock. */
import type { LocalRecord } from '#record/record.ts'
import type { Kind } from '#record/stored.ts'
import type { Backend } from '#backend/backend.ts'
import type { Pace } from '#backend/pace.ts'

/** Runs `work` while nobody else in this browser holds the lock of that name. */
export type WithLock = <T>(name: string, work: () => Promise<T>) => Promise<T>

export interface SyncContext {
  readonly record: LocalRecord
  readonly backend: Backend
  /** The account that documents are written for. */
  readonly userId: string
  /** Lets time pass between tries. */
  readonly wait: (milliseconds: number) => Promise<void>
  /** How fast entries are sent one by one. */
  readonly pace: Pace
}

/** While everything is sent. */
export interface Round extends SyncContext {
  /** Kinds of which this round has asked what other devices changed. */
  readonly asked: Set<Kind>
  /** Entries that are sent one by one: with others they were refused. */
  readonly alone: Set<string>
  /** How often a write was refused because another device had changed what it was to be written over. */
  conflicts: number
}
