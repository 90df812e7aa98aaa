/** The user's tasks. */
import { activeTasks, archivedTasks, taskColors } from '@stint/core/record/task.ts'
import type { Task, TaskColor } from '@stint/core/record/task.ts'
import { useMemo } from 'react'

import { useLocalTasks, useSync, useSyncStatus, useValue } from '#session/signed-in.ts'

export type TasksView = TasksState & TasksFields

type TasksState =
  | { readonly status: 'loading'; readonly error: null }
  /** The error of the last load, shown beside the tasks. */
  | { readonly status: 'ready'; readonly error: string | null }
  /** No tasks could be loaded. */
  | { readonly status: 'error'; readonly error: string }

interface TasksFields {
  /** Active tasks, newest first. */
  readonly tasks: readonly Task[]
  /** Deleted tasks, newest first. They can be restored. */
  readonly archived: readonly Task[]
  /** Active and deleted tasks. Deleted ones still name their sessions. */
  readonly allTasks: readonly Task[]
  /** A stable colour for each task, by its id. */
  readonly colors: ReadonlyMap<string, TaskColor>
  readonly reload: () => void
}

/** Returns the user's tasks and re-renders when they change. */
export function useTasks(): TasksView {
  const sync = useSync()
  const allTasks = useLocalTasks()
  const pulled = useValue('pull:tasks')
  const { tasksError } = useSyncStatus()
  return useMemo(() => {
    const isLoaded = pulled?.complete === true || allTasks.length > 0
    return {
      ...stateOf(isLoaded, tasksError),
      tasks: activeTasks(allTasks),
      archived: archivedTasks(allTasks),
      allTasks,
      colors: taskColors(allTasks),
      reload: () => void sync.retry(),
    }
  }, [allTasks, pulled, tasksError, sync])
}

function stateOf(isLoaded: boolean, error: string | null): TasksState {
  if (isLoaded) return { status: 'ready', error }
  return error === null ? { status: 'loading', error } : { status: 'error', error }
}
