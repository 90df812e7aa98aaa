/**
 * Overlaps: time that two timers on different devices counted at once. The pairs are recorded for
 * their owner to decide about.
 */
import { ENTRY, isUnconfirmed } from '#record/time-entry.ts'
import type { TimeEntry } from '#record/time-entry.ts'

import type { Draft } from './draft.ts'

/**
 * Overlaps with a new session up to this length, in milliseconds, are ignored. Two devices learn of each
 * other's presses within this time.
 */
const MAX_IGNORED_MILLISECONDS = 5000
/** Shorter overlaps are never asked about, because seconds are whole. */
export const MIN_MILLISECONDS = 1000

/** Entries as they were before others changed them, by id. */
export type EntriesBefore = ReadonlyMap<string, TimeEntry>

/** Returns the entries that are new since `before`, or whose times have changed since. */
export function changedTimes(
  before: EntriesBefore,
  entries: readonly TimeEntry[],
): readonly TimeEntry[] {
  return entries.filter((entry) => {
    const known = before.get(entry.id)
    return !known || ENTRY.differing(known, entry).some((part) => DECIDING.has(part))
  })
}

const DECIDING: ReadonlySet<string> = new Set(['times', 'deletion'])

/**
 * Records which of the entries share time with others since others added or changed them. Only timed
 * entries are checked, because the editor checks typed entries and an import shows its overlaps. A
 * changed entry is compared with those of its task, because other overlaps may be meant.
 */
export function noteOverlaps(
  draft: Draft,
  entries: readonly TimeEntry[],
  others: readonly TimeEntry[],
  before: EntriesBefore = new Map(),
): void {
  const known = draft.value('overlaps')?.pairs ?? []
  const pairs = new Map(known.map((pair) => [pair.join(' '), pair]))
  for (const entry of entries.filter(isTimed)) {
    const earlier = earlierOf(entry, before)
    for (const other of others) {
      const isOtherTask = other.taskId !== entry.taskId
      if (other.id === entry.id || (earlier && isOtherTask)) continue
      const shared = sharedBy(entry, other)
      // The owner has kept an overlap from before, or is asked about it already.
      const wasShared = earlier ? sharedBy(earlier, before.get(other.id) ?? other) : 0
      if (shared < MIN_MILLISECONDS || wasShared >= MIN_MILLISECONDS) continue
      if (!earlier && shared <= MAX_IGNORED_MILLISECONDS) continue
      const pair = [entry.id, other.id].toSorted()
      pairs.set(pair.join(' '), pair)
    }
  }
  if (pairs.size > known.length) draft.putValue({ key: 'overlaps', pairs: [...pairs.values()] })
}

/**
 * Returns the entry as it was before, or nothing where it is new: a session whose stop was undone has
 * no entry until it is stopped again.
 */
function earlierOf({ id, endedAt }: TimeEntry, before: EntriesBefore): TimeEntry | undefined {
  const earlier = before.get(id)
  const hasGoneOn = earlier && earlier.deletedAt !== null && earlier.endedAt !== endedAt
  return hasGoneOn ? undefined : earlier
}

/** Returns how long two entries overlap, in milliseconds. Deleted and typed entries overlap with none. */
function sharedBy(one: TimeEntry, other: TimeEntry): number {
  if (!isTimed(one) || !isTimed(other)) return 0
  return Math.min(one.endedAt, other.endedAt) - Math.max(one.startedAt, other.startedAt)
}

/**
 * Returns whether the backend reports an entry for the first time. That is so when the entry is not
 * here, or when it was stopped here and is not confirmed, also after the stop of it was undone. Returns
 * false until the whole history is here.
 */
export function isNews(draft: Draft, id: string): boolean {
  const known = draft.entries.get(id)
  const isComplete = draft.value('pull:time_entries')?.complete === true
  const base = draft.edit('entry', id)?.base
  const goesOn = known && base && !earlierOf(known, new Map([[id, base]]))
  return isComplete && (!known || isUnconfirmed(known) || goesOn === true)
}

/** Removes pairs that are decided or share no time any more. */
export function forgetOverlaps(draft: Draft, decided: readonly (readonly string[])[]): void {
  const known = draft.value('overlaps')?.pairs ?? []
  const gone = new Set(decided.map((pair) => pair.join(' ')))
  const pairs = known.filter((pair) => !gone.has(pair.join(' ')))
  if (pairs.length < known.length) draft.putValue({ key: 'overlaps', pairs })
}

function isTimed({ entryType, deletedAt }: TimeEntry): boolean {
  return entryType === 'timer' && deletedAt === null
}
