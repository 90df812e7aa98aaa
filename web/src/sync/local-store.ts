/**
 * The local database as live values for React. Entries are read once and then only their changes:
 * a history of 100,000 is not read again because one was added.
 */
import type { Task } from '@stint/core/task.ts'
import type { TimeEntry } from '@stint/core/time-entry.ts'
import { liveQuery } from 'dexie'

import { readState } from './local-records.ts'
import type { LocalDb, LocalEntry, StateRecord } from './local-db.ts'
import { isReadableEntry, quarantineEntries } from './quarantine.ts'
import type { LiveState, LiveValue, Stores } from './stores.ts'

/**
 * Everything that the screens read of a database, beginning with the values of `first`: what was
 * shown before this one was open.
 */
export function liveStores(db: LocalDb, first: Stores | null): Stores {
  return {
    tasks: liveTasks(db, first?.tasks.get()),
    entries: liveEntries(db, first?.entries.get()),
    unsaved: liveUnsavedCount(db, first?.unsaved.get()),
    timer: liveState(db, 'timer', first?.timer.get()),
    banner: liveState(db, 'banner', first?.banner.get()),
    unfinished: liveState(db, 'unfinished', first?.unfinished.get()),
    gaps: liveState(db, 'gaps', first?.gaps.get()),
    pulledTasks: liveState(db, 'pull:tasks', first?.pulledTasks.get()),
    pulledEntries: liveState(db, 'pull:time_entries', first?.pulledEntries.get()),
  }
}

/** All tasks, deleted ones included; undefined until read. */
function liveTasks(
  db: LocalDb,
  first: readonly Task[] | undefined,
): LiveValue<readonly Task[] | undefined> {
  return live(() => db.tasks.toArray(), first)
}

/** One record of the local state; null when there is none, undefined until read. */
function liveState<K extends StateRecord['key']>(
  db: LocalDb,
  key: K,
  first: (StateRecord & { readonly key: K }) | null | undefined,
): LiveState<K> {
  return live(async () => (await readState(db, key)) ?? null, first)
}

/** How many changes the backend has not acknowledged. */
function liveUnsavedCount(db: LocalDb, first = 0): LiveValue<number> {
  return live(() => db.outbox.count(), first)
}

/** All entries that are not deleted, by start; undefined until read. */
export function liveEntries(
  db: LocalDb,
  first?: readonly TimeEntry[],
): LiveValue<readonly TimeEntry[] | undefined> {
  const listeners = new Set<() => void>()
  const byId = new Map<string, LocalEntry>()
  let sorted = first
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
