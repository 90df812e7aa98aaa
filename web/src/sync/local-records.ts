/**
 * Reading and writing the records of the local database. Apart from the database itself, so that
 * whoever only presses a button need not have Dexie loaded yet.
 */
import type { TaskChanges } from '@stint/core/record/task.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'

import type { LocalDb, OutboxWork, StateRecord } from './local-db.ts'

/** The name of a user's database in this browser. */
export function localDbName(userId: string): string {
  return `stint-${userId}`
}

/** The record with that key, typed by it. */
export async function readState<K extends StateRecord['key']>(
  db: LocalDb,
  key: K,
): Promise<(StateRecord & { readonly key: K }) | undefined> {
  const record = await db.state.get(key)
  // A record is stored under its own key, so the key tells its type.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return record as (StateRecord & { readonly key: K }) | undefined
}

/**
 * Writes entries, each with the next revision. Must run inside a read-write transaction over
 * `entries` and `state`.
 */
export async function putEntries(db: LocalDb, entries: readonly TimeEntry[]): Promise<void> {
  if (entries.length === 0) return
  const { last, generation } = (await readState(db, 'revision')) ?? NO_REVISION
  await db.entries.bulkPut(
    entries.map((entry, index) => ({ ...entry, revision: last + index + 1 })),
  )
  await db.state.put({ key: 'revision', last: last + entries.length, generation })
}

/** Removes entries that another client deleted for good. */
export async function removeEntries(db: LocalDb, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await db.transaction('rw', db.entries, db.state, async () => {
    const { last, generation } = (await readState(db, 'revision')) ?? NO_REVISION
    await db.entries.bulkDelete([...ids])
    await db.state.put({ key: 'revision', last, generation: generation + 1 })
  })
}

/** Of a database without entries. */
export const NO_REVISION = { last: 0, generation: 0 }

/** The work that is sent by itself; what was refused waits for its owner. */
export async function unsentWork(db: LocalDb): Promise<OutboxWork[]> {
  const items = await db.outbox.toArray()
  return items.filter(({ refused }) => refused === null).map(({ work }) => work)
}

/** The session a piece of work is about, or null. */
export function sessionOfWork(work: OutboxWork): string | null {
  switch (work.kind) {
    case 'start':
    case 'update':
      return work.timer.sessionId
    case 'stop':
      return work.stopped.sessionId
    case 'restate':
    case 'discard':
      return work.sessionId
    default:
      return null
  }
}

/**
 * How many things of the user's are unsaved: a start and a stop of one session are one entry to
 * them. A session that is only to be thrown away counts when there is nothing else.
 */
export function countUnsaved(work: readonly OutboxWork[]): number {
  const kept = work.filter(({ kind }) => kind !== 'discard')
  if (kept.length === 0) return work.length
  return new Set(kept.flatMap(subjectsOf)).size
}

function subjectsOf(work: OutboxWork): string[] {
  switch (work.kind) {
    case 'delete-entry':
      return [work.entryId]
    case 'save-entries':
      return work.entries.map(({ id }) => id)
    case 'create-task':
    case 'update-task':
    case 'set-task-active':
      return [work.taskId]
    case 'save-prefs':
      return [work.kind]
    default:
      return [sessionOfWork(work) ?? '']
  }
}

/**
 * The entries with changes that the backend has not heard of: what it says of them is older. The
 * item numbered `except` is the one being sent.
 */
export async function unsavedEntryIds(db: LocalDb, except?: number): Promise<Set<string>> {
  const items = await db.outbox.toArray()
  return new Set(
    items.flatMap(({ work, sequence }) => {
      if (sequence === except) return []
      if (work.kind === 'delete-entry') return [work.entryId]
      return work.kind === 'save-entries' ? work.entries.map(({ id }) => id) : []
    }),
  )
}

/** What the backend has not heard of each task, by its id. `except` as in `unsavedEntryIds`. */
export async function unsavedTaskChanges(
  db: LocalDb,
  except?: number,
): Promise<Map<string, TaskChanges>> {
  const changes = new Map<string, TaskChanges>()
  for (const { work, sequence } of await db.outbox.toArray()) {
    if (sequence === except) continue
    if (work.kind !== 'update-task' && work.kind !== 'set-task-active') continue
    const change = work.kind === 'update-task' ? work.changes : { isActive: work.isActive }
    changes.set(work.taskId, { ...changes.get(work.taskId), ...change })
  }
  return changes
}

/** Adds work to the end of the outbox. Must run inside a read-write transaction over `outbox`. */
export async function addToOutbox(db: LocalDb, work: OutboxWork, now: number): Promise<void> {
  await db.outbox.add({ work, addedAt: now, attempts: 0, refused: null })
}
