/**
 * The entries, kept in pages of a few hundred. Each page is one text of rows. A browser needs over
 * a second to read a hundred thousand records one by one. It reads two hundred long texts in a
 * fraction of that. A page is short enough to be rewritten whenever one of its entries changes
 * (docs/decisions/0010-the-record.md).
 */
import { packEntry, unpackEntry } from '#record/rows.ts'
import type { TimeEntry } from '#record/time-entry.ts'

import type { EntryPage } from './stored.ts'

const MAX_PAGE_ENTRIES = 500

/** The planned changes of pages. Nothing changes before `apply`. */
export interface PageChanges {
  /** The pages to write. Null marks a page to remove. */
  readonly pages: ReadonlyMap<number, EntryPage | null>
  readonly apply: () => void
}

/** All entries, including deleted ones, and the page of each. */
export class EntryPages {
  readonly #pages = new Map<number, readonly TimeEntry[]>()
  /**
   * The page of each entry. The index is built at its first use, because opening the record does
   * not need it.
   */
  #placed: Map<string, number> | null = null
  #sorted: readonly TimeEntry[] | null = null

  get(id: string): TimeEntry | undefined {
    const page = this.#pageOf.get(id)
    return page === undefined ? undefined : this.#pages.get(page)?.find((entry) => entry.id === id)
  }

  /** Returns all entries in no particular order. */
  values(): TimeEntry[] {
    return [...this.#pages.values()].flat()
  }

  /**
   * Returns the entries that are not deleted, sorted by start, with `changed` applied. Without
   * `changed` it returns the same list until an entry changes.
   */
  sorted(changed?: ReadonlyMap<string, TimeEntry | null>): readonly TimeEntry[] {
    this.#sorted ??= this.values().filter(isKept).toSorted(byStart)
    return changed?.size ? withChanges(this.#sorted, changed) : this.#sorted
  }

  /** Loads a stored page. Null removes the page. Returns the rows that cannot be read. */
  takeIn(number: number, stored: EntryPage | null): readonly unknown[] {
    const { entries, unreadable } = stored ? unpackPage(stored) : { entries: [], unreadable: [] }
    for (const { id } of this.#pages.get(number) ?? []) this.#placed?.delete(id)
    this.#put(number, entries)
    this.#sorted = null
    return unreadable
  }

  /** Returns all pages in their stored form. */
  allStored(): Map<number, EntryPage> {
    return new Map([...this.#pages.keys()].map((number) => [number, this.stored(number)]))
  }

  /** Returns one page in its stored form. */
  stored(number: number): EntryPage {
    return packPage(number, this.#pages.get(number) ?? [])
  }

  /** Plans the change of these entries. Null removes an entry for good. */
  change(changed: ReadonlyMap<string, TimeEntry | null>): PageChanges {
    const byPage = new Map<number, Map<string, TimeEntry | null>>()
    let last = Math.max(0, ...this.#pages.keys())
    let room = MAX_PAGE_ENTRIES - (this.#pages.get(last)?.length ?? 0)
    for (const [id, entry] of changed) {
      let page = this.#pageOf.get(id)
      if (page === undefined) {
        if (entry === null) continue
        if (room <= 0) [last, room] = [last + 1, MAX_PAGE_ENTRIES]
        room -= 1
        page = last
      }
      byPage.set(page, (byPage.get(page) ?? new Map<string, TimeEntry | null>()).set(id, entry))
    }
    const next = new Map(
      [...byPage].map(([page, changes]) => [page, this.#pageWith(page, changes)]),
    )
    const packed = [...next].map(([page, entries]) => {
      const stored = entries.length === 0 ? null : packPage(page, entries)
      return [page, stored] as const
    })
    return {
      pages: new Map(packed),
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

/**
 * Returns the list with the changed entries, still sorted by start. It takes one pass, whatever the
 * number of changes.
 */
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

/** Returns a page in its stored form. */
export function packPage(page: number, entries: readonly TimeEntry[]): EntryPage {
  return { page, rows: JSON.stringify(entries.map(packEntry)) }
}

/** Returns the entries of a stored page and the rows that cannot be read. */
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
