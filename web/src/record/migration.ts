/**
 * Migrates the database of the version before logs: its presses, edits and offers become events of
 * sessions. The migration runs within the upgrade transaction, so that all of it happens or none.
 * Remove this file when nobody can have that version any more.
 */
import { Draft } from '@stint/core/device/draft.ts'
import { noteQuestions } from '@stint/core/device/note-asked.ts'
import type { Unreadable } from '@stint/core/device/stored.ts'
import { takeOver } from '@stint/core/migration/version-31.ts'
import { ignoreRejection, storeIn } from './database.ts'
import type { Database, Transaction } from './database.ts'
import { newWriter, readMemory, readProgress } from './read-memory.ts'
import { putAll } from './write-changes.ts'

/** The store of the queue. */
const OPERATIONS = 'record-operations'
/** Values that only the version before had, or had in another form. */
const OLD_VALUES = [
  'offers',
  'superseded',
  'resumed',
  'moved',
  'timer',
  'unfinished',
  'banner',
  'clock',
]

/** Moves all data into the current stores, which exist already, and deletes the old queue. */
export async function moveFromVersion31(
  database: Database,
  transaction: Transaction<'versionchange'>,
): Promise<void> {
  const operations: unknown[] = await transaction.objectStore(OPERATIONS).getAll()
  const store = storeIn(transaction, 'values')
  const values = new Map<string, unknown>()
  for (const key of OLD_VALUES) {
    const value: unknown = await store.get(key)
    if (value !== undefined) values.set(key, value)
    ignoreRejection(store.delete(key))
  }
  const { memory } = await readMemory(transaction, newWriter())
  const draft = new Draft(memory)
  const { at = Date.now() } = await readProgress(transaction)
  draft.now = at
  for (const record of takeOver(draft, { operations, values })) {
    const aside: Unreadable = { from: OPERATIONS, record, putAsideAt: at }
    ignoreRejection(storeIn(transaction, 'unreadable').add(aside))
  }
  noteQuestions(draft)
  // The version before took in entries without the logs that other devices may have written.
  const pulled = draft.value('pull:time_entries')
  if (pulled) draft.putValue({ ...pulled, since: new Date(0).toISOString() })
  putAll(transaction, draft.changes().written)
  database.deleteObjectStore(OPERATIONS)
}
