/** A change of the record as a value: shown before it is made, saved, and taken back. */
import type { TimeEntry } from './time-entry.ts'

/**
 * One entry before and after. `before` is null when the entry is new; `after.deletedAt` is set
 * when it is deleted. An edit is a list of these, to be saved together.
 */
export interface EntryChange {
  readonly before: TimeEntry | null
  readonly after: TimeEntry
}

/** Marks the entry as deleted: it counts nowhere and can be brought back. */
export function deleteEntry(entry: TimeEntry, now: number): EntryChange {
  return { before: entry, after: { ...entry, deletedAt: now, updatedAt: now } }
}

/**
 * The changes that take these back, in the order to make them: what was created is deleted, all
 * else is again as it was before. Taking back what was taken back does it again.
 */
export function invertChanges(
  changes: readonly EntryChange[],
  now: number,
): readonly EntryChange[] {
  return changes.toReversed().map(({ before, after }) => {
    if (before === null) return deleteEntry(after, now)
    return { before: after, after: { ...before, updatedAt: now } }
  })
}
