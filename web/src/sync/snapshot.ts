/**
 * What the local database held when the app was opened, read with IndexedDB itself: the first screen
 * of a known user does not wait for Dexie and the sync to be loaded
 * (docs/decisions/0031-what-loads-first.md).
 */
import type { Task } from '@stint/core/task.ts'
import type { TimeEntry } from '@stint/core/time-entry.ts'

import type { LocalEntry, StateRecord } from './local-db.ts'
import { localDbName } from './local-records.ts'
import { isActiveTimer, isReadableEntry, isTask } from './quarantine.ts'

export interface Snapshot {
  readonly tasks: readonly Task[]
  /** Not deleted, by start. */
  readonly entries: readonly TimeEntry[]
  readonly state: ReadonlyMap<StateRecord['key'], StateRecord>
  readonly unsaved: number
}

/** Beyond this, reading everything twice would cost more than waiting. */
const MOST_ENTRIES = 20_000

/**
 * Reads a user's database. Null when there is none yet, when it is too large, or when something in it
 * cannot be read: then the app waits for the database itself, which puts such records aside.
 */
export async function readSnapshot(userId: string): Promise<Snapshot | null> {
  const database = await openExisting(localDbName(userId))
  if (!database) return null
  try {
    return await readAll(database)
  } catch {
    return null
  } finally {
    database.close()
  }
}

/** Tasks, by id, as the live query gives them; entries by start. */
async function readAll(database: IDBDatabase): Promise<Snapshot | null> {
  const transaction = database.transaction(['tasks', 'entries', 'state', 'outbox'])
  const store = (name: string) => transaction.objectStore(name)
  const [count, unsaved, tasks, state] = await Promise.all([
    done(store('entries').count()),
    done(store('outbox').count()),
    done<Task[]>(store('tasks').getAll()),
    done<StateRecord[]>(store('state').getAll()),
  ])
  if (count > MOST_ENTRIES) return null
  const entries = await done<LocalEntry[]>(store('entries').getAll())
  const isReadable =
    tasks.every(isTask) &&
    entries.every(isReadableEntry) &&
    state.every((record) => record.key !== 'timer' || isActiveTimer(record.timer))
  if (!isReadable) return null
  return {
    tasks,
    unsaved,
    state: new Map(state.map((record) => [record.key, record])),
    entries: entries
      .filter((entry) => entry.deletedAt === null)
      .toSorted((a, b) => a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1)),
  }
}

/** The database if it is there; a missing one stays missing. */
function openExisting(name: string): Promise<IDBDatabase | null> {
  return new Promise((resolve) => {
    const request = indexedDB.open(name)
    request.addEventListener('upgradeneeded', () => request.transaction?.abort())
    request.addEventListener('error', () => resolve(null))
    request.addEventListener('success', () => resolve(request.result))
  })
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () =>
      reject(request.error ?? new Error('The browser’s storage did not answer.')),
    )
  })
}
