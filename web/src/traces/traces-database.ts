/** What was read of calendars, git and computers, in a database of its own: never synced, in no backup. */
import { deleteDB, openDB } from 'idb'
import type { DBSchema, IDBPDatabase } from 'idb'

import type { Dismissal } from '@stint/core/traces/ghosts.ts'
import type { TraceRule } from '@stint/core/traces/rules.ts'
import type { Trace, TraceKind } from '@stint/core/traces/trace.ts'
import { databaseName } from '#record/database.ts'

/** A file that was read, or what is noted here. */
export interface Source {
  readonly id: string
  readonly name: string
  readonly kind: TraceKind
  /** How many traces it has. */
  readonly count: number
  /** The length of what is kept, in bytes. */
  readonly bytes: number
  /** Epoch milliseconds. */
  readonly readAt: number
  /** How much later than its times everything was, for a clock that is behind. */
  readonly offsetMinutes: number
  /** Where it was read, and can be read again. */
  readonly origin?: Origin
}

/** A calendar at an address, a repository in a folder, or ActivityWatch on this computer. */
export type Origin = CalendarAddress | FileSystemDirectoryHandle | ActivityWatchHere

/** ActivityWatch was asked for what it has since an instant, in epoch milliseconds. */
export interface ActivityWatchHere {
  readonly since: number
}

/** An address, and what it answered last. */
export interface CalendarAddress {
  readonly url: string
  readonly etag: string | null
}

export interface TracesSchema extends DBSchema {
  sources: { key: string; value: Source }
  /** By the id of their source. */
  traces: { key: string; value: readonly Trace[] }
  rules: { key: string; value: TraceRule }
  /** By the id of the suggestion. */
  dismissed: { key: string; value: Dismissal }
}

export const STORES = ['sources', 'traces', 'rules', 'dismissed'] as const

/** Opens the traces of a user. Lets go of them when they are deleted. */
export async function openTraces(userId: string): Promise<IDBPDatabase<TracesSchema>> {
  const database = await openDB<TracesSchema>(nameOf(userId), 1, {
    upgrade(opened) {
      for (const store of STORES) opened.createObjectStore(store)
    },
    blocking: (_version, _blocked, event) => {
      if (event.target instanceof IDBDatabase) event.target.close()
    },
  })
  return database
}

/** Deletes everything that was read for a user. */
export async function removeTraces(userId: string): Promise<void> {
  await deleteDB(nameOf(userId))
}

/** No user's id has a colon. */
function nameOf(userId: string): string {
  return databaseName(`:traces-${userId}`)
}
