/**
 * Compares everything that the backend had confirmed with everything that it has. The backend may
 * have been restored from an older backup, or another client may have deleted documents for good. A
 * missing document has no deletion mark, so it is sent again. A document that is newer here is sent
 * again as well (docs/decisions/0015-missing-is-not-deleted.md). An Appwrite project without the mark
 * deletes entries for good (docs/decisions/0016-appwrite-projects.md).
 */
import { taskFromDocument } from '@stint/core/record/task.ts'
import { entryFromDocument } from '@stint/core/record/time-entry.ts'

import { noteEvent } from '#diagnostics/event-log.ts'
import { confirmedSince, isEarlier } from '@stint/core/device/restored-backend.ts'
import { deletesForGood } from '@stint/core/device/schema.ts'
import { changedTimes, noteOverlaps } from '@stint/core/device/overlaps.ts'
import { takeIn, takeInEarlier } from '@stint/core/device/take-in.ts'
import type { Draft } from '@stint/core/device/draft.ts'
import type { DocumentOf } from '#backend/backend.ts'

import { KINDS, NEWEST_FIRST, pullPages, requireSamePerson } from './pull.ts'
import type { PullContext, PulledCollection } from './pull.ts'

/**
 * Takes in everything from the backend and makes edits of what the backend lacks. Rejects with
 * BackendError. No document counts as missing before the account has answered for the same person.
 */
export async function compareAll(
  context: PullContext,
  collection: PulledCollection,
): Promise<void> {
  const { record } = context
  const kind = KINDS[collection]
  // Only documents that were confirmed before the request can be missing in its answer.
  const missing = confirmedSince(record.view, kind, -Infinity)
  const before = new Map(record.view.entries.all().map((entry) => [entry.id, entry]))
  let earlier = 0
  await pullPages(context, collection, NEWEST_FIRST, (documents) =>
    record.write((draft, now) => {
      for (const document of documents) {
        const known = missing.get(document.$id)
        missing.delete(document.$id)
        const isForgotten = known !== undefined && isEarlier(document, known)
        if (isForgotten) earlier += 1
        take(draft, { collection, document, isForgotten }, now)
      }
    }),
  )
  if (missing.size > 0) await requireSamePerson(context)
  const lost = [...missing.values()]
  // Only a backend that was restored has earlier states. It may lack others for the same reason.
  const isDeletable = collection === 'time_entries' && deletesForGood(record.view) && earlier === 0
  await record.write((draft, now) => {
    const confirmed = confirmedSince(draft, kind, -Infinity)
    for (const { id, createdAt, updatedAt } of lost) {
      const known = confirmed.get(id)
      // A thing whose state has changed during the request was received meanwhile, so the backend
      // has it.
      if (known?.createdAt !== createdAt || known.updatedAt !== updatedAt) continue
      const entry = draft.entries.get(id)
      // A change from here is sent, and creates the entry again.
      if (isDeletable && entry && !draft.edit('entry', id)) {
        takeIn(draft, 'entry', id, { ...entry, deletedAt: now, updatedAt: updatedAt + 1 }, now)
      } else takeInEarlier(draft, kind, id, null, now)
    }
    if (collection === 'tasks') return
    const entries = draft.entries.all()
    noteOverlaps(draft, changedTimes(before, entries), entries, before)
  })
  if (earlier + lost.length === 0 || isDeletable) return
  noteEvent(
    `${collection}: ${lost.length} missing and ${earlier} older at the backend are sent again`,
  )
}

interface Taken {
  readonly collection: PulledCollection
  readonly document: DocumentOf<PulledCollection>
  /** Whether it is an earlier state of the confirmed one. */
  readonly isForgotten: boolean
}

function take(draft: Draft, { collection, document, isForgotten }: Taken, now: number): void {
  const takeThing = isForgotten ? takeInEarlier : takeIn
  /* oxlint-disable typescript/no-unsafe-type-assertion -- a page has documents of the collection that was asked for */
  if (collection === 'tasks') {
    const task = taskFromDocument(document as DocumentOf<'tasks'>)
    takeThing(draft, 'task', task.id, task, now)
  } else {
    const entry = entryFromDocument(document as DocumentOf<'time_entries'>)
    takeThing(draft, 'entry', entry.id, entry, now)
  }
  /* oxlint-enable typescript/no-unsafe-type-assertion */
}
