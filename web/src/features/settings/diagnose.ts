/** The state of this device for support: counts and states, never a name, a note or a secret. */
import { notedEvents } from '#diagnostics/event-log.ts'
import type { NotedEvent } from '#diagnostics/event-log.ts'
import { isHeld } from '@stint/core/device/edits.ts'
import { isUnsent } from '@stint/core/device/unsaved.ts'
import type { LocalRecord } from '#record/record.ts'

export interface Diagnosis {
  readonly tasks: number
  readonly entries: number
  /** The number of unacknowledged changes by kind. */
  readonly unsaved: ReadonlyMap<string, number>
  /** How many of them the backend has refused. */
  readonly refused: number
  /** The number of quarantined unreadable records. */
  readonly putAside: number
  /** True when the whole history is loaded. */
  readonly complete: boolean
  /** The server's clock minus this device's clock, in milliseconds. */
  readonly clockOffset: number
  /** Bytes of storage that the site uses; null when the browser does not say. */
  readonly storageBytes: number | null
  /** True when the browser may not evict the storage on its own; null when it does not say. */
  readonly isPersistent: boolean | null
  /** Oldest first. */
  readonly events: readonly NotedEvent[]
}

/** Collects the diagnosis from the record and the browser. */
export async function diagnose(record: LocalRecord): Promise<Diagnosis> {
  const [putAside, storage] = await Promise.all([record.unreadableCount(), browserStorage()])
  const edits = record.view.edits.all()
  const sessions = record.view.sessions.all().filter((each) => isUnsent(record.view, each))
  const unsaved = new Map<string, number>()
  const kinds = [
    ...sessions.map(() => 'session'),
    ...edits.map(({ kind, base }) => (base ? `changed ${kind}` : `new ${kind}`)),
  ]
  for (const kind of kinds) unsaved.set(kind, (unsaved.get(kind) ?? 0) + 1)
  const isPulled = (key: 'pull:tasks' | 'pull:time_entries') => record.value(key)?.complete === true
  return {
    tasks: record.tasks().length,
    entries: record.view.entries.all().length,
    unsaved,
    refused: [...sessions, ...edits].filter(isHeld).length,
    putAside,
    complete: isPulled('pull:tasks') && isPulled('pull:time_entries'),
    clockOffset: record.clock.now() - Date.now(),
    ...storage,
    events: notedEvents(),
  }
}

async function browserStorage(): Promise<Pick<Diagnosis, 'storageBytes' | 'isPersistent'>> {
  // Available only on secure origins, and not in every browser.
  if (!('storage' in navigator)) return { storageBytes: null, isPersistent: null }
  const [estimate, isPersistent] = await Promise.all([
    navigator.storage.estimate().catch(() => null),
    navigator.storage.persisted().catch(() => null),
  ])
  return { storageBytes: estimate?.usage ?? null, isPersistent }
}
