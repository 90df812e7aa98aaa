/** Removing what this browser keeps of a person. */
import { deleteDB } from 'idb'

import { beginRead, databaseName, openDatabase, storeIn } from '#record/database.ts'
import { PERSONAL_KEYS } from './personal-keys.ts'

/**
 * Leaves nothing of a person in this browser but what is not saved yet, if anything; with
 * `unsavedAsWell` not even that.
 */
export async function forgetPerson(userId: string, unsavedAsWell: boolean): Promise<void> {
  try {
    for (const key of PERSONAL_KEYS) localStorage.removeItem(key)
  } catch {
    // Where it cannot be used nothing was kept.
  }
  const name = databaseName(userId)
  if (unsavedAsWell || !(await hasUnsaved(name))) await deleteDB(name)
}

/** Deletes every database of Stint's in this browser. */
export async function forgetEverybody(): Promise<void> {
  for (const { name = '' } of await indexedDB.databases()) {
    if (name === 'stint' || name.startsWith(databaseName(''))) await deleteDB(name)
  }
}

async function hasUnsaved(name: string): Promise<boolean> {
  const database = await openDatabase(name, () => undefined)
  try {
    const transaction = beginRead(database)
    const counts = await Promise.all([
      storeIn(transaction, 'operations').count(),
      storeIn(transaction, 'edits').count(),
    ])
    return counts.some((count) => count > 0)
  } finally {
    database.close()
  }
}
