/** Finds which rows of a file are in the record already. */
import { storedText } from '#stored-text.ts'
import { TASK_NAME_MAX_LENGTH, UNKNOWN_TASK_NAME } from '#record/task.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import type { Interval } from '#time/instant.ts'

/**
 * Returns the entry that a row is, and takes it away: each entry is one row. Null if there is none.
 */
export interface History {
  readonly take: (key: string) => TimeEntry | null
}

/** Returns the entries by the keys that a row may have for them. Deleted entries are none. */
export function historyOf(
  entries: readonly TimeEntry[],
  keysOf: (entry: TimeEntry) => readonly string[],
): History {
  const byKey = new Map<string, TimeEntry[]>()
  for (const entry of entries) {
    if (entry.deletedAt !== null) continue
    for (const key of keysOf(entry)) {
      const list = byKey.get(key)
      if (list) list.push(entry)
      else byKey.set(key, [entry])
    }
  }
  const taken = new Set<TimeEntry>()
  return {
    take: (key) => {
      const list = byKey.get(key)
      if (!list) return null
      for (;;) {
        const entry = list.pop()
        if (!entry) return null
        if (taken.has(entry)) continue
        taken.add(entry)
        return entry
      }
    },
  }
}

/** Returns the same text for entries that an import takes for one: by task name, start and end. */
export function entryKey(name: string = UNKNOWN_TASK_NAME, { start, end }: Interval): string {
  return `${Math.floor(start / 1000)} ${Math.floor(end / 1000)} ${nameKey(name)}`
}

/** Returns the same text for entries with these times and this length, whatever their task. */
export function timesKey({ start, end }: Interval, seconds: number): string {
  return `at ${Math.floor(start / 1000)} ${Math.floor(end / 1000)} ${seconds}`
}

/** Returns the same text for imported entries of a day and a length; '' is any task. */
export function dayKey(date: string, seconds: number, name: string): string {
  return `on ${date} ${seconds} ${nameKey(name)}`
}

/** Returns the same text for entries with that key and that note. */
export function noted(key: string, note: string | null): string {
  return `${key}\n${note ?? ''}`
}

/** Returns the same text for names that an import takes for one. */
export function nameKey(name: string): string {
  return storedText(name.trim(), TASK_NAME_MAX_LENGTH).trim().normalize('NFC').toLowerCase()
}
