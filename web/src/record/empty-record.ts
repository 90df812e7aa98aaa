/** Removes the contents of a record from this browser, as at a sign-out. */
import { beginWrite, ignoreRejection, openDatabase, storeIn, STORES } from './database.ts'
import { PROGRESS, readProgress } from './read-memory.ts'

type Transaction = ReturnType<typeof beginWrite>

/**
 * Empties the record, in one transaction. Keeps it as it is while it has unsaved changes, unless
 * `unsavedAsWell` is true. The database itself stays, without content: a deletion waits for every
 * window that has the database open, and the next sign-in for the deletion; a window that WebKit
 * keeps for Back may never close it. A window that does not know of the sign-out yet writes nothing
 * more (see `generation` in stored.ts).
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
  const counts = await Promise.all([
    storeIn(transaction, 'sessions').count(),
    storeIn(transaction, 'edits').count(),
  ])
  return counts.some((count) => count > 0)
}

async function empty(transaction: Transaction): Promise<void> {
  const { generation = 0, ...progress } = await readProgress(transaction)
  for (const store of [...STORES, 'unreadable'] as const) {
    ignoreRejection(storeIn(transaction, store).clear())
  }
  const next = { ...progress, generation: generation + 1 }
  ignoreRejection(storeIn(transaction, 'values').put(next, PROGRESS))
}
