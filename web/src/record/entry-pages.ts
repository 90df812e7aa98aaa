/**
 * The entries, kept in pages of some hundred: each page is one text of rows. A hundred thousand records
 * take a browser over a second to hand over one by one, and two hundred long texts a fraction of that;
 * a page is short enough to be written anew for each entry that changes
 * (docs/decisions/0110-the-record-is-read-into-memory-once.md).
 */
import { packEntry, unpackEntry } from '@stint/core/record/rows.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'

import type { EntryPage } from './stored.ts'

const MAX_PAGE_ENTRIES = 500

/** What becomes of pages when entries change; nothing is changed before `apply`. */
export interface PageChanges {
  /** The pages to be written, and those to be removed. */
  readonly pages: ReadonlyMap<number, EntryPage | null>
  readonly apply: () => void
}

/** All entries, deleted ones included, and in which page each of them is. */
export class EntryPages {
  readonly #pages = new Map<number, readonly TimeEntry[]>()
  /** In which page each entry is; made when it is first asked for, which opening the record does not. */
  #placed: Map<string, number> | null = null
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

  /** Those that are not deleted, by start, with these changes: without any, the same list each time. */
  sorted(changed?: ReadonlyMap<string, TimeEntry | null>): readonly TimeEntry[] {
    this.#sorted ??= this.values().filter(isKept).toSorted(byStart)
    return changed?.size ? withChanges(this.#sorted, changed) : this.#sorted
  }

  /** Takes in a page as it is stored; null removes it. Returns the rows that cannot be read. */
  takeIn(number: number, stored: EntryPage | null): readonly unknown[] {
    const { entries, unreadable } = stored ? unpackPage(stored) : { entries: [], unreadable: [] }
    for (const { id } of this.#pages.get(number) ?? []) this.#placed?.delete(id)
    this.#put(number, entries)
    this.#sorted = null
    return unreadable
  }

  /** All pages as they are stored. */
  allStored(): Map<number, EntryPage> {
    return new Map([...this.#pages.keys()].map((number) => [number, this.stored(number)]))
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
        if (changed.size > 0) this.#sorted &&= withChanges(this.#sorted, changed)
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
    for (const { id } of entries) this.#placed?.set(id, page)
  }

  get #pageOf(): Map<string, number> {
    if (this.#placed) return this.#placed
    this.#placed = new Map()
    for (const [page, entries] of this.#pages)
      for (const { id } of entries) this.#placed.set(id, page)
    return this.#placed
  }
}

/** The list with these entries changed, still by start: one pass over it, however many they are. */
function withChanges(
  sorted: readonly TimeEntry[],
  changed: ReadonlyMap<string, TimeEntry | null>,
): readonly TimeEntry[] {
  const added = [...changed.values()].filter((entry) => entry !== null).filter(isKept)
  const waiting = added.toSorted(byStart)
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
  return { page, rows: JSON.stringify(entries.map(packEntry)) }
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
    const entry = unpackEntry(row)
    if (entry) entries.push(entry)
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
