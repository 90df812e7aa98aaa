/** The user's time entries and their totals. */
import { dashboard } from '@stint/core/reports/dashboard.ts'
import type { Dashboard, TaskRow } from '@stint/core/reports/dashboard.ts'
import { entryFromTimer } from '@stint/core/record/time-entry.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { useMemo } from 'react'

import { useDayRule } from '#features/settings/api.ts'
import { useNow } from '#features/timer/api/use-now.ts'
import { useLocalEntries, useLocalTasks, useSyncStatus, useValue } from '#session/signed-in.ts'

export { useDayRule } from '#features/settings/api.ts'

export { openEditor } from './editor-request.ts'

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

export interface TotalsView extends Dashboard {
  /** The times of each active task, by its id. */
  readonly totals: ReadonlyMap<string, TaskRow>
  /** False while the history is loading. No total may be shown until then. */
  readonly complete: boolean
}

/** Returns the totals of today and of all time, per task and together, including the running timer. */
export function useTaskTotals(): TotalsView {
  const { entries, complete } = useEntries()
  const tasks = useLocalTasks()
  const now = useNow()
  const figures = dashboard({ entries, live: useLiveEntry(now), tasks, dayRule: useDayRule(), now })
  const totals = new Map(figures.rows.map((row) => [row.task.id, row] as const))
  return { ...figures, totals, complete }
}

/** Returns the total seconds of each task by its id, deleted tasks included. */
export function useTaskTimes(): ReadonlyMap<string, number> {
  const { entries } = useEntries()
  return useMemo(() => {
    const seconds = new Map<string, number>()
    for (const { taskId, durationSeconds } of entries) {
      seconds.set(taskId, (seconds.get(taskId) ?? 0) + durationSeconds)
    }
    return seconds
  }, [entries])
}
