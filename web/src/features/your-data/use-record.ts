/** The whole record of the signed-in person, and whether it is all here: half of it is no export. */
import type { Task } from '@stint/core/record/task.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'

import { useEntries } from '#features/entries/api.ts'
import { useTasks } from '#features/tasks/api.ts'

export interface WholeRecord {
  /** 'arriving': part of the history is still on its way. 'failed': it could not be fetched. */
  readonly status: 'arriving' | 'failed' | 'ready'
  /** Entries that are not deleted, by start. */
  readonly entries: readonly TimeEntry[]
  /** Deleted ones too: they name what was worked on. */
  readonly tasks: readonly Task[]
  readonly retry: () => void
}

/** The record, live. */
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
