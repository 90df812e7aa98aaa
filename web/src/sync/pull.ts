/**
 * Brings the user's tasks and entries into the local database: all of them, whatever their number,
 * newest first so that the first page can be painted; afterwards only what changed. 100 and 500 are
 * page sizes, never a truncation.
 */
import { taskFromDocument } from '@stint/core/record/task.ts'
import { entryFromDocument } from '@stint/core/record/time-entry.ts'

import type { Backend, DocumentOf, ListOptions } from '#backend/backend.ts'
import { BackendError } from '#backend/errors.ts'

import {
  putEntries,
  readState,
  removeEntries,
  unsavedEntryIds,
  unsavedTaskChanges,
} from './local-records.ts'
import type { LocalDb } from './local-db.ts'
import { requireSamePerson } from './same-person.ts'

/** What the first paint needs: the newest entries. */
const FIRST_PAGE = 100
const PAGE = 1000
/**
 * Changes are asked for from a little before the last time: a document may become visible a moment
 * after its `$updatedAt`.
 */
const OVERLAP_MILLISECONDS = 60_000

export interface PullContext {
  readonly db: LocalDb
  readonly backend: Backend
  readonly now: () => number
}

type PulledCollection = 'tasks' | 'time_entries'

const PULL_KEYS = { tasks: 'pull:tasks', time_entries: 'pull:time_entries' } as const

/** Nothing was there to tell the server's time: the next pull asks for everything. */
const BEGINNING = '2000-01-01T00:00:00.000Z'

/** Brings the tasks up to date. Rejects with BackendError; what came before it is kept. */
export async function pullTasks(context: PullContext): Promise<void> {
  await pullCollection(context, 'tasks', storeTasks)
}

/** Brings the entries up to date. Rejects with BackendError; what came before it is kept. */
export async function pullEntries(context: PullContext): Promise<void> {
  await pullCollection(context, 'time_entries', storeEntries)
}

/** Takes in documents that realtime brought. */
export async function storeTasks(db: LocalDb, documents: readonly DocumentOf<'tasks'>[]) {
  await db.transaction('rw', db.tasks, db.outbox, async () => {
    const unsaved = await unsavedTaskChanges(db)
    const tasks = documents.map(taskFromDocument)
    await db.tasks.bulkPut(tasks.map((task) => ({ ...task, ...unsaved.get(task.id) })))
  })
}

/** Takes in entries, newer over older only: an event may arrive late. */
export async function storeEntries(db: LocalDb, documents: readonly DocumentOf<'time_entries'>[]) {
  await db.transaction('rw', db.entries, db.state, db.outbox, async () => {
    const entries = documents.map(entryFromDocument)
    const known = await db.entries.bulkGet(entries.map((entry) => entry.id))
    const newer = entries.filter((entry, index) => {
      const local = known[index]
      return !local || isNewer(entry, local)
    })
    // Mostly what was saved from here comes back: then there is no need to read all that waits.
    if (newer.length === 0) return
    const unsaved = await unsavedEntryIds(db)
    await putEntries(
      db,
      newer.filter(({ id }) => !unsaved.has(id)),
    )
  })
}

function isNewer(
  entry: { updatedAt: number; createdAt: number },
  local: { updatedAt: number; createdAt: number },
): boolean {
  // An entry saved here carries this device's times until the backend's come back.
  return entry.updatedAt > local.updatedAt || entry.createdAt !== local.createdAt
}

async function pullCollection<C extends PulledCollection>(
  context: PullContext,
  collection: C,
  store: (db: LocalDb, documents: readonly DocumentOf<C>[]) => Promise<void>,
): Promise<void> {
  const { db } = context
  const record = await readState(db, PULL_KEYS[collection])
  const startedAt = context.now()
  const latest = record?.complete
    ? await pullChanges(context, collection, record.since, store)
    : await pullAll(context, collection, store)
  if (latest !== null) {
    // What changed while the pull went on may lie behind its last page.
    const since = Math.min(Date.parse(latest), startedAt) - OVERLAP_MILLISECONDS
    await db.state.put({
      key: PULL_KEYS[collection],
      complete: true,
      since: new Date(since).toISOString(),
    })
  } else if (!record?.complete) {
    await db.state.put({ key: PULL_KEYS[collection], complete: true, since: BEGINNING })
  }
  await dropVanished(context, collection)
}

/** Every document, newest created first. Answers the server time from which changes count. */
async function pullAll<C extends PulledCollection>(
  context: PullContext,
  collection: C,
  store: (db: LocalDb, documents: readonly DocumentOf<C>[]) => Promise<void>,
): Promise<string | null> {
  const { db, backend } = context
  let latest: string | null = null
  let cursorAfter: string | undefined
  for (let limit = FIRST_PAGE; ; limit = PAGE) {
    const { documents, isLast } = await listPage(backend, collection, {
      equal: { userId: db.userId },
      order: 'newest-created',
      limit,
      ...(cursorAfter === undefined ? {} : { cursorAfter }),
    })
    await store(db, documents)
    latest = latestUpdate(documents, latest)
    cursorAfter = documents.at(-1)?.$id
    if (isLast) break
  }
  return latest
}

/**
 * What changed since, in order of change, a page at a time to `store`. Answers the latest change, or
 * null when there was none.
 */
export async function pullChanges<C extends PulledCollection>(
  context: Pick<PullContext, 'db' | 'backend'>,
  collection: C,
  since: string,
  store: (db: LocalDb, documents: readonly DocumentOf<C>[]) => Promise<void>,
): Promise<string | null> {
  const { db, backend } = context
  let latest: string | null = null
  let cursorAfter: string | undefined
  for (;;) {
    const { documents, isLast } = await listPage(backend, collection, {
      equal: { userId: db.userId },
      updatedSince: since,
      order: 'oldest-updated',
      limit: PAGE,
      ...(cursorAfter === undefined ? {} : { cursorAfter }),
    })
    await store(db, documents)
    latest = latestUpdate(documents, latest)
    cursorAfter = documents.at(-1)?.$id
    if (isLast) break
  }
  return latest
}

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

/**
 * Another client may delete for good, which no list of changes shows. When there are more documents
 * here than there, those that are gone are found by their ids.
 */
async function dropVanished(context: PullContext, collection: PulledCollection): Promise<void> {
  const { db, backend } = context
  const equal = { userId: db.userId }
  const counted = { equal, limit: 1, select: ['$id'], withTotal: true }
  const { total } = await backend.list(collection, counted)
  if (total >= TOTAL_CAP || (await countSent(db, collection)) <= total) return

  // Only what the backend had before it is asked can be missed in its answer.
  const asked = await sentIds(db, collection)

  const present = new Set<string>()
  let cursorAfter: string | undefined
  do {
    const { documents, isLast } = await listPage(backend, collection, {
      equal,
      limit: PAGE,
      select: ['$id'],
      ...(cursorAfter === undefined ? {} : { cursorAfter }),
    })
    for (const document of documents) present.add(document.$id)
    cursorAfter = isLast ? undefined : documents.at(-1)?.$id
  } while (cursorAfter !== undefined)

  const gone = asked.filter((id) => !present.has(id))
  if (gone.length === 0) return
  await requireSamePerson(context)
  await db.transaction('rw', db.tasks, db.entries, db.state, db.outbox, async () => {
    const sent = new Set(await sentIds(db, collection))
    const vanished = gone.filter((id) => sent.has(id))
    if (collection === 'tasks') await db.tasks.bulkDelete(vanished)
    else await removeEntries(db, vanished)
  })
}

/** A real Appwrite counts no further: then nothing can be concluded. */
const TOTAL_CAP = 5000

/** How many are here, less those that the backend may not have heard of yet. */
function countSent(db: LocalDb, collection: PulledCollection): Promise<number> {
  const table = db[LOCAL_TABLES[collection]]
  return db.transaction('r', table, db.outbox, async () => {
    const unsent = await table.bulkGet([...(await unsentIds(db, collection))])
    return (await table.count()) - unsent.filter(Boolean).length
  })
}

/** Their ids. */
function sentIds(db: LocalDb, collection: PulledCollection): Promise<string[]> {
  const table = db[LOCAL_TABLES[collection]]
  return db.transaction('r', table, db.outbox, async () => {
    const unsent = await unsentIds(db, collection)
    const ids = await table.toCollection().primaryKeys()
    return ids.filter((id) => !unsent.has(id))
  })
}

const LOCAL_TABLES = { tasks: 'tasks', time_entries: 'entries' } as const

async function unsentIds(db: LocalDb, collection: PulledCollection): Promise<Set<string>> {
  const items = await db.outbox.toArray()
  const ids = items.flatMap(({ work }) => {
    if (collection === 'tasks') return work.kind === 'create-task' ? [work.taskId] : []
    if (work.kind === 'stop') return [work.stopped.sessionId]
    if (work.kind === 'save-entries') return work.entries.map(({ id }) => id)
    return work.kind === 'delete-entry' ? [work.entryId] : []
  })
  return new Set(ids)
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
