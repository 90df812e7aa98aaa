/**
 * Brings the account's tasks, entries and settings into the record: all of them, whatever their number,
 * newest first so that the first page can be painted; afterwards only what changed. 100 and 1000 are
 * page sizes, never a truncation.
 */
import { taskFromDocument } from '@stint/core/record/task.ts'
import { entryFromDocument } from '@stint/core/record/time-entry.ts'

import { NO_SETTINGS, sessionOf, SETTINGS_ID } from '#record/edits.ts'
import { takeIn } from '#record/take-in.ts'
import type { LocalRecord } from '#record/record.ts'
import type { Backend, DocumentOf, ListOptions } from '#backend/backend.ts'
import { BackendError } from '#backend/errors.ts'

import type { SyncContext } from './context.ts'
import { requireSamePerson } from './same-person.ts'

/** What the first paint needs: the newest entries. */
const FIRST_PAGE = 100
const PAGE = 1000
/**
 * Changes are asked for from a little before the last time: a document may become visible a moment
 * after its `$updatedAt`.
 */
const OVERLAP_MILLISECONDS = 60_000

type PullContext = Pick<SyncContext, 'record' | 'backend' | 'userId'>

type PulledCollection = 'tasks' | 'time_entries'

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

/** Takes in tasks as the backend has them. */
export async function storeTasks(record: LocalRecord, documents: readonly DocumentOf<'tasks'>[]) {
  await record.takeIn((draft) => {
    for (const task of documents.map(taskFromDocument)) takeIn(draft, 'task', task.id, task)
  })
}

/** Takes in entries as the backend has them. */
export async function storeEntries(
  record: LocalRecord,
  documents: readonly DocumentOf<'time_entries'>[],
) {
  await record.takeIn((draft) => {
    for (const entry of documents.map(entryFromDocument)) takeIn(draft, 'entry', entry.id, entry)
  })
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
  await dropVanished(context, collection)
}

/** Every document, newest created first. Returns the latest change, or null when there is nothing. */
function pullAll(context: PullContext, collection: PulledCollection): Promise<string | null> {
  return pullPages(context, collection, { order: 'newest-created' }, FIRST_PAGE)
}

/** What changed since, in order of change. Returns the latest change, or null when there was none. */
function pullChanges(
  context: PullContext,
  collection: PulledCollection,
  since: string,
): Promise<string | null> {
  return pullPages(context, collection, { order: 'oldest-updated', updatedSince: since }, PAGE)
}

async function pullPages(
  { record, backend, userId }: PullContext,
  collection: PulledCollection,
  options: Pick<ListOptions, 'order' | 'updatedSince'>,
  firstLimit: number,
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
    await storeIn(record, collection, documents)
    latest = latestUpdate(documents, latest)
    if (isLast) return latest
    cursorAfter = documents.at(-1)?.$id
  }
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
  const { record, backend, userId } = context
  const equal = { userId }
  const counted = { equal, limit: 1, select: ['$id'], withTotal: true }
  const { total } = await backend.list(collection, counted)
  if (total >= TOTAL_CAP || sentIds(record, collection).length <= total) return

  // Only what the backend had before it is asked can be missed in its answer.
  const asked = sentIds(record, collection)

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
  const sent = new Set(sentIds(record, collection))
  await record.takeIn((draft) => {
    for (const id of gone.filter((each) => sent.has(each))) {
      if (collection === 'tasks') draft.tasks.remove(id)
      else draft.entries.remove(id)
    }
  })
}

/** A real Appwrite counts no further: then nothing can be concluded. */
const TOTAL_CAP = 5000

/** The ids of what is here, less those that the backend may not have heard of yet. */
function sentIds(record: LocalRecord, collection: PulledCollection): string[] {
  const unsent = unsentIds(record, collection)
  const ids = collection === 'tasks' ? record.tasks().map(({ id }) => id) : record.entryIds()
  return ids.filter((id) => !unsent.has(id))
}

function unsentIds(record: LocalRecord, collection: PulledCollection): Set<string> {
  const edits = record.view.edits.all()
  if (collection === 'tasks') {
    return new Set(edits.flatMap(({ kind, id, base }) => (kind === 'task' && !base ? id : [])))
  }
  const stopped = record.view.operations.all().filter(({ operation }) => operation.kind === 'stop')
  return new Set([
    ...edits.flatMap(({ kind, id }) => (kind === 'entry' ? id : [])),
    ...stopped.map(sessionOf),
  ])
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
