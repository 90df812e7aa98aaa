/** Removes the contents of a record from this browser, as at a sign-out. */
import { Draft } from '@stint/core/device/draft.ts'
import { isUnsent } from '@stint/core/device/unsaved.ts'

import { ALL_STORES, beginWrite, ignoreRejection, openDatabase, storeIn } from './database.ts'
import type { Transaction } from './database.ts'
import { newWriter, PROGRESS, readMemory, readProgress } from './read-memory.ts'

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

/** Returns whether the backend lacks something. A timer that runs there as here is no unsaved change. */
async function hasUnsaved(transaction: Transaction): Promise<boolean> {
  const stores = ['values', 'edits', 'sessions'] as const
  const { memory, unreadable } = await readMemory(transaction, newWriter(), stores)
  const view = new Draft(memory)
  return (
    unreadable.some(({ from }) => from !== 'values') ||
    view.edits.all().length > 0 ||
    view.sessions.all().some((session) => isUnsent(view, session))
  )
}

async function empty(transaction: Transaction<'readwrite'>): Promise<void> {
  const progress = await readProgress(transaction)
  for (const store of ALL_STORES) {
    ignoreRejection(storeIn(transaction, store).clear())
  }
  const next = { ...progress, generation: (progress.generation ?? 0) + 1 }
  ignoreRejection(storeIn(transaction, 'values').put(next, PROGRESS))
}
