/** The user's tasks and the commands that change them. */
import { activeTasks, archivedTasks, taskColors, validTaskName } from '@stint/core/record/task.ts'
import type { Task, TaskColor } from '@stint/core/record/task.ts'
import { useMemo } from 'react'

import { resumeJustStopped } from '#features/timer/api/commands.ts'
import { createRequest } from '#ui/request.ts'
import { newDocumentId } from '#record/document-id.ts'
import { addTask, changeTask, deleteTask } from '@stint/core/device/tasks.ts'
import { useLocalTasks, useRecord, useSync, useSyncStatus, useValue } from '#session/signed-in.ts'

export { GoalLine } from './goal-meter.tsx'
export { openTaskEditor } from './editor-request.ts'

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

export interface TaskCommands {
  /**
   * Adds a task and resolves with its id. Resolves with null when the backend has not saved it yet, and
   * the change is retried; the form then stays open. Also null for a blank or over-long name.
   */
  readonly add: (name: string) => Promise<string | null>
  /**
   * Deletes a task. A timer on it is stopped and saved first. Returns a function that restores the
   * task, and its timer if no other has started since.
   */
  readonly remove: (taskId: string) => Promise<() => Promise<void>>
  /** Restores a deleted task. */
  readonly restore: (taskId: string) => Promise<void>
}

/** Returns the commands that change tasks. */
export function useTaskCommands(): TaskCommands {
  const record = useRecord()
  const sync = useSync()
  const restore = (taskId: string) =>
    record.write((draft) => changeTask(draft, taskId, { isActive: true }))
  return {
    async add(text) {
      const name = validTaskName(text)
      if (name === null) return null
      // Offline, the task is listed at once. Online, it is listed when the backend has saved it.
      const isHidden = navigator.onLine
      const task = { id: newDocumentId(), name, isHidden }
      const id = await record.write((draft) => addTask(draft, task))
      if (!isHidden) return id
      await sync.flush()
      return record.tasks().some((each) => each.id === id) ? id : null
    },
    async remove(taskId) {
      const stopped = await record.write((draft) => deleteTask(draft, taskId))
      return async () => {
        await restore(taskId)
        if (stopped) await resumeJustStopped(record, stopped)
      }
    },
    restore,
  }
}

/** Requests the add form or the search box of the tasks page. */
export const tasksPageRequest = createRequest<'add' | 'search'>()
