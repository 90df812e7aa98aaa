/** Asking for a document that may be there: a create is repeated when only its answer was lost. */
import type { CollectionId, NewAttributes } from '@stint/core/collections.ts'

import type { Backend, DocumentOf } from './backend.ts'
import { isConflict, isNotFound } from './errors.ts'

/** The document as it was created, or as it is there already under that id. */
export interface Created<C extends CollectionId> {
  readonly document: DocumentOf<C>
  readonly isCreated: boolean
}

/**
 * Creates a document, or finds the one that is there already. Rejects with a conflict when the id is somebody else's. What
 * was there, and is gone when it is asked for (deleted, or the server was put back to a backup), is created after all.
 */
export async function createOrFind<C extends CollectionId>(
  backend: Backend,
  collection: C,
  id: string,
  data: NewAttributes<C>,
): Promise<Created<C>> {
  const create = async () => {
    return { document: await backend.create(collection, id, data), isCreated: true }
  }
  try {
    return await create()
  } catch (error) {
    if (!isConflict(error)) throw error
    const document = await find(backend, collection, id)
    return document ? { document, isCreated: false } : create()
  }
}

/** The document, or null when it is not there, or not ours, which is the same answer. */
export async function find<C extends CollectionId>(
  backend: Backend,
  collection: C,
  id: string,
): Promise<DocumentOf<C> | null> {
  try {
    return await backend.get(collection, id)
  } catch (error) {
    if (isNotFound(error)) return null
    throw error
  }
}
