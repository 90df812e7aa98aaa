/**
 * Overlaps: time that two timers on different devices counted at once. The pairs are recorded for
 * their owner to decide about.
 */
import type { TimeEntry } from '#record/time-entry.ts'

import type { Draft } from './draft.ts'

/**
 * Overlaps up to this length, in milliseconds, are ignored. Two devices learn of each other's
 * presses within this time.
 */
export const MAX_IGNORED_MILLISECONDS = 5000

/**
 * Records which of the added entries share time with others. Only timed entries are checked,
 * because the editor checks typed entries and an import shows its overlaps.
 */
export function noteOverlaps(
  draft: Draft,
  added: readonly TimeEntry[],
  others: readonly TimeEntry[],
): void {
  const known = draft.value('overlaps')?.pairs ?? []
  const pairs = new Map(known.map((pair) => [pair.join(' '), pair]))
  for (const entry of added.filter(isTimed)) {
    for (const other of others) {
      const shared =
        Math.min(entry.endedAt, other.endedAt) - Math.max(entry.startedAt, other.startedAt)
      if (shared <= MAX_IGNORED_MILLISECONDS || other.id === entry.id || !isTimed(other)) continue
      const pair = [entry.id, other.id].toSorted()
      pairs.set(pair.join(' '), pair)
    }
  }
  if (pairs.size > known.length) draft.putValue({ key: 'overlaps', pairs: [...pairs.values()] })
}

/**
 * Returns whether the backend reports an entry for the first time. That is so when the entry is not
 * here, or when it was stopped here and its creation time still equals its end. The backend's
 * creation time replaces that value later. Returns false until the whole history is here.
 */
export function isNews(draft: Draft, id: string): boolean {
  const known = draft.entries.get(id)
  const isComplete = draft.value('pull:time_entries')?.complete === true
  return isComplete && (!known || known.createdAt === known.endedAt)
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
