/** The owner rule (design 7): a document is its maker's, and says so. */
import { ApiError } from '#errors.ts'
import type { AttributeValues } from './document.ts'

/** @throws ApiError user_unauthorized when the data name another user as theirs. */
export function checkOwner(sent: AttributeValues, owner: string): void {
  const userId = sent['userId']
  if (userId !== undefined && userId !== owner) {
    throw new ApiError('user_unauthorized', 'The attribute "userId" must be the current user.')
  }
}
