/** Removes what this browser stores of a person. */
import { deleteDB } from 'idb'

import { beginRead, databaseName, openDatabase, storeIn } from '#record/database.ts'
import { PERSONAL_KEYS } from './personal-keys.ts'

/**
 * Removes a person's data from this browser. Keeps the database while it has unsaved changes, unless
 * `unsavedAsWell` is true.
 */
export async function removeUserData(userId: string, unsavedAsWell: boolean): Promise<void> {
  try {
    for (const key of PERSONAL_KEYS) localStorage.removeItem(key)
  } catch {
    // Unusable storage has nothing to remove.
  }
  const name = databaseName(userId)
  if (unsavedAsWell || !(await hasUnsaved(name))) await deleteDB(name)
}

/** Deletes all of Stint's databases in this browser. */
export async function removeAllData(): Promise<void> {
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
