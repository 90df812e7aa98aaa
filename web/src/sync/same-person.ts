/**
 * Asks the account who is signed in. A real Appwrite answers a guest's list request with 200 and no
 * documents. So a missing document means nothing until the account has answered for the same
 * person.
 */
import { BackendError } from '#backend/errors.ts'

import type { SyncContext } from './context.ts'

/**
 * Resolves when the backend confirms this record's account. Throws BackendError: 'signed-out' when
 * nobody or somebody else is signed in, another kind when the backend does not answer.
 */
export async function requireSamePerson({
  userId,
  backend,
}: Pick<SyncContext, 'userId' | 'backend'>): Promise<void> {
  const { id } = await backend.currentUser()
  if (id !== userId) throw new BackendError('signed-out', 'Somebody else is signed in')
}
