/**
 * The entries, in pages of a few hundred, each one text of rows. A browser reads a hundred thousand records one
 * by one in over a second, and two hundred long texts in a fraction of that. A page is rewritten whenever one of
 * its entries changes (docs/decisions/0010-the-record.md).
 */
import { isNumber, isObject, isText } from '#guards.ts'
import type { Guarded } from '#guards.ts'

import { packEntry, unpackEntry } from './rows.ts'
import type { TimeEntry } from './time-entry.ts'

const MAX_PAGE_ENTRIES = 500

export const isEntryPage = isObject({ page: isNumber, rows: isText })
export interface EntryPage extends Guarded<typeof isEntryPage> {}

type Changed = ReadonlyMap<string, TimeEntry | null>

/** All entries, including deleted ones, and the page of each. */
export class EntryPages {
  readonly #pages = new Map<number, readonly TimeEntry[]>()
  /** The page of each entry, from its first use on: opening the record does not need it. */
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

  /** Returns the entries that are not deleted, sorted by start: the same list until an entry changes. */
  sorted(changed?: Changed): readonly TimeEntry[] {
    this.#sorted ??= this.values().filter(isKept).toSorted(byStart)
    return changed?.size ? withChanges(this.#sorted, changed) : this.#sorted
  }

  /** Loads a stored page. Null removes the page. Returns the rows that cannot be read. */
  takeIn(number: number, stored: EntryPage | null): readonly unknown[] {
    const { entries, unreadable } = unpacked(stored?.rows ?? '[]')
    for (const { id } of this.#pages.get(number) ?? []) this.#placed?.delete(id)
    this.#put(number, entries)
    this.#sorted = null
    return unreadable
  }

  allStored(): Map<number, EntryPage> {
    return new Map([...this.#pages.keys()].map((number) => [number, this.stored(number)]))
  }

  stored(number: number): EntryPage {
    return packPage(number, this.#pages.get(number) ?? [])
  }

  /**
   * Plans the change of these entries, of which null removes one for good. Returns the pages to write, of which
   * null removes one, and a function that applies the change.
   */
  change(changed: Changed) {
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
    const next = [...byPage].map(([page, changes]) => {
      const kept = (this.#pages.get(page) ?? []).filter(({ id }) => !changes.has(id))
      const entries = [...kept, ...[...changes.values()].filter((entry) => entry !== null)]
      return { page, entries, stored: entries.length === 0 ? null : packPage(page, entries) }
    })
    return {
      pages: new Map(next.map(({ page, stored }) => [page, stored])),
      apply: () => {
        for (const [id, entry] of changed) if (entry === null) this.#pageOf.delete(id)
        for (const { page, entries } of next) this.#put(page, entries)
        if (changed.size > 0) this.#sorted &&= withChanges(this.#sorted, changed)
      },
    }
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

/** Returns the list with the changed entries, still sorted by start, in one pass. */
function withChanges(sorted: readonly TimeEntry[], changed: Changed): readonly TimeEntry[] {
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

function packPage(page: number, entries: readonly TimeEntry[]): EntryPage {
  return { page, rows: JSON.stringify(entries.map(packEntry)) }
}

/** Returns the entries in a text of rows, and the rows that cannot be read. */
function unpacked(rows: string) {
  const entries: TimeEntry[] = []
  const unreadable: unknown[] = []
  for (const row of listIn(rows)) {
    const entry = unpackEntry(row)
    if (entry) entries.push(entry)
    else unreadable.push(row)
  }
  return { entries, unreadable }
}

/** Returns the rows of a text, or the text itself as one that cannot be read. */
function listIn(rows: string): readonly unknown[] {
  try {
    const parsed: unknown = JSON.parse(rows)
    return Array.isArray(parsed) ? parsed : [rows]
  } catch {
    return [rows]
  }
}
