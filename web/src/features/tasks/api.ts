/** The user's tasks: what there is, and adding and deleting them. */
import { activeTasks, archivedTasks, taskColors, validTaskName } from '@stint/core/record/task.ts'
import type { Task, TaskColor } from '@stint/core/record/task.ts'
import { useMemo } from 'react'

import { takeUpStopped } from '#features/timer/api/commands.ts'
import { createRequest } from '#ui/request.ts'
import { newDocumentId } from '#record/document-id.ts'
import { addTask, changeTask, deleteTask } from '#record/tasks.ts'
import { useLocalTasks, useRecord, useSync, useSyncStatus, useValue } from '#session/signed-in.ts'

export { GoalLine } from './goal-meter.tsx'
export { openTaskEditor } from './editor-request.ts'

export type TasksView = TasksState & TasksFields

type TasksState =
  | { readonly status: 'loading'; readonly error: null }
  /** The error is that of the last load: a notice beside the tasks, which are there. */
  | { readonly status: 'ready'; readonly error: string | null }
  /** There are no tasks, because they could not be loaded. */
  | { readonly status: 'error'; readonly error: string }

interface TasksFields {
  /** Active tasks, newest first. */
  readonly tasks: readonly Task[]
  /** Deleted ones, newest first: they can be had back. */
  readonly archived: readonly Task[]
  /** Deleted ones too: their hours keep their name. */
  readonly allTasks: readonly Task[]
  /** A colour for each task that stays with it. */
  readonly colors: ReadonlyMap<string, TaskColor>
  readonly reload: () => void
}

/** The user's tasks, live. */
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

export interface TaskCommands {
  /**
   * Adds a task. False when it could not be saved: the form stays as it is and the
   * change waits to be retried. A blank or over-long name is false as well.
   */
  readonly add: (name: string) => Promise<boolean>
  /**
   * Deletes a task; if it is being timed, the timer is stopped and saved first. Returns what takes it
   * back, with its timer while that is what the time since was spent on.
   */
  readonly remove: (taskId: string) => Promise<() => Promise<void>>
  /** Has a deleted task back. */
  readonly restore: (taskId: string) => Promise<void>
}

/** What can be done to tasks. */
export function useTaskCommands(): TaskCommands {
  const record = useRecord()
  const sync = useSync()
  const restore = (taskId: string) =>
    record.write((draft, now) => changeTask(draft, taskId, { isActive: true }, now))
  return {
    async add(text) {
      const name = validTaskName(text)
      if (name === null) return false
      // Known to be offline, it is listed at once; else when the backend has it.
      const isHidden = navigator.onLine
      const task = { id: newDocumentId(), name, isHidden }
      const id = await record.write((draft, now) => addTask(draft, task, now))
      if (!isHidden) return true
      await sync.flush()
      return record.tasks().some((each) => each.id === id)
    },
    async remove(taskId) {
      const stopped = await record.write((draft, now) => deleteTask(draft, taskId, now))
      return async () => {
        await restore(taskId)
        if (stopped) await takeUpStopped(record, stopped)
      }
    },
    restore,
  }
}

/** What the page of tasks is opened for: its form, or its search box. */
export const tasksPageRequest = createRequest<'add' | 'search'>()
