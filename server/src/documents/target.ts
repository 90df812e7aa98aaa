/** Which collection a path names. */
import { COLLECTION_IDS, DATABASE_ID } from '@stint/core/collections.ts'
import type { CollectionId } from '@stint/core/collections.ts'
import { ApiError } from '#errors.ts'

/**
 * The collection of `/databases/{databaseId}/collections/{collectionId}`.
 * @throws ApiError database_not_found, collection_not_found.
 */
export function collectionOf(databaseId: string, collectionId: string): CollectionId {
  if (databaseId !== DATABASE_ID) throw new ApiError('database_not_found')
  const collection = COLLECTION_IDS.find((id) => id === collectionId)
  if (collection === undefined) {
    throw new ApiError(
      'collection_not_found',
      'Collection with the requested ID could not be found.',
    )
  }
  return collection
}
