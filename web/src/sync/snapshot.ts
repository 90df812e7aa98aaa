/**
 * What the local database held when the app was opened, read with IndexedDB itself: the first screen
 * of a known user does not wait for Dexie and the sync to be loaded
 * (docs/decisions/0031-what-loads-first.md).
 */
import type { Task } from '@stint/core/record/task.ts'

import type { EntryPack, LocalEntry, OutboxItem, StateRecord } from './local-db.ts'
import { countUnsaved, localDbName, NO_REVISION } from './local-records.ts'
import { isCurrent, unpack, withChanges } from './packed-entries.ts'
import type { EntriesRead } from './packed-entries.ts'
import { isActiveTimer, isReadableEntry, isTask } from './quarantine.ts'

export interface Snapshot {
  readonly tasks: readonly Task[]
  readonly entries: EntriesRead
  readonly state: ReadonlyMap<StateRecord['key'], StateRecord>
  readonly unsaved: number
}

/** Beyond this, reading them one by one would hold the first screen up. */
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
  const transaction = database.transaction(['tasks', 'entries', 'state', 'outbox', 'packs'])
  const store = (name: string) => transaction.objectStore(name)
  const [outbox, tasks, records] = await Promise.all([
    done<OutboxItem[]>(store('outbox').getAll()),
    done<Task[]>(store('tasks').getAll()),
    done<StateRecord[]>(store('state').getAll()),
  ])
  const isReadable =
    tasks.every(isTask) &&
    records.every((record) => record.key !== 'timer' || isActiveTimer(record.timer))
  const unsaved = countUnsaved(outbox.map(({ work }) => work))
  const entries = isReadable ? await readEntries(store('entries'), store('packs'), records) : null
  return (
    entries && { tasks, unsaved, state: new Map(records.map((each) => [each.key, each])), entries }
  )
}

async function readEntries(
  table: IDBObjectStore,
  packs: IDBObjectStore,
  records: readonly StateRecord[],
): Promise<EntriesRead | null> {
  const revision = records.find((record) => record.key === 'revision') ?? NO_REVISION
  const record = records.find((each) => each.key === 'packs')
  const isPacked = isCurrent(record, revision)
  if (!isPacked && (await done(table.count())) > MOST_ENTRIES) return null
  const [rows, changes] = await Promise.all([
    isPacked ? done<EntryPack[]>(packs.getAll()) : [],
    isPacked
      ? done<LocalEntry[]>(writtenAfter(record.revision))
      : done<LocalEntry[]>(table.getAll()),
  ])
  if (!changes.every(isReadableEntry)) return null
  const byId = new Map(unpack(rows).map((entry) => [entry.id, entry]))
  const { last, generation } = revision
  return { entries: withChanges(byId, changes), last, generation }

  function writtenAfter(known: number): IDBRequest<LocalEntry[]> {
    return table.index('revision').getAll(IDBKeyRange.lowerBound(known, true))
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
