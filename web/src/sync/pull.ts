/**
 * Brings the account's tasks, entries and settings into the record: all of them, whatever their number,
 * newest first so that the first page can be painted; afterwards only what changed. 100 and 1000 are
 * page sizes, never a truncation.
 */
import type { SystemFields } from '@stint/core/collections.ts'
import { stampsOf } from '@stint/core/record/fields.ts'
import type { Stamped } from '@stint/core/record/fields.ts'
import { taskFromDocument } from '@stint/core/record/task.ts'
import { entryFromDocument } from '@stint/core/record/time-entry.ts'

import { isEditOf, NO_SETTINGS, sessionOf, SETTINGS_ID } from '#record/edits.ts'
import { isNews, noteOverlaps } from '#record/overlaps.ts'
import { takeIn } from '#record/take-in.ts'
import type { LocalRecord, View } from '#record/record.ts'
import type { Backend, DocumentOf, ListOptions } from '#backend/backend.ts'
import { BackendError } from '#backend/errors.ts'

import type { SyncContext } from './context.ts'

/** What the first paint needs: the newest entries. */
export const FIRST_PAGE = 100
const PAGE = 1000
/**
 * Changes are asked for from a little before the last time: a document may become visible a moment
 * after its `$updatedAt`.
 */
const OVERLAP_MILLISECONDS = 60_000

export type PullContext = Pick<SyncContext, 'record' | 'backend' | 'userId'>

export type PulledCollection = 'tasks' | 'time_entries'

const PULL_KEYS = { tasks: 'pull:tasks', time_entries: 'pull:time_entries' } as const

/** Nothing was there to tell the server's time: the next pull asks for everything. */
const BEGINNING = '2000-01-01T00:00:00.000Z'

/** Brings the tasks up to date. Rejects with BackendError; what came before it is kept. */
export async function pullTasks(context: PullContext): Promise<void> {
  await pullCollection(context, 'tasks')
}

/** Brings the entries up to date. Rejects with BackendError; what came before it is kept. */
export async function pullEntries(context: PullContext): Promise<void> {
  await pullCollection(context, 'time_entries')
}

/** Brings the settings up to date. Rejects with BackendError. */
export async function pullSettings({ record, backend }: PullContext): Promise<void> {
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
    // What was saved from here meanwhile is not in that answer.
    if (isCurrent) return
  }
}

async function storeIn(
  record: LocalRecord,
  collection: PulledCollection,
  documents: readonly DocumentOf<PulledCollection>[],
): Promise<void> {
  /* oxlint-disable typescript/no-unsafe-type-assertion -- a page has documents of the collection that was asked for */
  if (collection === 'tasks') await storeTasks(record, documents as DocumentOf<'tasks'>[])
  else await storeEntries(record, documents as DocumentOf<'time_entries'>[])
  /* oxlint-enable typescript/no-unsafe-type-assertion */
}

/** Takes in tasks as the backend has them. */
export async function storeTasks(record: LocalRecord, documents: readonly DocumentOf<'tasks'>[]) {
  await record.write((draft) => {
    for (const task of documents.map(taskFromDocument)) takeIn(draft, 'task', task.id, task)
  })
}

/** Takes in entries as the backend has them. */
export async function storeEntries(
  record: LocalRecord,
  documents: readonly DocumentOf<'time_entries'>[],
) {
  const entries = documents.map(entryFromDocument)
  const added = await record.write((draft) => {
    const added = entries.filter(({ id }) => isNews(draft, id))
    // Whether an entry was split is seen by the second part.
    const isEdited = ({ id }: Stamped) => Number((draft.edit('entry', id)?.base ?? null) !== null)
    for (const entry of entries.toSorted((a, b) => isEdited(a) - isEdited(b)))
      takeIn(draft, 'entry', entry.id, entry)
    return added
  })
  if (added.length === 0) return
  await record.takeIn((draft) => noteOverlaps(draft, added, record.entries()))
}

/**
 * Takes in what changed at the backend since it was asked last; before it has ever been asked for all,
 * what changed since `instant`. Rejects with BackendError.
 */
export async function fetchChanges(
  context: PullContext,
  collection: PulledCollection,
  instant: number,
): Promise<void> {
  const pulled = context.record.value(PULL_KEYS[collection])
  const since = new Date(instant - OVERLAP_MILLISECONDS).toISOString()
  await pullChanges(context, collection, pulled?.complete ? pulled.since : since)
}

async function pullCollection(context: PullContext, collection: PulledCollection): Promise<void> {
  const { record } = context
  const key = PULL_KEYS[collection]
  const pulled = record.value(key)
  const startedAt = record.clock.now()
  const latest = pulled?.complete
    ? await pullChanges(context, collection, pulled.since)
    : await pullAll(context, collection)
  // What changed while the pull went on may lie behind its last page.
  const since =
    latest === null
      ? (pulled?.since ?? BEGINNING)
      : new Date(Math.min(Date.parse(latest), startedAt) - OVERLAP_MILLISECONDS).toISOString()
  if (!pulled?.complete || since !== pulled.since) {
    await record.takeIn((draft) => draft.putValue({ key, complete: true, since }))
  }
  if (await hasFewer(context, collection)) await compare(context, collection)
}

/** Every document, newest created first. Returns the latest change, or null when there is nothing. */
function pullAll(context: PullContext, collection: PulledCollection): Promise<string | null> {
  const options = { order: 'newest-created', firstLimit: FIRST_PAGE } as const
  return pullPages(context, collection, options, (documents) =>
    storeIn(context.record, collection, documents),
  )
}

/**
 * What changed since, in order of change. Returns the latest change, or null when there was none.
 *
 * The backend had confirmed everything that is known to have changed since then: when it does not say
 * so again, it has gone back in time (docs/decisions/0116-missing-is-not-deleted.md).
 */
async function pullChanges(
  context: PullContext,
  collection: PulledCollection,
  since: string,
): Promise<string | null> {
  const { record } = context
  const expected = confirmedSince(record.view, collection, Date.parse(since))
  const options = { order: 'oldest-updated', updatedSince: since, firstLimit: PAGE } as const
  const latest = await pullPages(context, collection, options, async (documents) => {
    for (const document of documents) {
      const known = expected.get(document.$id)
      if (known && isKept(document, known)) expected.delete(document.$id)
    }
    await storeIn(record, collection, documents)
  })
  if (expected.size > 0) await compare(context, collection)
  return latest
}

/** Pages of documents, each handed over in turn; returns the latest change in them, or null. */
export async function pullPages<C extends PulledCollection>(
  { backend, userId }: PullContext,
  collection: C,
  { firstLimit, ...options }: PageOptions,
  onPage: (documents: readonly DocumentOf<C>[]) => Promise<void>,
): Promise<string | null> {
  let latest: string | null = null
  let cursorAfter: string | undefined
  for (let limit = firstLimit; ; limit = PAGE) {
    const { documents, isLast } = await listPage(backend, collection, {
      ...options,
      equal: { userId },
      limit,
      ...(cursorAfter === undefined ? {} : { cursorAfter }),
    })
    await onPage(documents)
    latest = latestUpdate(documents, latest)
    if (isLast) return latest
    cursorAfter = documents.at(-1)?.$id
  }
}

type PageOptions = Pick<ListOptions, 'order' | 'updatedSince'> & { readonly firstLimit: number }

/** One page. The backend refuses a long one of very large documents, and is asked for a short one then. */
async function listPage<C extends PulledCollection>(
  backend: Backend,
  collection: C,
  options: ListOptions & { readonly limit: number },
): Promise<{ documents: readonly DocumentOf<C>[]; isLast: boolean }> {
  try {
    const { documents } = await backend.list(collection, options)
    return { documents, isLast: documents.length < options.limit }
  } catch (error) {
    const isRefused = error instanceof BackendError && error.kind === 'invalid'
    if (!isRefused || options.limit <= FIRST_PAGE) throw error
    return listPage(backend, collection, { ...options, limit: FIRST_PAGE })
  }
}

/** Compares all that is known with all that the backend has: rarely needed, and loaded only then. */
async function compare(context: PullContext, collection: PulledCollection): Promise<void> {
  const { compareAll } = await import('./compare.ts')
  await compareAll(context, collection)
}

/** A backend with fewer documents than it has confirmed lacks some, however long ago they changed. */
async function hasFewer(context: PullContext, collection: PulledCollection): Promise<boolean> {
  const { record, backend, userId } = context
  const counted = { equal: { userId }, limit: 1, select: ['$id'], withTotal: true }
  const { total } = await backend.list(collection, counted)
  const here = collection === 'tasks' ? record.view.tasks.all().length : record.entryIds().length
  if (total >= Math.min(here, TOTAL_CAP)) return false
  return confirmedSince(record.view, collection, -Infinity).size > total
}

/** A real Appwrite counts no further: then nothing can be concluded. */
const TOTAL_CAP = 5000

/**
 * What the backend had confirmed, as it had it, of what changed since an instant (epoch milliseconds), by
 * its id.
 */
export function confirmedSince(
  { tasks, entries, edits, operations }: View,
  collection: PulledCollection,
  instant: number,
): Map<string, Stamped> {
  const kind = collection === 'tasks' ? 'task' : 'entry'
  const ofKind = edits.all().filter((edit) => isEditOf(kind, edit))
  const bases = new Map<string, Stamped | null>(ofKind.map(({ id, base }) => [id, base]))
  const stopped = operations.all().filter(({ operation }) => operation.kind === 'stop')
  const unsaved = new Set(stopped.map(sessionOf))
  const confirmed = new Map<string, Stamped>()
  for (const thing of kind === 'task' ? tasks.all() : entries.all()) {
    const base = bases.get(thing.id)
    const known = base === undefined ? thing : base
    if (known && known.updatedAt >= instant && !unsaved.has(thing.id)) {
      confirmed.set(thing.id, known)
    }
  }
  return confirmed
}

/** Whether a document is an earlier state of what the backend had confirmed. */
export function isEarlier(document: SystemFields, known: Stamped): boolean {
  const { createdAt, updatedAt } = stampsOf(document)
  return createdAt === known.createdAt && updatedAt < known.updatedAt
}

/** Whether a document is what the backend had confirmed, or a later state of it, and not another one in its place. */
function isKept(document: SystemFields, known: Stamped): boolean {
  return stampsOf(document).createdAt === known.createdAt && !isEarlier(document, known)
}

function latestUpdate(
  documents: readonly { readonly $updatedAt: string }[],
  latest: string | null,
): string | null {
  return documents.reduce<string | null>(
    (max, { $updatedAt }) => (max === null || $updatedAt > max ? $updatedAt : max),
    latest,
  )
}
