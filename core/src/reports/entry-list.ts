/** The list of sessions, newest first, under the days on which they start. */
import type { TimeEntry } from '#record/time-entry.ts'
import type { FoundSessions } from './found-sessions.ts'

export interface EntryList {
  /** Newest first. */
  readonly entries: readonly TimeEntry[]
  /** The days of the entries, newest first. */
  readonly days: readonly ListedDay[]
  /** The work of all entries. */
  readonly seconds: number
}

export interface ListedDay {
  /** The number of the day. */
  readonly day: number
  /** The index of its first entry in the list. */
  readonly first: number
  readonly count: number
  /** The work of its entries. Each counts whole on the day on which it starts. */
  readonly seconds: number
}

/** Returns the list of the sessions that were found. The entries are sorted by start. */
export function entryList({ worked, indexes }: FoundSessions): EntryList {
  const { entries: all, startDays, durations } = worked
  const entries: TimeEntry[] = []
  // At once, as growing it takes longer than filling it.
  entries.length = indexes.length
  const days: ListedDay[] = []
  let total = 0
  let place = 0
  while (place < entries.length) {
    const first = place
    const day = startDays[indexAt(place)] ?? 0
    let seconds = 0
    while (place < entries.length && startDays[indexAt(place)] === day) {
      const index = indexAt(place)
      const entry = all[index]
      if (entry) entries[place] = entry
      seconds += durations[index] ?? 0
      place++
    }
    days.push({ day, first, count: place - first, seconds })
    total += seconds
  }
  return { entries, days, seconds: total }

  /** Returns the index of the entry at a place of the list. */
  function indexAt(place: number): number {
    return indexes[indexes.length - 1 - place] ?? 0
  }
}
