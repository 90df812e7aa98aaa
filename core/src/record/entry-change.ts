/** A change of the record as a value: shown before it is made, saved, and undone. */
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
 * The changes that undo these, in the order to make them: a created entry is deleted, any other is
 * restored to its state before. Undoing an undo does the change again.
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
