/**
 * The attributes that the project of a real Appwrite lacks
 * (docs/decisions/0016-appwrite-projects.md).
 */
import type { CollectionId } from '#collections.ts'

import type { View } from './draft.ts'

/** Returns the attributes of a collection that the backend's project lacks, as far as it is known. */
export function missingAttributes(
  view: Pick<View, 'value'>,
  collection: CollectionId,
): readonly string[] {
  return view.value('schema')?.missing[collection] ?? []
}

/**
 * Returns whether the project has no attribute for the deletion of an entry. A deleted entry is then
 * deleted for good, and a missing one was deleted.
 */
export function deletesForGood(view: Pick<View, 'value'>): boolean {
  return missingAttributes(view, 'time_entries').includes('deletedAt')
}
