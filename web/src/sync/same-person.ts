/**
 * Asking the account who is signed in. A real Appwrite answers a guest's list with 200 and no documents:
 * that a document is missing says nothing until the account has answered for the same person.
 */
import type { Backend } from '#backend/backend.ts'
import { BackendError } from '#backend/errors.ts'

import type { LocalDb } from './local-db.ts'

/**
 * Resolves when the backend knows this database's owner now. Throws BackendError: 'signed-out' when it
 * knows nobody or somebody else, another kind when it does not answer.
 */
export async function requireSamePerson({
  db,
  backend,
}: {
  readonly db: LocalDb
  readonly backend: Backend
}): Promise<void> {
  const { id } = await backend.currentUser()
  if (id !== db.userId) throw new BackendError('signed-out', 'Somebody else is signed in')
}
