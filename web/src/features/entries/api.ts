/** The user's time entries and the totals that follow from them. */
import { dashboard } from '@stint/core/reports/report.ts'
import type { Dashboard, TaskRow } from '@stint/core/reports/report.ts'
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
  /** Entries that are not deleted, by start. */
  readonly entries: readonly TimeEntry[]
  /** False while history is still on its way: no total of it may be shown as final. */
  readonly complete: boolean
  /** Why the last refresh failed: a notice over the figures that are there. */
  readonly error: string | null
  /** Whether some share time that two timers counted at once, and nobody has decided about it. */
  readonly hasOverlaps: boolean
}

/** The user's entries, live. */
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

/** The running timer as the entry it would be if it stopped now; null when idle. */
export function useLiveEntry(now: number): TimeEntry | null {
  const active = useValue('timer')
  return active ? entryFromTimer(active.timer, now) : null
}

export interface TotalsView extends Dashboard {
  readonly status: 'loading' | 'ready'
  /** Each active task's times, by its id. */
  readonly totals: ReadonlyMap<string, TaskRow>
  /** False while history is still on its way. */
  readonly complete: boolean
}

/** Today's and all time, of each task and together, live, the running timer included. */
export function useTaskTotals(): TotalsView {
  const { status, entries, complete } = useEntries()
  const tasks = useLocalTasks()
  const now = useNow()
  const figures = dashboard({ entries, live: useLiveEntry(now), tasks, dayRule: useDayRule(), now })
  const totals = new Map(figures.rows.map((row) => [row.task.id, row] as const))
  return { ...figures, status, totals, complete }
}

/** Seconds of each task in all of the history, by its id; of deleted tasks as well. */
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
