/**
 * Pulls tasks, entries and settings into the record. The first pull reads all documents, newest first,
 * so that the first page can be painted early. Later pulls read only changes.
 */
import type { CollectionId } from '@stint/core/collections.ts'
import type { Draft } from '@stint/core/device/draft.ts'
import { NO_SETTINGS, SETTINGS_ID } from '@stint/core/device/edits.ts'
import { changedTimes, isNews, noteOverlaps } from '@stint/core/device/overlap-pairs.ts'
import { confirmedSince, isEarlier, isKept } from '@stint/core/device/restored-backend.ts'
import { deletesForGood } from '@stint/core/device/missing-attributes.ts'
import { takeIn, takeInEarlier } from '@stint/core/device/take-in.ts'
import type { Stamped } from '@stint/core/record/fields.ts'
import { taskFromDocument } from '@stint/core/record/task.ts'
import { entryFromDocument } from '@stint/core/record/time-entry.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'

import type { Backend, DocumentOf, DocumentPage, ListOptions } from '#backend/backend.ts'
import { BackendError } from '#backend/errors.ts'
import { noteEvent } from '#diagnostics/event-log.ts'
import type { LocalRecord } from '#record/record.ts'

import type { FetchContext } from './context.ts'
import { sayEnded } from './say-ended.ts'

/** The number of newest entries that the first paint needs. */
const FIRST_PAGE = 100
const PAGE = 1000
/** A list of all documents. */
export const NEWEST_FIRST = { order: 'newest-created', firstLimit: FIRST_PAGE } as const
/** The overlap of two pulls, in milliseconds. A document may become visible after its `$updatedAt`. */
const OVERLAP_MILLISECONDS = 60_000
/** A real Appwrite counts no further. At this total, nothing can be concluded. */
const TOTAL_CAP = 5000

type PulledCollection = 'tasks' | 'time_entries'

/** The kind of the things of a collection. */
const KINDS = { tasks: 'task', time_entries: 'entry' } as const

/** Without a document there is no server time to start from, so the next pull asks for everything. */
const BEGINNING = '2000-01-01T00:00:00.000Z'

/** Pulls the settings. Rejects with BackendError. */
export async function pullSettings({ record, backend }: FetchContext): Promise<void> {
  for (;;) {
    const { saves } = record.value('settings') ?? NO_SETTINGS
    const prefs = await backend.prefs()
    const isCurrent = await record.takeIn((draft) => {
      const settings = draft.value('settings')
      if ((settings ?? NO_SETTINGS).saves !== saves) return false
      const isKnown = settings && JSON.stringify(settings.prefs) === JSON.stringify(prefs)
      if (!isKnown) takeIn(draft, 'settings', SETTINGS_ID, prefs)
      return true
    })
    // A change that was saved from here meanwhile is not in this answer.
    if (isCurrent) return
  }
}

/** Takes in tasks or entries from the backend. Those in `earlier` are an earlier state of what it had confirmed. */
export async function storeDocuments(
  record: LocalRecord,
  collection: PulledCollection,
  documents: readonly DocumentOf<PulledCollection>[],
  earlier: ReadonlySet<string> = new Set(),
): Promise<void> {
  const take = (id: string) => (earlier.has(id) ? takeInEarlier : takeIn)
  /* oxlint-disable typescript/no-unsafe-type-assertion -- the documents are of that collection */
  if (collection === 'tasks') {
    const tasks = (documents as readonly DocumentOf<'tasks'>[]).map(taskFromDocument)
    await record.write((draft) => {
      for (const task of tasks) take(task.id)(draft, 'task', task.id, task)
    })
  } else {
    const entries = (documents as readonly DocumentOf<'time_entries'>[]).map(entryFromDocument)
    await storeEntries(record, entries, take)
  }
  /* oxlint-enable typescript/no-unsafe-type-assertion */
}

async function storeEntries(
  record: LocalRecord,
  entries: readonly TimeEntry[],
  take: (id: string) => typeof takeIn,
): Promise<void> {
  const before = new Map<string, TimeEntry>()
  const changed = await record.write((draft) => {
    const isComplete = draft.value('pull:time_entries')?.complete === true
    for (const { id } of entries) {
      const known = draft.entries.get(id)
      if (known && !isNews(draft, id)) before.set(id, known)
    }
    // The part with the log of a session says what its other parts are.
    const rootsFirst = entries.toSorted((a, b) => Number(isRoot(b)) - Number(isRoot(a)))
    sayEnded(draft, () => {
      for (const entry of rootsFirst) take(entry.id)(draft, 'entry', entry.id, entry)
    })
    const after = entries.flatMap(({ id }) => draft.entries.get(id) ?? [])
    return isComplete ? changedTimes(before, after) : []
  })
  if (changed.length === 0) return
  await record.takeIn((draft) => noteOverlaps(draft, changed, record.entries(), before))
}

/** Returns whether an entry is the part with the log of its session. */
function isRoot({ id, sessionId }: TimeEntry): boolean {
  return sessionId === null || sessionId === id
}

/** Takes in the changes since the last pull; before the first complete one, the changes since `instant`. */
export async function fetchChanges(
  context: FetchContext,
  collection: PulledCollection,
  instant: number,
): Promise<void> {
  const pulled = context.record.value(`pull:${collection}`)
  await pullSince(context, collection, pulled?.complete ? pulled.since : beforeOverlap(instant))
}

/** Pulls the tasks or the entries. Rejects with BackendError. Pages that arrived before the error are kept. */
export async function pullCollection(
  context: FetchContext,
  collection: PulledCollection,
): Promise<void> {
  const { record } = context
  const key = `pull:${collection}` as const
  const pulled = record.value(key)
  const startedAt = record.clock.now()
  const latest = await pullSince(context, collection, pulled?.complete ? pulled.since : null)
  // A change during the pull may lie behind its last page.
  const since =
    latest === null
      ? (pulled?.since ?? BEGINNING)
      : beforeOverlap(Math.min(Date.parse(latest), startedAt))
  if (!pulled?.complete || since !== pulled.since) {
    await record.takeIn((draft) => {
      // The pull itself may have shown that the next one must ask for everything.
      if (draft.value(key)?.since === pulled?.since) draft.putValue({ key, complete: true, since })
    })
  }
  if (await hasFewer(context, collection)) await pullSince(context, collection, null)
}

function beforeOverlap(instant: number): string {
  return new Date(instant - OVERLAP_MILLISECONDS).toISOString()
}

/**
 * Pulls the changes since an instant, in order of change, or everything (null). Returns the time of the latest
 * change, or null when there was none. If the backend does not report what it had confirmed, or an earlier state of
 * it, it was restored from a backup. Then everything is pulled, and what it lacks is sent again: nobody has deleted
 * it, because deletion is a mark (docs/decisions/0015-missing-is-not-deleted.md).
 */
async function pullSince(
  context: FetchContext,
  collection: PulledCollection,
  since: string | null,
): Promise<string | null> {
  const { record } = context
  const kind = KINDS[collection]
  // Only documents that were confirmed before the request can be missing in its answer.
  const missing = confirmedSince(record.view, kind, since === null ? -Infinity : Date.parse(since))
  const earlier = new Set<string>()
  const changes = { order: 'oldest-updated', updatedSince: since ?? '', firstLimit: PAGE } as const
  const options = since === null ? NEWEST_FIRST : changes
  const latest = await pullPages(context, collection, options, async (documents) => {
    for (const document of documents) {
      const known = missing.get(document.$id)
      if (!known) continue
      if (since === null || isKept(document, known)) missing.delete(document.$id)
      if (since === null && isEarlier(document, known)) earlier.add(document.$id)
    }
    await storeDocuments(record, collection, documents, earlier)
  })
  if (missing.size + earlier.size === 0) return latest
  if (since !== null) return pullSince(context, collection, null)
  // No document counts as missing before the account has answered for the same person.
  await requireSamePerson(context)
  // Only a backend that was restored has earlier states. It may lack others for the same reason.
  const isDeletable = deletesForGood(record.view) && earlier.size === 0
  await record.write((draft) => takeInMissing(draft, kind, missing, isDeletable))
  noteEvent(`${collection}: ${missing.size} missing and ${earlier.size} older at the backend`)
  return latest
}

/**
 * Takes in that things are missing: they are sent again. Entries that are `isDeletable` count as deleted, because an
 * Appwrite project without the mark deletes them for good (docs/decisions/0016-appwrite-projects.md).
 */
function takeInMissing(
  draft: Draft,
  kind: 'task' | 'entry',
  missing: ReadonlyMap<string, Stamped>,
  isDeletable: boolean,
): void {
  const confirmed = confirmedSince(draft, kind, -Infinity)
  for (const [id, { createdAt, updatedAt }] of missing) {
    const known = confirmed.get(id)
    // What has changed during the request was received meanwhile, so the backend has it.
    if (known?.createdAt !== createdAt || known.updatedAt !== updatedAt) continue
    const entry = kind === 'entry' ? draft.entries.get(id) : undefined
    // A change from here is sent, and creates the entry again.
    if (isDeletable && entry && !draft.edit('entry', id)) {
      takeIn(draft, 'entry', id, { ...entry, deletedAt: draft.now, updatedAt: updatedAt + 1 })
    } else takeInEarlier(draft, kind, id, null)
  }
}

type PageOptions = Pick<ListOptions, 'order' | 'updatedSince'> & { readonly firstLimit: number }

/** Reads all pages, and passes each to the callback. Returns the time of the latest change, or null. */
export async function pullPages<C extends CollectionId>(
  { backend, userId }: FetchContext,
  collection: C,
  { firstLimit, ...options }: PageOptions,
  onPage: (documents: readonly DocumentOf<C>[]) => Promise<void>,
): Promise<string | null> {
  let latest: string | null = null
  let cursorAfter: string | undefined
  for (let limit = firstLimit; ; limit = PAGE) {
    const { documents, cursor } = await listPage(backend, collection, {
      ...options,
      equal: { userId },
      limit,
      ...(cursorAfter === undefined ? {} : { cursorAfter }),
    })
    await onPage(documents)
    for (const { $updatedAt } of documents)
      if (latest === null || $updatedAt > latest) latest = $updatedAt
    if (cursor === null) return latest
    cursorAfter = cursor
  }
}

/** Reads one page, a short one where the backend refuses a long page of very large documents. */
async function listPage<C extends CollectionId>(
  backend: Backend,
  collection: C,
  options: ListOptions,
): Promise<DocumentPage<C>> {
  try {
    return await backend.list(collection, options)
  } catch (error) {
    const isRefused = error instanceof BackendError && error.kind === 'invalid'
    if (!isRefused || options.limit <= FIRST_PAGE) throw error
    return backend.list(collection, { ...options, limit: FIRST_PAGE })
  }
}

/** Returns whether the backend has fewer documents than it has confirmed: some are missing. */
async function hasFewer(context: FetchContext, collection: PulledCollection): Promise<boolean> {
  const { record, backend, userId } = context
  const { tasks, entries } = record.view
  const counted = { equal: { userId }, limit: 1, select: ['$id'], withTotal: true }
  const { total } = await backend.list(collection, counted)
  const here = (collection === 'tasks' ? tasks : entries).all().length
  if (total >= Math.min(here, TOTAL_CAP)) return false
  return confirmedSince(record.view, KINDS[collection], -Infinity).size > total
}

/**
 * Rejects with BackendError unless this account is signed in: 'signed-out' when nobody or somebody else
 * is. A real Appwrite answers a guest's list with 200 and no documents, so before this call a missing
 * document means nothing.
 */
export async function requireSamePerson({ userId, backend }: FetchContext): Promise<void> {
  const { id } = await backend.currentUser()
  if (id !== userId) throw new BackendError('signed-out', 'Somebody else is signed in')
}
