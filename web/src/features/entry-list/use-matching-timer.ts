import type { SessionFilter } from '@stint/core/record/session-filter.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { findSessions } from '@stint/core/reports/found-sessions.ts'
import { useLiveEntry } from '#hooks/use-entries.ts'
import { useNow } from '#hooks/use-now.ts'
import { useTasks } from '#hooks/use-tasks.ts'

/**
 * Returns the running or paused timer as the session it would be now, if it matches the filter. Re-renders
 * every second while it runs.
 */
export function useMatchingTimer(filter: SessionFilter): TimeEntry | null {
  const live = useLiveEntry(useNow())
  const { allTasks } = useTasks()
  return live && findSessions(filter, [live], allTasks).indexes.length > 0 ? live : null
}
