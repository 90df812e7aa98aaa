/**
 * Sends entries that were added or changed by hand (as they are here, and of those the backend knows
 * only what changed): together where the backend takes them so, else one after the other.
 */
import { instantToWire } from '@stint/core/instant.ts'
import { entryAttributes, entryFromDocument } from '@stint/core/time-entry.ts'
import type { TimeEntry } from '@stint/core/time-entry.ts'
import { changedParts, partAttributes } from '@stint/core/entry-parts.ts'

import type { Backend, DocumentOf } from '#backend/backend.ts'
import { asBackendError, isNotFound, isTemporary } from '#backend/errors.ts'

import { existing } from './find-document.ts'
import type { LocalDb, OutboxItem, UnsavedEntry } from './local-db.ts'
import { putEntries, unsavedEntryIds } from './local-records.ts'
import { pullChanges } from './pull.ts'

/** Fewer are sent one by one: each then fails, or not, on its own. */
const FEWEST_TOGETHER = 4
/** What is sent so long after it was changed may be older than what another device changed. */
const LATE_MILLISECONDS = 10_000

interface SendContext {
  readonly db: LocalDb
  readonly backend: Backend
  readonly now: () => number
}
interface Change {
  readonly unsaved: UnsavedEntry
  readonly entry: TimeEntry
}
type EntryDocument = DocumentOf<'time_entries'>

/**
 * Does the work of an outbox item. What the backend refuses for good becomes an item of
 * its own, so that it holds up nothing else. Rejects with BackendError; what was sent is then taken
 * off the item.
 */
export async function sendEntries(
  context: SendContext,
  item: OutboxItem,
  wanted: readonly UnsavedEntry[],
): Promise<void> {
  const { db } = context
  const { sequence } = item
  const entries = await db.entries.bulkGet(wanted.map(({ id }) => id))
  const changed = wanted.flatMap((unsaved, index): Change[] => {
    const entry = entries[index]
    return entry ? [{ unsaved, entry }] : []
  })
  const changes = await withoutOutdated(context, item, changed)
  if (changes.length >= FEWEST_TOGETHER && (await sendTogether(context, sequence, changes))) return
  for (const [index, change] of changes.entries()) {
    const document = await sendOne(context, change).catch((thrown: unknown) => {
      const error = asBackendError(thrown)
      const isFinal = !isTemporary(error) && error.kind !== 'signed-out'
      if (!isFinal || changes.length === 1) throw error
      return { refused: error.message }
    })
    const left = changes.slice(index + 1).map(({ unsaved }) => unsaved)
    await db.transaction('rw', db.entries, db.state, db.outbox, async () => {
      if (document !== null && 'refused' in document) {
        const work = { kind: 'save-entries', entries: [change.unsaved] } as const
        const { refused } = document
        await db.outbox.add({ work, addedAt: Date.now(), attempts: 0, refused })
      } else if (document !== null) {
        await keep(db, sequence, [document])
      }
      if (left.length > 0) {
        await db.outbox.update(sequence, { work: { kind: 'save-entries', entries: left } })
      }
    })
  }
}

/**
 * Less what was changed of the same parts since, here or elsewhere: an edit that was made without a network,
 * or whose answer was lost, is not sent over a later one.
 */
async function withoutOutdated(
  { db, backend, now }: SendContext,
  { sequence, addedAt, attempts }: OutboxItem,
  changes: readonly Change[],
): Promise<readonly Change[]> {
  const isLate = attempts > 0 || now() - addedAt > LATE_MILLISECONDS
  if (!isLate || changes.every(({ unsaved }) => unsaved.before === undefined)) return changes
  const since = new Date(addedAt).toISOString()
  const later = new Map<string, EntryDocument>()
  await pullChanges({ db, backend }, 'time_entries', since, async (_db, documents) => {
    for (const document of documents) later.set(document.$id, document)
  })
  const outdated: EntryDocument[] = []
  const left = changes.flatMap((change): Change[] => {
    const { id, parts, before } = change.unsaved
    const document = later.get(id)
    if (parts === 'new' || !before || !document) return [change]
    const changedSince = changedParts(before, entryFromDocument(document))
    const current = parts.filter((part) => !changedSince.includes(part))
    if (current.length > 0) return [{ ...change, unsaved: { id, parts: current, before } }]
    outdated.push(document)
    return []
  })
  await db.transaction('rw', db.entries, db.state, db.outbox, () => keep(db, sequence, outdated))
  return left
}

/** True when the backend took all of them in one call. */
async function sendTogether(
  { db, backend }: SendContext,
  sequence: number,
  changes: readonly Change[],
): Promise<boolean> {
  const documents = await backend
    .saveTogether(
      'time_entries',
      changes.map(({ unsaved, entry }) => ({
        id: entry.id,
        isNew: unsaved.parts === 'new',
        data:
          unsaved.parts === 'new'
            ? entryAttributes(entry, db.userId)
            : partAttributes(entry, unsaved.parts),
      })),
    )
    .catch((thrown: unknown) => {
      const error = asBackendError(thrown)
      if (isTemporary(error) || error.kind === 'signed-out') throw error
      // One of them is at fault: one by one it shows which.
      return null
    })
  if (!documents) return false
  await db.transaction('rw', db.entries, db.state, db.outbox, () => keep(db, sequence, documents))
  return true
}

async function sendOne(
  { db, backend }: SendContext,
  { unsaved: { id, parts }, entry }: Change,
): Promise<EntryDocument | null> {
  const all = entryAttributes(entry, db.userId)
  if (parts === 'new') {
    // When an earlier try worked and only its answer was lost, another device may have changed it
    // since; what this one changed follows in the outbox.
    return backend
      .create('time_entries', id, all)
      .catch((error: unknown) => existing(backend, 'time_entries', id, error))
  }
  try {
    return await backend.update('time_entries', id, partAttributes(entry, parts))
  } catch (error) {
    if (!isNotFound(error)) throw error
    // Another client deleted it for good: what its owner has changed since is not lost with it.
    return entry.deletedAt === null ? backend.create('time_entries', id, all) : null
  }
}

/** Tells the backend that an entry was deleted. */
export async function sendDeletedEntry(
  { db, backend }: Pick<SendContext, 'db' | 'backend'>,
  entryId: string,
  deletedAt: number,
): Promise<void> {
  try {
    const document = await backend.update('time_entries', entryId, {
      deletedAt: instantToWire(deletedAt),
    })
    await db.transaction('rw', db.entries, db.state, () =>
      putEntries(db, [entryFromDocument(document)]),
    )
  } catch (error) {
    // Never saved, so there is nothing to take back.
    if (!isNotFound(error)) throw error
  }
}

/** The entries as the backend has them, unless they changed here again. */
async function keep(
  db: LocalDb,
  sequence: number,
  documents: readonly EntryDocument[],
): Promise<void> {
  const unsaved = await unsavedEntryIds(db, sequence)
  const entries = documents.map(entryFromDocument).filter(({ id }) => !unsaved.has(id))
  await putEntries(db, entries)
}
