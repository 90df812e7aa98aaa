/** The user's tasks: what there is, and adding and deleting them (spec 2, 4, 7). */
import { activeTasks, archivedTasks, taskColors, validTaskName } from '@stint/core/record/task.ts'
import type { Task, TaskColor } from '@stint/core/record/task.ts'
import { useMemo } from 'react'

import { takeUpStopped } from '#features/timer/api.ts'
import { createRequest } from '#ui/request.ts'
import { addTask, deleteTask, restoreTask } from '#sync/task-store.ts'
import { useLocalTasks, usePullRecords, useSync, useSyncStatusOf } from '#sync/session-context.ts'

export { GoalLine } from './goal-meter.tsx'
export { openTaskEditor } from './editor-request.ts'

export interface TasksView {
  readonly status: 'loading' | 'ready' | 'error'
  /** Active tasks, newest first. */
  readonly tasks: readonly Task[]
  /** Deleted ones, newest first: they can be had back. */
  readonly archived: readonly Task[]
  /** Deleted ones too: their hours keep their name. */
  readonly allTasks: readonly Task[]
  /** A colour for each task that stays with it. */
  readonly colors: ReadonlyMap<string, TaskColor>
  /** The text of a failed load (spec 8). With tasks on screen it is a notice, not a state. */
  readonly error: string | null
  readonly reload: () => void
}

/** The user's tasks, live. */
export function useTasks(): TasksView {
  const sync = useSync()
  const stored = useLocalTasks()
  const pulled = usePullRecords().tasks
  const { tasksError } = useSyncStatusOf(sync)
  return useMemo(() => {
    const allTasks = stored ?? []
    const isLoaded = stored !== undefined && (pulled?.complete === true || stored.length > 0)
    return {
      status: isLoaded ? 'ready' : tasksError !== null ? 'error' : 'loading',
      tasks: activeTasks(allTasks),
      archived: archivedTasks(allTasks),
      allTasks,
      colors: taskColors(allTasks),
      error: tasksError,
      reload: () => void sync.retry(),
    }
  }, [stored, pulled, tasksError, sync])
}

export interface TaskCommands {
  /**
   * Adds a task. False when it could not be saved: the form stays as it is (spec 8), and the
   * change waits to be retried. A blank or over-long name is false as well.
   */
  readonly add: (name: string) => Promise<boolean>
  /**
   * Deletes a task; if it is being timed, the timer is stopped and saved first. Answers what takes it
   * back, with its timer while that is what the time since was spent on.
   */
  readonly remove: (taskId: string) => Promise<() => Promise<void>>
  /** Has a deleted task back. */
  readonly restore: (taskId: string) => Promise<void>
}

/** What can be done to tasks. */
export function useTaskCommands(): TaskCommands {
  const sync = useSync()
  return {
    async add(text) {
      const name = validTaskName(text)
      return name !== null && addTask(sync, name)
    },
    async remove(taskId) {
      const stopped = await deleteTask(sync, taskId)
      return async () => {
        await restoreTask(sync, taskId)
        if (stopped) await takeUpStopped(sync, stopped)
      }
    },
    restore: (taskId) => restoreTask(sync, taskId),
  }
}

/** What the page of tasks is opened for: its form, or its search box. */
export const tasksPageRequest = createRequest<'add' | 'search'>()
