/** Creates and reads of documents that may already exist, as after a create whose response was lost. */
import type { CollectionId, NewAttributes } from '@stint/core/collections.ts'

import type { Backend, DocumentOf } from './backend.ts'
import { isConflict } from './errors.ts'

/** A document that was created, or that already existed under its id. */
export interface Created<C extends CollectionId> {
  readonly document: DocumentOf<C>
  readonly isCreated: boolean
}

/** How often a document is created that disappears before it is read. */
const MAX_TRIES = 2

/**
 * Creates a document, or returns the existing one with that id. Creates it again when it disappears
 * between the two requests, as after a deletion or a restore from a backup, and another device may do
 * the same. Rejects with a conflict when the id belongs to another user.
 */
export async function createOrFind<C extends CollectionId>(
  backend: Backend,
  collection: C,
  id: string,
  data: NewAttributes<C>,
): Promise<Created<C>> {
  for (let tries = 1; ; tries += 1) {
    try {
      return { document: await backend.create(collection, id, data), isCreated: true }
    } catch (error) {
      if (!isConflict(error)) throw error
      const document = await find(backend, collection, id)
      if (document) return { document, isCreated: false }
      if (tries === MAX_TRIES) throw error
    }
  }
}

/**
 * Returns the document, or null when it is missing or belongs to another user. The request is a list,
 * because a browser reports every 404 as an error.
 */
export async function find<C extends CollectionId>(
  backend: Pick<Backend, 'list'>,
  collection: C,
  id: string,
): Promise<DocumentOf<C> | null> {
  const { documents } = await backend.list(collection, { equal: { $id: id }, limit: 1 })
  return documents[0] ?? null
}
