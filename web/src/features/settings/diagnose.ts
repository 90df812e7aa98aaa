/** How this device stands, for whoever helps: counts and states, never a name, a note or a secret. */
import { notedEvents } from '#diagnostics/event-log.ts'
import type { NotedEvent } from '#diagnostics/event-log.ts'
import { isHeld } from '#record/edits.ts'
import type { LocalRecord } from '#record/record.ts'

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

/** Looks at the record and the browser. */
export async function diagnose(record: LocalRecord): Promise<Diagnosis> {
  const [putAside, storage] = await Promise.all([record.unreadableCount(), browserStorage()])
  const edits = record.view.edits.all()
  const operations = record.view.operations.all()
  const unsaved = new Map<string, number>()
  const kinds = [
    ...operations.map(({ operation }) => operation.kind),
    ...edits.map(({ kind, base }) => (base ? `changed ${kind}` : `new ${kind}`)),
  ]
  for (const kind of kinds) unsaved.set(kind, (unsaved.get(kind) ?? 0) + 1)
  const isPulled = (key: 'pull:tasks' | 'pull:time_entries') => record.value(key)?.complete === true
  return {
    tasks: record.tasks().length,
    entries: record.entryIds().length,
    unsaved,
    refused: [...operations, ...edits].filter(isHeld).length,
    putAside,
    complete: isPulled('pull:tasks') && isPulled('pull:time_entries'),
    clockOffset: record.clock.now() - Date.now(),
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
