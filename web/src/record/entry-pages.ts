/**
 * The entries, kept in pages of some hundred: each page is one text of rows. A hundred thousand records
 * take a browser over a second to hand over one by one, and two hundred long texts a fraction of that;
 * a page is short enough to be written anew for each entry that changes
 * (docs/decisions/0110-the-record-is-read-into-memory-once.md).
 */
import { NO_PAUSES } from '@stint/core/timer/pauses.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import type { Interval } from '@stint/core/time/instant.ts'

import { isEntry } from './readable.ts'
import type { EntryPage } from './stored.ts'

const MAX_PAGE_ENTRIES = 500

/** An entry as a row: names repeated a hundred thousand times would be most of what there is to read. */
type Row = readonly [
  id: string,
  taskId: string,
  startedAt: number,
  endedAt: number,
  durationSeconds: number,
  pauses: null | readonly [unplacedSeconds: number, ...bounds: readonly number[]],
  entryType: string,
  /** '' for the entry's own id. */
  sessionId: string | null,
  note: string | null,
  createdAt: number,
  updatedAt: number,
  deletedAt: number | null,
]

/** What becomes of pages when entries change; nothing is changed before `apply`. */
export interface PageChanges {
  /** The pages to be written, and those to be removed. */
  readonly pages: ReadonlyMap<number, EntryPage | null>
  readonly apply: () => void
}

/** All entries, deleted ones included, and in which page each of them is. */
export class EntryPages {
  readonly #pages = new Map<number, readonly TimeEntry[]>()
  readonly #pageOf = new Map<string, number>()
  #sorted: readonly TimeEntry[] | null = null

  get(id: string): TimeEntry | undefined {
    const page = this.#pageOf.get(id)
    return page === undefined ? undefined : this.#pages.get(page)?.find((entry) => entry.id === id)
  }

  ids(): string[] {
    return [...this.#pageOf.keys()]
  }

  /** In no order. */
  values(): TimeEntry[] {
    return [...this.#pages.values()].flat()
  }

  /** Those that are not deleted, by start: the same list until one of them changes. */
  sorted(): readonly TimeEntry[] {
    this.#sorted ??= this.values().filter(isKept).toSorted(byStart)
    return this.#sorted
  }

  /** Takes in a page as it is stored; null removes it. Returns the rows that cannot be read. */
  takeIn(number: number, stored: EntryPage | null): readonly unknown[] {
    const { entries, unreadable } = stored ? unpackPage(stored) : { entries: [], unreadable: [] }
    for (const { id } of this.#pages.get(number) ?? []) this.#pageOf.delete(id)
    this.#put(number, entries)
    this.#sorted = null
    return unreadable
  }

  /** The page as it is stored. */
  stored(number: number): EntryPage {
    return packPage(number, this.#pages.get(number) ?? [])
  }

  /** Plans the change of these entries; null removes one for good. */
  change(changed: ReadonlyMap<string, TimeEntry | null>): PageChanges {
    const byPage = new Map<number, Map<string, TimeEntry | null>>()
    let last = Math.max(0, ...this.#pages.keys())
    let room = MAX_PAGE_ENTRIES - (this.#pages.get(last)?.length ?? 0)
    for (const [id, entry] of changed) {
      const known = this.#pageOf.get(id)
      if (known === undefined && entry === null) continue
      if (known === undefined && room <= 0) {
        last += 1
        room = MAX_PAGE_ENTRIES
      }
      if (known === undefined) room -= 1
      const page = known ?? last
      const ofPage = byPage.get(page) ?? new Map<string, TimeEntry | null>()
      byPage.set(page, ofPage.set(id, entry))
    }
    const next = new Map(
      [...byPage].map(([page, changes]) => [page, this.#pageWith(page, changes)]),
    )
    return {
      pages: new Map(
        [...next].map(([page, entries]) => [
          page,
          entries.length === 0 ? null : packPage(page, entries),
        ]),
      ),
      apply: () => {
        for (const [id, entry] of changed) if (entry === null) this.#pageOf.delete(id)
        for (const [page, entries] of next) this.#put(page, entries)
        this.#sorted &&= withChanges(this.#sorted, changed)
      },
    }
  }

  #pageWith(page: number, changes: ReadonlyMap<string, TimeEntry | null>): readonly TimeEntry[] {
    const kept = (this.#pages.get(page) ?? []).filter(({ id }) => !changes.has(id))
    return [...kept, ...[...changes.values()].filter((entry) => entry !== null)]
  }

  #put(page: number, entries: readonly TimeEntry[]): void {
    if (entries.length === 0) this.#pages.delete(page)
    else this.#pages.set(page, entries)
    for (const { id } of entries) this.#pageOf.set(id, page)
  }
}

/** The list with these entries changed, still by start: one pass over it, however many they are. */
function withChanges(
  sorted: readonly TimeEntry[],
  changed: ReadonlyMap<string, TimeEntry | null>,
): readonly TimeEntry[] {
  const added = [...changed.values()].filter((entry) => entry !== null && isKept(entry))
  const waiting = added.flatMap((entry) => entry ?? []).toSorted(byStart)
  const merged: TimeEntry[] = []
  let next = 0
  for (const entry of sorted) {
    if (changed.has(entry.id)) continue
    for (let first = waiting[next]; first && byStart(first, entry) < 0; first = waiting[next]) {
      merged.push(first)
      next += 1
    }
    merged.push(entry)
  }
  return [...merged, ...waiting.slice(next)]
}

function isKept(entry: TimeEntry): boolean {
  return entry.deletedAt === null
}

function byStart(a: TimeEntry, b: TimeEntry): number {
  return a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1)
}

/** The page as it is stored. */
export function packPage(page: number, entries: readonly TimeEntry[]): EntryPage {
  return { page, rows: JSON.stringify(entries.map(rowOf)) }
}

/** The entries of a stored page, and what of it cannot be read. */
export function unpackPage({ rows }: EntryPage): {
  readonly entries: readonly TimeEntry[]
  readonly unreadable: readonly unknown[]
} {
  const parsed = listIn(rows)
  if (!parsed) return { entries: [], unreadable: [rows] }
  const entries: TimeEntry[] = []
  const unreadable: unknown[] = []
  for (const row of parsed) {
    const entry = entryOf(row)
    if (isEntry(entry)) entries.push(entry)
    else unreadable.push(row)
  }
  return { entries, unreadable }
}

function listIn(rows: string): readonly unknown[] | null {
  try {
    const parsed: unknown = JSON.parse(rows)
    return Array.isArray(parsed) ? parsed : null
  } catch {
    return null
  }
}

function rowOf(entry: TimeEntry): Row {
  const { intervals, unplacedSeconds } = entry.pauses
  const isUnbroken = intervals.length === 0 && unplacedSeconds === 0
  return [
    entry.id,
    entry.taskId,
    entry.startedAt,
    entry.endedAt,
    entry.durationSeconds,
    isUnbroken ? null : [unplacedSeconds, ...intervals.flatMap(({ start, end }) => [start, end])],
    entry.entryType,
    entry.sessionId === entry.id ? '' : entry.sessionId,
    entry.note,
    entry.createdAt,
    entry.updatedAt,
    entry.deletedAt,
  ]
}

/** What a row says, unchecked: `isEntry` checks what comes of it. */
function entryOf(row: unknown): unknown {
  if (!isRow(row)) return null
  const [id, taskId, startedAt, endedAt, durationSeconds, pauses, entryType, sessionId, ...rest] =
    row
  const [note, createdAt, updatedAt, deletedAt] = rest
  return {
    id,
    taskId,
    startedAt,
    endedAt,
    durationSeconds,
    pauses: Array.isArray(pauses) ? pausesOf(pauses) : NO_PAUSES,
    entryType,
    sessionId: sessionId === '' ? id : sessionId,
    note,
    deletedAt,
    createdAt,
    updatedAt,
  }
}

/** Only whether it is a list: a page has hundreds. */
function isRow(row: unknown): row is Row {
  return Array.isArray(row)
}

function pausesOf([unplacedSeconds = 0, ...bounds]: readonly number[]): TimeEntry['pauses'] {
  const intervals: Interval[] = []
  for (let index = 0; index + 1 < bounds.length; index += 2) {
    intervals.push({ start: bounds[index] ?? 0, end: bounds[index + 1] ?? 0 })
  }
  return { intervals, unplacedSeconds }
}
