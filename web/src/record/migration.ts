/**
 * Migrates version 2 of the database: its stores of tasks, entries and state, and its outbox. The
 * work in the outbox becomes timer operations and edits. The migration runs within the upgrade
 * transaction, so that all of it happens or none. Remove this file when nobody can have version 2
 * any more.
 */
import { Draft, emptyMemory } from '@stint/core/device/draft.ts'
import { isValue } from '@stint/core/device/stored.ts'
import type { Progress, Unreadable } from '@stint/core/device/stored.ts'
import { takeOver } from '@stint/core/device/version-2.ts'
import { isFields } from '@stint/core/guards.ts'
import { isTask } from '@stint/core/record/task.ts'
import { isEntry } from '@stint/core/record/time-entry.ts'
import type { IDBPDatabase, IDBPTransaction } from 'idb'

import { ignoreRejection, storeIn, STORES } from './database.ts'
import { currentValue } from './migration-30.ts'
import { NO_PROGRESS, PROGRESS } from './read-memory.ts'

const OLD_STORES = ['tasks', 'entries', 'state', 'outbox', 'packs', 'quarantine'] as const
/** State that the current version does not need. */
const OLD_KEYS: readonly unknown[] = ['revision', 'packs']

/** Moves all data into the current stores, which exist already, and deletes the old stores. */
export async function moveFromVersion2(
  database: IDBPDatabase,
  transaction: IDBPTransaction<unknown, string[], 'versionchange'>,
): Promise<void> {
  const old = OLD_STORES.filter((name) => database.objectStoreNames.contains(name))
  const read = async (name: (typeof OLD_STORES)[number]): Promise<unknown[]> =>
    old.includes(name) ? transaction.objectStore(name).getAll() : []
  const draft = new Draft(emptyMemory())
  const unreadable = await read('quarantine')
  const putAside = (from: string, record: unknown) => {
    const aside: Unreadable = { from, record, putAsideAt: Date.now() }
    unreadable.push(aside)
  }

  for (const stored of await read('state')) {
    const value = currentValue(stored)
    if (isValue(value)) draft.values.put(value)
    else if (!isFields(value) || !OLD_KEYS.includes(value['key'])) putAside('state', value)
  }
  // When one task or entry cannot be read, the whole collection is pulled again from the backend.
  for (const task of await read('tasks')) {
    if (isTask(task)) draft.tasks.put(task)
    else {
      putAside('tasks', task)
      draft.values.remove('pull:tasks')
    }
  }
  for (const entry of await read('entries')) {
    if (isEntry(entry)) draft.entries.put(entry)
    else {
      putAside('entries', entry)
      draft.values.remove('pull:time_entries')
    }
  }
  for (const item of await read('outbox')) {
    if (!takeOver(draft, item)) putAside('outbox', item)
  }

  const { written, sequence } = draft.changes()
  const progress: Progress = { ...NO_PROGRESS, revision: 1, sequence }
  ignoreRejection(storeIn(transaction, 'values').put(progress, PROGRESS))
  for (const record of unreadable) ignoreRejection(storeIn(transaction, 'unreadable').put(record))
  for (const name of STORES) {
    const store = storeIn(transaction, name)
    for (const [key, record] of written[name]) if (record) ignoreRejection(store.put(record, key))
  }
  for (const name of old) database.deleteObjectStore(name)
}
