/** Overlaps: time that two timers on different devices counted at once. Their owner decides about each pair. */
import { ENTRY, isUnconfirmed } from '#record/time-entry.ts'
import type { TimeEntry } from '#record/time-entry.ts'

import type { Draft } from './draft.ts'

/** Within this time two devices learn of each other's presses. Shorter overlaps with a new session are ignored. */
const MAX_IGNORED_MILLISECONDS = 5000
/** Shorter overlaps are never asked about. */
export const MIN_MILLISECONDS = 1000

/** Entries as they were before others changed them, by id. */
type EntriesBefore = ReadonlyMap<string, TimeEntry>

/** Returns the entries that are new since `before`, or whose times have changed since. */
export function changedTimes(
  before: EntriesBefore,
  entries: readonly TimeEntry[],
): readonly TimeEntry[] {
  return entries.filter((entry) => {
    const known = before.get(entry.id)
    const parts = known ? ENTRY.differing(known, entry) : []
    return !known || parts.includes('times') || parts.includes('deletion')
  })
}

/**
 * Records which of the entries share time with others since another device added or changed them. Only timed
 * entries are checked: the editor and the import show other overlaps. A changed entry is compared with those of its
 * task, because other overlaps may be meant.
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

/** Returns the entry as it was before, if any: a session whose stop was undone had none. */
function earlierOf({ id, endedAt }: TimeEntry, before: EntriesBefore): TimeEntry | undefined {
  const earlier = before.get(id)
  const hasGoneOn = earlier && earlier.deletedAt !== null && earlier.endedAt !== endedAt
  return hasGoneOn ? undefined : earlier
}

/** Returns how many milliseconds two entries overlap. Deleted and typed ones overlap with none. */
function sharedBy(one: TimeEntry, other: TimeEntry): number {
  if (!isTimed(one) || !isTimed(other)) return 0
  return Math.min(one.endedAt, other.endedAt) - Math.max(one.startedAt, other.startedAt)
}

/**
 * Returns whether the backend reports an entry for the first time: it is not here, or was stopped here and is not
 * confirmed, also after its stop was undone. Returns false until the whole history is here.
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
