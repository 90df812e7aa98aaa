/** A change of the record as a value, which can be shown before it is made, saved, and undone. */
import type { TimeEntry } from './time-entry.ts'

/**
 * One entry before and after. `before` is null when the entry is new. `after.deletedAt` is set when
 * the entry is deleted. An edit is a list of changes that are saved together.
 */
export interface EntryChange {
  readonly before: TimeEntry | null
  readonly after: TimeEntry
  /** The id of the entry that a new one is cut off, whose session it stays a part of. */
  readonly cutFrom?: string
}

/** Marks the entry as deleted. A deleted entry counts nowhere and can be restored. */
export function deleteEntry(entry: TimeEntry, now: number): EntryChange {
  return { before: entry, after: { ...entry, deletedAt: now, updatedAt: now } }
}

/**
 * Returns the changes that undo these, in the order in which to make them. A created entry is
 * deleted. Any other entry is restored to its state before. An undo of an undo makes the change
 * again.
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
