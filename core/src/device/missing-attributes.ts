/** The attributes that the project of a real Appwrite lacks (docs/decisions/0016-appwrite-projects.md). */
import type { CollectionId } from '#collections.ts'

import type { View } from './draft.ts'

/** Returns the attributes that the project is known to lack. */
export function missingAttributes(view: View, collection: CollectionId): readonly string[] {
  return view.value('schema')?.missing[collection] ?? []
}

/** Returns whether entries are deleted for good, without a mark. A missing one was then deleted. */
export function deletesForGood(view: View): boolean {
  return missingAttributes(view, 'time_entries').includes('deletedAt')
}
