/**
 * Sends entries that were added or changed by hand (as they are here, and of those the backend knows
 * only what changed): together where the backend takes them so, else one after the other.
 */
import { instantToWire } from '@stint/core/time/instant.ts'
import { entryAttributes, entryFromDocument } from '@stint/core/record/time-entry.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { partAttributes } from '@stint/core/record/entry-parts.ts'

import type { DocumentOf } from '#backend/backend.ts'
import { asBackendError, BackendError, isNotFound, isTemporary } from '#backend/errors.ts'

import { existing, find } from './find-document.ts'
import type { LocalDb, OutboxItem, UnsavedEntry } from './local-db.ts'
import { putEntries, unsavedEntryIds } from './local-records.ts'
import type { OutboxContext, Round } from './outbox-context.ts'
import { changedMeanwhile, standingParts } from './outdated.ts'

/** Fewer are sent one by one: each then fails, or not, on its own. */
const FEWEST_TOGETHER = 4

type SendContext = Pick<OutboxContext, 'db' | 'backend'>
interface Change {
  readonly unsaved: UnsavedEntry
  readonly entry: TimeEntry
}
type EntryDocument = DocumentOf<'time_entries'>

/**
 * Does the work of an outbox item. What the backend refuses for good becomes an item of
 * its own, so that it holds up nothing else. Rejects with BackendError; what was sent is then taken
 * off the item. Returns false when it stopped before the end because `isOthersTurn`.
 */
export async function sendEntries(
  context: Round,
  item: OutboxItem,
  wanted: readonly UnsavedEntry[],
  isOthersTurn: () => Promise<boolean>,
): Promise<boolean> {
  const { db, pace } = context
  const { sequence } = item
  const entries = await db.entries.bulkGet(wanted.map(({ id }) => id))
  const changes = await standing(
    context,
    item,
    wanted.flatMap((unsaved, index): Change[] => {
      const entry = entries[index]
      return entry ? [{ unsaved, entry }] : []
    }),
  )
  if (changes.length >= FEWEST_TOGETHER && (await sendTogether(context, sequence, changes))) {
    return true
  }
  for (const [index, change] of changes.entries()) {
    if (index > 0 && (await isOthersTurn())) return false
    const wait = pace.take()
    if (wait > 0) throw tooSoon(wait)
    const document = await sendOne(context, change).catch((thrown: unknown) => {
      const error = asBackendError(thrown)
      if (error.kind === 'rate-limited') pace.refused(error)
      if (concernsAll(error) || changes.length === 1) throw error
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
  return true
}

/** The next write is due in so many milliseconds. */
function tooSoon(milliseconds: number): BackendError {
  const rateLimit = { retryAfterSeconds: milliseconds / 1000, limit: null }
  return new BackendError('rate-limited', 'The next write is due later', '', 0, rateLimit)
}

/** Whether the others would fail as well, so that asking for each of them is no use. */
function concernsAll(error: BackendError): boolean {
  return isTemporary(error) || error.kind === 'signed-out' || error.kind === 'over-quota'
}

/** The changes less what another device changed later, which is taken over. */
async function standing(
  round: Round,
  item: OutboxItem,
  changes: readonly Change[],
): Promise<Change[]> {
  const { db, backend } = round
  const isEdit = changes.some(({ unsaved }) => unsaved.before !== undefined)
  const meanwhile = isEdit ? await changedMeanwhile(round, item) : null
  const left: Change[] = []
  for (const change of changes) {
    const { entry, unsaved } = change
    const { id, parts, before } = unsaved
    const theirs = meanwhile?.entries.get(id)
    const kept =
      theirs && before && parts !== 'new'
        ? standingParts(parts, { addedAt: item.addedAt, before, here: entry, theirs })
        : parts
    if (kept.length > 0) left.push({ entry, unsaved: { ...unsaved, parts: kept } })
    else {
      const document = await find(backend, 'time_entries', id)
      if (!document) continue
      await db.transaction('rw', db.entries, db.state, db.outbox, () =>
        keep(db, item.sequence, [document]),
      )
    }
  }
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
      if (concernsAll(error)) throw error
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
  { db, backend }: SendContext,
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
