/** How this device stands, for whoever helps: counts and states, never a name, a note or a secret. */
import { notedEvents } from './events.ts'
import type { NotedEvent } from './events.ts'
import { readState } from './local-records.ts'
import type { Sync } from './sync.ts'

export interface Diagnosis {
  readonly tasks: number
  readonly entries: number
  /** Kinds of work that the backend has not acknowledged, each with how much of it there is. */
  readonly unsaved: ReadonlyMap<string, number>
  /** Of these, how much the backend has refused. */
  readonly refused: number
  /** Records that could not be read and were put aside. */
  readonly putAside: number
  /** All of the history is here. */
  readonly complete: boolean
  /** How far this device's clock is behind the server's, milliseconds. */
  readonly clockOffset: number
  /** Bytes that the site uses in this browser; null where it does not say. */
  readonly storageBytes: number | null
  /** The browser may not throw it away by itself. */
  readonly isPersistent: boolean | null
  /** Oldest first. */
  readonly events: readonly NotedEvent[]
}

/** Looks at the local database and the browser. */
export async function diagnose(sync: Sync): Promise<Diagnosis> {
  const db = await sync.database()
  const [tasks, entries, items, putAside, storage, pulledTasks, pulledEntries] = await Promise.all([
    db.tasks.count(),
    db.entries.count(),
    db.outbox.toArray(),
    db.quarantine.count(),
    browserStorage(),
    readState(db, 'pull:tasks'),
    readState(db, 'pull:time_entries'),
  ])
  const unsaved = new Map<string, number>()
  for (const { work } of items) unsaved.set(work.kind, (unsaved.get(work.kind) ?? 0) + 1)
  return {
    tasks,
    entries,
    unsaved,
    refused: items.filter(({ refused }) => refused !== null).length,
    putAside,
    complete: pulledTasks?.complete === true && pulledEntries?.complete === true,
    clockOffset: sync.clock.now() - Date.now(),
    ...storage,
    events: notedEvents(),
  }
}

async function browserStorage(): Promise<Pick<Diagnosis, 'storageBytes' | 'isPersistent'>> {
  // Only on secure origins, and not in every browser.
  if (!('storage' in navigator)) return { storageBytes: null, isPersistent: null }
  const [estimate, isPersistent] = await Promise.all([
    navigator.storage.estimate().catch(() => null),
    navigator.storage.persisted().catch(() => null),
  ])
  return { storageBytes: estimate?.usage ?? null, isPersistent }
}
