/** The parts of an entry, by their older names; new code uses `ENTRY`. */
import { ENTRY } from './time-entry.ts'
import type { EntryPart, TimeEntry } from './time-entry.ts'

export { partAttributes } from './time-entry.ts'
export type { EntryPart } from './time-entry.ts'

export const ENTRY_PARTS: readonly EntryPart[] = ['times', 'task', 'note', 'type', 'deletion']
export function changedParts(before: TimeEntry, after: TimeEntry): readonly EntryPart[] {
  return ENTRY.differing(before, after)
}

export function withParts(
  into: TimeEntry,
  from: TimeEntry,
  parts: readonly EntryPart[],
): TimeEntry {
  return ENTRY.take(into, from, parts)
}
