/**
 * Asking the account who is signed in. A real Appwrite answers a guest's list with 200 and no documents:
 * that a document is missing says nothing until the account has answered for the same person.
 */
import { BackendError } from '#backend/errors.ts'

import type { SyncContext } from './context.ts'

/**
 * Resolves when the backend knows this record's account now. Throws BackendError: 'signed-out' when it
 * knows nobody or somebody else, another kind when it does not answer.
 */
export async function requireSamePerson({
  userId,
  backend,
}: Pick<SyncContext, 'userId' | 'backend'>): Promise<void> {
  const { id } = await backend.currentUser()
  if (id !== userId) throw new BackendError('signed-out', 'Somebody else is signed in')
}
