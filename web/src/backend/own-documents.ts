/**
 * Only the documents of one person. On a real Appwrite everybody in the project can create a document
 * that names another person and that this person can read. Appwrite lets nobody grant a right to
 * another user, so a document is a person's own if its permissions let this user read it.
 */
import type { CollectionId, SystemFields } from '@stint/core/collections.ts'

import type { Backend, DocumentOf } from './backend.ts'
import { BackendError } from './errors.ts'

/**
 * Returns the backend without documents of others, in lists, answers and events. A list has the
 * cursor of the page as it came, so that a page of foreign documents does not end it.
 */
export function ownDocuments(backend: Backend, userId: string): Backend {
  const grants = ['', '/verified', '/unverified'].map((state) => `read("user:${userId}${state}")`)
  const isOwn = ({ $permissions }: SystemFields) =>
    Array.isArray($permissions) && grants.some((grant) => $permissions.includes(grant))

  return {
    ...backend,
    async list(collection, options) {
      const page = await backend.list(collection, options)
      return { ...page, documents: page.documents.filter(isOwn) }
    },
    update: async (...input) => own(await backend.update(...input)),
    subscribe: ({ onEvent, ...handlers }) =>
      backend.subscribe({
        ...handlers,
        onEvent: (event) => {
          if (isOwn(event.document)) onEvent(event)
        },
      }),
  }

  /** Throws what Appwrite answers to who may not read a document. */
  function own<C extends CollectionId>(document: DocumentOf<C>): DocumentOf<C> {
    if (isOwn(document)) return document
    // not translated: Appwrite's answer, which nobody sees
    const message = 'Document with the requested ID could not be found.'
    throw new BackendError('not-found', message, 'document_not_found', 404)
  }
}
