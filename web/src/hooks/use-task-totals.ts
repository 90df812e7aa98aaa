import { dashboard } from '@stint/core/reports/dashboard.ts'
import type { Dashboard, TaskRow } from '@stint/core/reports/dashboard.ts'
import { useLocalTasks } from '#session/signed-in.ts'

import { useEntries, useLiveEntry } from './use-entries.ts'
import { useNow } from './use-now.ts'
import { useDayRule } from './use-settings.ts'

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
