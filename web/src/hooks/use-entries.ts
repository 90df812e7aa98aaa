/** The user's time entries. */
import { entryFromTimer } from '@stint/core/record/time-entry.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { useLocalEntries, useSyncStatus, useValue } from '#session/signed-in.ts'

export interface EntriesView {
  readonly status: 'loading' | 'ready'
  /** The entries that are not deleted, ordered by start. */
  readonly entries: readonly TimeEntry[]
  /** False while the history is loading. No total may be shown as final until then. */
  readonly complete: boolean
  /** Why the last refresh failed; shown above the figures. */
  readonly error: string | null
  /** Whether timers on two devices overlapped and the user has not resolved it. */
  readonly hasOverlaps: boolean
}

/** Returns the user's entries and re-renders when they change. */
export function useEntries(): EntriesView {
  const entries = useLocalEntries()
  const complete = useValue('pull:time_entries')?.complete === true
  const { entriesError } = useSyncStatus()
  const overlaps = useValue('overlaps')
  return {
    status: complete || entries.length > 0 ? 'ready' : 'loading',
    entries,
    complete,
    error: entriesError,
    hasOverlaps: overlaps !== undefined && overlaps.pairs.length > 0,
  }
}

/** Returns the running timer as the entry it would be if it stopped now; null when idle. */
export function useLiveEntry(now: number): TimeEntry | null {
  const active = useValue('timer')
  return active ? entryFromTimer(active.timer, now) : null
}
