/**
 * Compares everything that the backend had confirmed with everything that it has. What is missing has
 * no deletion mark, so it is sent again, as is what is newer here
 * (docs/decisions/0015-missing-is-not-deleted.md). An Appwrite project without the mark deletes entries
 * for good (docs/decisions/0016-appwrite-projects.md).
 */
import { confirmedSince, isEarlier } from '@stint/core/device/restored-backend.ts'
import { deletesForGood } from '@stint/core/device/schema.ts'
import { takeIn, takeInEarlier } from '@stint/core/device/take-in.ts'

import { noteEvent } from '#diagnostics/event-log.ts'

import type { FetchContext } from './context.ts'
import { KINDS, NEWEST_FIRST, pullPages, requireSamePerson, storeDocuments } from './pull.ts'
import type { PulledCollection } from './pull.ts'

/**
 * Takes in everything from the backend and makes edits of what the backend lacks. Rejects with
 * BackendError. No document counts as missing before the account has answered for the same person.
 */
export async function compareAll(
  context: FetchContext,
  collection: PulledCollection,
): Promise<void> {
  const { record } = context
  const kind = KINDS[collection]
  // Only documents that were confirmed before the request can be missing in its answer.
  const missing = confirmedSince(record.view, kind, -Infinity)
  const earlier = new Set<string>()
  await pullPages(context, collection, NEWEST_FIRST, async (documents) => {
    for (const document of documents) {
      const known = missing.get(document.$id)
      missing.delete(document.$id)
      if (known && isEarlier(document, known)) earlier.add(document.$id)
    }
    await storeDocuments(record, collection, documents, (id) =>
      earlier.has(id) ? takeInEarlier : takeIn,
    )
  })
  if (missing.size > 0) await requireSamePerson(context)
  // Only a backend that was restored has earlier states. It may lack others for the same reason.
  const isDeletable =
    collection === 'time_entries' && deletesForGood(record.view) && earlier.size === 0
  await record.write((draft) => {
    const confirmed = confirmedSince(draft, kind, -Infinity)
    for (const [id, { createdAt, updatedAt }] of missing) {
      const known = confirmed.get(id)
      // What has changed during the request was received meanwhile, so the backend has it.
      if (known?.createdAt !== createdAt || known.updatedAt !== updatedAt) continue
      const entry = draft.entries.get(id)
      // A change from here is sent, and creates the entry again.
      if (isDeletable && entry && !draft.edit('entry', id)) {
        takeIn(draft, 'entry', id, { ...entry, deletedAt: draft.now, updatedAt: updatedAt + 1 })
      } else takeInEarlier(draft, kind, id, null)
    }
  })
  if (earlier.size + missing.size === 0 || isDeletable) return
  noteEvent(
    `${collection}: ${missing.size} missing and ${earlier.size} older at the backend are sent again`,
  )
}
