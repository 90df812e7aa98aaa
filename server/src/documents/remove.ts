/** Deleting a document (contract 5.6). */
import type { CollectionId } from '@stint/core/collections.ts'
import type { Transaction } from '#storage/database.ts'
import { parseBody } from './document.ts'
import type { DocumentText } from './document.ts'
import type { DocumentStore } from './store.ts'
import { checkUnchanged, documentNotFound } from './update.ts'

/**
 * Deletes a document of `owner`.
 * @returns the document as it was.
 * @throws ApiError document_not_found, document_update_conflict.
 */
export async function deleteDocument(
  tx: Transaction,
  store: DocumentStore,
  owner: string,
  collection: CollectionId,
  id: string,
  unchangedSince: number | null,
): Promise<DocumentText> {
  const removed = await store.remove(tx, owner, id)
  if (removed === undefined) throw documentNotFound(id)
  checkUnchanged(parseBody(collection, removed.body), unchangedSince)
  return removed
}
