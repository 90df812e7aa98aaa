/** Asking for a document that may be there: a create is repeated when only its answer was lost. */
import type { CollectionId } from '@stint/core/collections.ts'

import type { Backend, DocumentOf } from './backend.ts'
import { isConflict, isNotFound } from './errors.ts'

/** The document that is there already, as the error of a creation says; any other is thrown again. */
export async function existing<C extends CollectionId>(
  backend: Backend,
  collection: C,
  id: string,
  error: unknown,
): Promise<DocumentOf<C>> {
  const document = isConflict(error) ? await find(backend, collection, id) : null
  if (!document) throw error
  return document
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
