/**
 * The parts of an entry that change on their own: two devices may each change another part of one
 * entry, and both changes are kept. Start, end, pauses and seconds are one part, as they must agree.
 */
import type { NewAttributes } from '#collections.ts'
import type { Parts } from './rebase.ts'
import { entryAttributes } from './time-entry.ts'
import type { TimeEntry } from './time-entry.ts'

export const ENTRY_PARTS = ['times', 'task', 'note', 'type', 'deletion'] as const
export type EntryPart = (typeof ENTRY_PARTS)[number]

const FIELDS = {
  times: ['startedAt', 'endedAt', 'durationSeconds', 'pauses'],
  task: ['taskId'],
  note: ['note'],
  type: ['entryType'],
  deletion: ['deletedAt'],
} as const satisfies Record<EntryPart, readonly (keyof TimeEntry)[]>

const ATTRIBUTES = {
  times: ['startTime', 'endTime', 'durationSeconds', 'date', 'pauses'],
  task: ['taskId'],
  note: ['note'],
  type: ['entryType'],
  deletion: ['deletedAt'],
} as const satisfies Record<EntryPart, readonly (keyof NewAttributes<'time_entries'>)[]>

/** The parts in which `after` differs from `before`. */
export function changedParts(before: TimeEntry, after: TimeEntry): EntryPart[] {
  return ENTRY_PARTS.filter((part) =>
    FIELDS[part].some((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field])),
  )
}

/** `entry` with these parts of `changed`. */
export function withParts(
  entry: TimeEntry,
  changed: TimeEntry,
  parts: readonly EntryPart[],
): TimeEntry {
  const fields = parts.flatMap((part) => FIELDS[part].map((field) => [field, changed[field]]))
  return { ...entry, ...Object.fromEntries(fields), updatedAt: changed.updatedAt }
}

/** The attributes to send when only these parts changed. */
export function partAttributes(
  entry: TimeEntry,
  parts: readonly EntryPart[],
): Partial<NewAttributes<'time_entries'>> {
  const names = new Set<string>(parts.flatMap((part) => ATTRIBUTES[part]))
  const all = Object.entries(entryAttributes(entry, ''))
  return Object.fromEntries(all.filter(([name]) => names.has(name)))
}

/** For `rebase`. */
export const ENTRY: Parts<TimeEntry, EntryPart> = {
  differing: changedParts,
  take: withParts,
  stamps: (entry) => entry,
  mayBeMissing: ({ deletedAt }) => deletedAt !== null,
}
