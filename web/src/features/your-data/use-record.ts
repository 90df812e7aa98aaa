/** The whole record of the user, and whether it is complete: a partial record must not be exported. */
import type { Task } from '@stint/core/record/task.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'

import { useEntries } from '#hooks/use-entries.ts'
import { useTasks } from '#hooks/use-tasks.ts'

export interface WholeRecord {
  /** 'arriving': the history is loading. 'failed': it could not be loaded. */
  readonly status: 'arriving' | 'failed' | 'ready'
  /** The entries that are not deleted, ordered by start. */
  readonly entries: readonly TimeEntry[]
  /** All tasks, deleted ones included, as they name sessions. */
  readonly tasks: readonly Task[]
  readonly retry: () => void
}

/** Returns the record and re-renders when it changes. */
export function useRecord(): WholeRecord {
  const { status, entries, complete, error } = useEntries()
  const { status: tasksStatus, allTasks, error: tasksError, reload } = useTasks()
  const isHere = status === 'ready' && complete && tasksStatus === 'ready'
  const hasFailed = !isHere && (error ?? tasksError) !== null
  return {
    status: isHere ? 'ready' : hasFailed ? 'failed' : 'arriving',
    entries,
    tasks: allTasks,
    retry: reload,
  }
}
