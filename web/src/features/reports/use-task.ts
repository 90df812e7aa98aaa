/** Looks up one of the user's tasks by id, deleted ones included. */
import type { Task } from '@stint/core/record/task.ts'

import { useTasks } from '#hooks/use-tasks.ts'
import { useValue } from '#session/signed-in.ts'

export type FoundTask =
  | { readonly status: 'loading' }
  | { readonly status: 'error'; readonly error: string; readonly retry: () => void }
  /** The task does not exist or belongs to another user; the app does not reveal which. */
  | { readonly status: 'missing' }
  | { readonly status: 'found'; readonly task: Task }

/** Returns the task and re-renders when it changes. A task that is not loaded yet is not missing. */
export function useTask(taskId: string): FoundTask {
  const { allTasks, error, reload } = useTasks()
  const isComplete = useValue('pull:tasks')?.complete === true
  const task = allTasks.find((candidate) => candidate.id === taskId)
  if (task) return { status: 'found', task }
  if (isComplete) return { status: 'missing' }
  return error === null ? { status: 'loading' } : { status: 'error', error, retry: reload }
}
