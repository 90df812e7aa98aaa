/**
 * A server for the schedules of log tests: one document for each session, with its log and what plain
 * clients read. Each request is one step, so that requests of devices interleave.
 */
import { decodeLog, encodeLog } from '#log/codec.ts'
import { idOf } from '#log/event.ts'
import type { Log } from '#log/event.ts'

export interface StoredSession {
  readonly session: string
  readonly text: string
  /** The projection of the log, which is written with it. */
  readonly fields: string
  readonly version: number
}

/** What goes wrong in a schedule, and which fault of a device is planted in it. */
export interface Faults {
  readonly isLossy: boolean
  readonly isRestored: boolean
  readonly planted: Plant | null
}

export const PLANTS = [
  'resends nothing',
  'writes blindly',
  'appends no showed',
  'writes anew what it has tried',
] as const
export type Plant = (typeof PLANTS)[number]

/** A recent instant, when each schedule begins. */
export const BEGIN = Date.UTC(2026, 10, 28, 8)

export class World {
  now = BEGIN
  /** What no device may do. */
  readonly violations: string[] = []
  documents = new Map<string, StoredSession>()
  #backup: Map<string, StoredSession> | null = null
  #version = 0

  /** Returns the new version, or null when the document is not the one that was read. */
  write(session: string, log: Log, fields: string, over: number | null): number | null {
    const before = this.documents.get(session)
    if ((before?.version ?? null) !== over) return null
    const known = new Map(
      (before ? logOf(before) : []).map((event) => [idOf(event), encodeLog([event])]),
    )
    const written = new Map(log.map((event) => [idOf(event), encodeLog([event])]))
    for (const [id, text] of known) {
      if (!written.has(id))
        this.violations.push(`a write without ${id} over a document that has it`)
      else if (written.get(id) !== text) this.violations.push(`${id} is written anew`)
    }
    this.#version += 1
    this.documents.set(session, { session, text: encodeLog(log), fields, version: this.#version })
    return this.#version
  }

  read(session: string): StoredSession | null {
    return this.documents.get(session) ?? null
  }

  /** Returns what changed since, and the versions of all documents. */
  pull(after: number) {
    const all = [...this.documents.values()]
    return {
      changed: all.filter(({ version }) => version > after),
      versions: new Map(all.map(({ session, version }) => [session, version])),
      cursor: this.#version,
    }
  }

  backUp(): void {
    this.#backup = new Map(this.documents)
  }

  get hasBackup(): boolean {
    return this.#backup !== null
  }

  restore(): void {
    if (this.#backup) this.documents = new Map(this.#backup)
  }
}

/** Returns the events of a stored document. Throws for a text that no device may write. */
export function logOf({ text }: StoredSession): Log {
  const decoded = decodeLog(text)
  if (decoded.kind !== 'log') throw new Error(`A device wrote a log that is ${decoded.kind}.`)
  return decoded.log
}
