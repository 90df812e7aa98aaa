/**
 * The local database as live values for React. Entries are read once and then only their changes:
 * a history of 100,000 is not read again because one was added.
 */
import type { Task } from '@stint/core/record/task.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { liveQuery } from 'dexie'

import { countUnsaved, NO_REVISION, readState } from './local-records.ts'
import type { EntryPack, LocalDb, LocalEntry, OutboxItem, StateRecord } from './local-db.ts'
import { dropPacks, isCurrent, keepPacked, unpack, withChanges } from './packed-entries.ts'
import type { EntriesRead } from './packed-entries.ts'
import { isReadableEntry, quarantineEntries } from './quarantine.ts'
import type { Snapshot } from './snapshot.ts'
import { frozenStores } from './stores.ts'
import type { LiveState, LiveValue, Stores } from './stores.ts'

/**
 * Everything that the screens read of a database, beginning with what `snapshot` has shown of it
 * before it was open.
 */
export function liveStores(db: LocalDb, snapshot: Snapshot | null): Stores {
  const first = snapshot && frozenStores(snapshot)
  return {
    tasks: liveTasks(db, first?.tasks.get()),
    entries: liveEntries(db, snapshot?.entries),
    unsaved: liveUnsavedCount(db, () => true, first?.unsaved.get()),
    overQuota: liveUnsavedCount(db, ({ isOverQuota }) => isOverQuota === true),
    settings: liveState(db, 'settings', first?.settings.get()),
    timer: liveState(db, 'timer', first?.timer.get()),
    banner: liveState(db, 'banner', first?.banner.get()),
    unfinished: liveState(db, 'unfinished', first?.unfinished.get()),
    gaps: liveState(db, 'gaps', first?.gaps.get()),
    nudges: liveState(db, 'nudges', first?.nudges.get()),
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

/** How many things the backend has not acknowledged, of those that `isCounted`. */
function liveUnsavedCount(
  db: LocalDb,
  isCounted: (item: OutboxItem) => boolean,
  first = 0,
): LiveValue<number> {
  return live(async () => {
    const items = await db.outbox.toArray()
    return countUnsaved(items.filter(isCounted).map(({ work }) => work))
  }, first)
}

/**
 * All entries that are not deleted, by start; undefined until read. `first` is what was read of them
 * already.
 */
export function liveEntries(
  db: LocalDb,
  first: EntriesRead | null = null,
): LiveValue<readonly TimeEntry[] | undefined> {
  const listeners = new Set<() => void>()
  const byId = new Map(first?.entries.map((entry) => [entry.id, entry]))
  let sorted = first?.entries
  let lastRevision = first?.last ?? 0
  let generation = first?.generation ?? null
  let stop: (() => void) | null = null
  let packing: Promise<void> | null = null

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
      next: apply,
      error: () => undefined,
    })
    return () => subscription.unsubscribe()
  }

  async function readChanges() {
    return db.transaction('r', db.entries, db.state, db.packs, async () => {
      const revision = (await readState(db, 'revision')) ?? NO_REVISION
      const startOver = revision.generation !== generation
      if (!startOver) return { ...revision, startOver, ...(await writtenAfter(lastRevision)) }
      const record = await readState(db, 'packs')
      if (!isCurrent(record, revision)) {
        return { ...revision, startOver, packs: [], entries: await db.entries.toArray() }
      }
      const packs = await db.packs.toArray()
      return { ...revision, startOver, ...(await writtenAfter(record.revision)), packs }
    })
  }

  async function writtenAfter(known: number) {
    const entries = await db.entries.where('revision').above(known).toArray()
    return { packs: [], entries }
  }

  /** The entries that can be read; the others are put aside and pulled again. */
  function readable(entries: readonly LocalEntry[]): readonly LocalEntry[] {
    const unreadable = entries.filter((entry) => !isReadableEntry(entry))
    if (unreadable.length === 0) return entries
    void quarantineEntries(db, unreadable, Date.now()).catch(() => undefined)
    return entries.filter(isReadableEntry)
  }

  function apply(changes: Awaited<ReturnType<typeof readChanges>>): void {
    if (sorted && !changes.startOver && changes.entries.length === 0) {
      pack(sorted, changes)
      return
    }
    if (changes.startOver) byId.clear()
    const unpacked = unpackOrNull(changes.packs)
    if (!unpacked) {
      // Read again without it: the query runs anew because its record changes.
      void dropPacks(db).catch(() => undefined)
      return
    }
    generation = changes.generation
    lastRevision = Math.max(lastRevision, changes.last)
    for (const entry of unpacked) byId.set(entry.id, entry)
    sorted = withChanges(byId, readable(changes.entries))
    for (const listener of listeners) listener()
    pack(sorted, changes)
  }

  function pack(entries: readonly TimeEntry[], { last, generation: held }: typeof NO_REVISION) {
    packing ??= keepPacked(db, entries, { last, generation: held })
      .catch(() => undefined)
      .finally(() => (packing = null))
  }
}

function unpackOrNull(packs: readonly EntryPack[]): TimeEntry[] | null {
  try {
    return unpack(packs)
  } catch {
    return null
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
