/** Creating a document, or changing the one that is there (contract 5.5). */
import type { CollectionId } from '@stint/core/collections.ts'
import type { Transaction } from '#storage/database.ts'
import { GENERATE_ID } from '#id.ts'
import { createDocument } from './create.ts'
import type { DocumentStore } from './store.ts'
import { readAttributes, withDefaults } from './structure.ts'
import { updateDocument } from './update.ts'
import type { DocumentChange, Written } from './update.ts'

/**
 * Creates the document `id`, or changes what is sent of it. The required attributes must be sent
 * in both cases.
 * @throws ApiError what creating and updating throw.
 */
export async function upsertDocument(
  tx: Transaction,
  store: DocumentStore,
  owner: string,
  collection: CollectionId,
  id: string,
  change: DocumentChange,
  now: number,
): Promise<Written> {
  const isThere = id !== GENERATE_ID && (await store.lock(tx, owner, id)) !== undefined
  if (isThere) {
    withDefaults(collection, readAttributes(collection, change.data))
    return updateDocument(tx, store, owner, collection, id, change, now)
  }
  const { data, permissions } = change
  const text = await createDocument(tx, store, owner, collection, { id, data, permissions }, now)
  return { text, changed: true }
}
