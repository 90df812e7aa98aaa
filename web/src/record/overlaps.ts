/** Time that two timers counted at once, each on a device of its own: noted, for its owner to decide. */
import type { TimeEntry } from '@stint/core/record/time-entry.ts'

import type { Draft } from './draft.ts'

/** Two devices hear of each other's presses within so much: no longer is worth a question. */
export const MAX_IGNORED_MILLISECONDS = 5000

/**
 * Notes which of the entries that this device has just heard of share time with others. Only timers are
 * asked about: the editor asks about what is typed, and an import shows it.
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
 * Whether the backend tells of an entry for the first time: it is not here, or was stopped here, where it
 * was made when it ended until the backend says its own time. Before all history is here, nothing is news.
 */
export function isNews(draft: Draft, id: string): boolean {
  const known = draft.entries.get(id)
  const isComplete = draft.value('pull:time_entries')?.complete === true
  return isComplete && (!known || known.createdAt === known.endedAt)
}

/** Forgets pairs that are decided, or share no time any more. */
export function forgetOverlaps(draft: Draft, decided: readonly (readonly string[])[]): void {
  const known = draft.value('overlaps')?.pairs ?? []
  const gone = new Set(decided.map((pair) => pair.join(' ')))
  const pairs = known.filter((pair) => !gone.has(pair.join(' ')))
  if (pairs.length < known.length) draft.putValue({ key: 'overlaps', pairs })
}

function isTimed({ entryType, deletedAt }: TimeEntry): boolean {
  return entryType === 'timer' && deletedAt === null
}
