/**
 * The local database as live values for React. Entries are read once and then only their changes:
 * a history of 100,000 is not read again because one was added.
 */
import type { Task } from '@stint/core/task.ts'
import type { TimeEntry } from '@stint/core/time-entry.ts'
import { liveQuery } from 'dexie'

import { readState } from './local-db.ts'
import type { LocalDb, LocalEntry, StateRecord } from './local-db.ts'
import { isReadableEntry, quarantineEntries } from './quarantine.ts'

/** A value that changes: what React's useSyncExternalStore takes. */
export interface LiveValue<T> {
  readonly get: () => T
  readonly subscribe: (listener: () => void) => () => void
}

/** All tasks, deleted ones included; undefined until read. */
export function liveTasks(db: LocalDb): LiveValue<readonly Task[] | undefined> {
  return live(() => db.tasks.toArray(), undefined)
}

/** One record of the local state; null when there is none, undefined until read. */
export function liveState<K extends StateRecord['key']>(
  db: LocalDb,
  key: K,
): LiveValue<(StateRecord & { readonly key: K }) | null | undefined> {
  return live(async () => (await readState(db, key)) ?? null, undefined)
}

/** How many changes the backend has not acknowledged. */
export function liveUnsavedCount(db: LocalDb): LiveValue<number> {
  return live(() => db.outbox.count(), 0)
}

/** All entries that are not deleted, by start; undefined until read. */
export function liveEntries(db: LocalDb): LiveValue<readonly TimeEntry[] | undefined> {
  const listeners = new Set<() => void>()
  const byId = new Map<string, LocalEntry>()
  let sorted: readonly TimeEntry[] | undefined
  let lastRevision = 0
  let generation: number | null = null
  let stop: (() => void) | null = null

  return {
    get: () => sorted,
    subscribe(listener) {
      listeners.add(listener)
      stop ??= start()
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        stop?.()
        stop = null
      }
    },
  }

  function start(): () => void {
    const subscription = liveQuery(() => readChanges()).subscribe({
      next(changes) {
        if (changes) apply(changes)
      },
      error: () => undefined,
    })
    return () => subscription.unsubscribe()
  }

  async function readChanges() {
    return db.transaction('r', db.entries, db.state, async () => {
      const revision = (await readState(db, 'revision')) ?? { last: 0, generation: 0 }
      const startOver = revision.generation !== generation
      const entries = startOver
        ? await db.entries.toArray()
        : await db.entries.where('revision').above(lastRevision).toArray()
      return { ...revision, startOver, entries }
    })
  }

  /** The entries that can be read; the others are put aside and pulled again. */
  function readable(entries: readonly LocalEntry[]): readonly LocalEntry[] {
    const unreadable = entries.filter((entry) => !isReadableEntry(entry))
    if (unreadable.length === 0) return entries
    void quarantineEntries(db, unreadable, Date.now()).catch(() => undefined)
    return entries.filter(isReadableEntry)
  }

  function apply(changes: Awaited<ReturnType<typeof readChanges>>): void {
    if (sorted && !changes.startOver && changes.entries.length === 0) return
    if (changes.startOver) byId.clear()
    for (const entry of readable(changes.entries)) byId.set(entry.id, entry)
    generation = changes.generation
    lastRevision = Math.max(lastRevision, changes.last)
    sorted = [...byId.values()]
      .filter((entry) => entry.deletedAt === null)
      .toSorted((a, b) => a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1))
    for (const listener of listeners) listener()
  }
}

function live<T, I>(read: () => Promise<T>, initial: I): LiveValue<T | I> {
  const listeners = new Set<() => void>()
  let value: T | I = initial
  let stop: (() => void) | null = null
  return {
    get: () => value,
    subscribe(listener) {
      listeners.add(listener)
      stop ??= start()
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        stop?.()
        stop = null
      }
    },
  }

  function start(): () => void {
    const subscription = liveQuery(read).subscribe({
      next(result) {
        value = result
        for (const listener of listeners) listener()
      },
      error: () => undefined,
    })
    return () => subscription.unsubscribe()
  }
}
