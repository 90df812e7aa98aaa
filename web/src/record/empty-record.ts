/** Removes the contents of a record from this browser, as at a sign-out. */
import { ALL_STORES, beginWrite, ignoreRejection, openDatabase, storeIn } from './database.ts'
import type { Transaction } from './database.ts'
import { PROGRESS, readProgress } from './read-memory.ts'

/**
 * Empties the record, in one transaction. Keeps it while it has unsaved changes, unless
 * `unsavedAsWell` is true. The database stays, without content: a deletion would wait for every
 * window that has it open, also for one that WebKit keeps for Back. A window that does not know of
 * the sign-out yet writes nothing more (see `generation` in stored.ts).
 */
export async function emptyRecord(name: string, unsavedAsWell: boolean): Promise<void> {
  const database = await openDatabase(name, () => undefined)
  try {
    const transaction = beginWrite(database)
    if (unsavedAsWell || !(await hasUnsaved(transaction))) await empty(transaction)
    await transaction.done
  } finally {
    database.close()
  }
}

async function hasUnsaved(transaction: Transaction): Promise<boolean> {
  const sessions = await storeIn(transaction, 'sessions').count()
  return sessions + (await storeIn(transaction, 'edits').count()) > 0
}

async function empty(transaction: Transaction<'readwrite'>): Promise<void> {
  const progress = await readProgress(transaction)
  for (const store of ALL_STORES) {
    ignoreRejection(storeIn(transaction, store).clear())
  }
  const next = { ...progress, generation: (progress.generation ?? 0) + 1 }
  ignoreRejection(storeIn(transaction, 'values').put(next, PROGRESS))
}
