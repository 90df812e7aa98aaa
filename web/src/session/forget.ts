/** Removes what this browser stores of a person. */
import { deleteDB } from 'idb'

import { databaseName } from '#record/database.ts'
import { emptyRecord } from '#record/empty-record.ts'
import { PERSONAL_KEYS } from './personal-keys.ts'
import { forgetToldDevice } from './told-device.ts'

/**
 * Removes a person's data from this browser, with the copies that it keeps. Keeps the record while it has
 * unsaved changes, unless `unsavedAsWell` is true. Files in a folder that the person chose stay.
 */
export async function removeUserData(userId: string, unsavedAsWell: boolean): Promise<void> {
  try {
    for (const key of PERSONAL_KEYS) localStorage.removeItem(key)
  } catch {
    // Unusable storage has nothing to remove.
  }
  await emptyRecord(databaseName(userId), unsavedAsWell)
  await forgetToldDevice(userId, unsavedAsWell)
  const { chooseFolder, removeCopies } = await import('#copies/copy-folder.ts')
  const { removeTraces } = await import('#traces/traces-database.ts')
  await removeTraces(userId)
  await removeCopies(userId)
  await chooseFolder(userId, null)
}

/**
 * Deletes all of Stint's databases in this browser. Copies stay: when the storage is damaged, they may be
 * the only ones. They are shown to nobody but their owner.
 */
export async function removeAllData(): Promise<void> {
  for (const { name = '' } of await indexedDB.databases()) {
    if (name === 'stint' || name.startsWith(databaseName(''))) await deleteDB(name)
  }
}
