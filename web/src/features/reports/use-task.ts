/** One of the user's tasks by its id, deleted ones too. */
import type { Task } from '@stint/core/record/task.ts'

import { useTasks } from '#features/tasks/api.ts'
import { useValue } from '#session/signed-in.ts'

export type FoundTask =
  | { readonly status: 'loading' }
  | { readonly status: 'error'; readonly error: string; readonly retry: () => void }
  /** It does not exist or is somebody else's: which of the two stays secret. */
  | { readonly status: 'missing' }
  | { readonly status: 'found'; readonly task: Task }

/** Looks the task up, live: one that is still on its way is not missing. */
export function useTask(taskId: string): FoundTask {
  const { allTasks, error, reload } = useTasks()
  const isComplete = useValue('pull:tasks')?.complete === true
  const task = allTasks.find((candidate) => candidate.id === taskId)
  if (task) return { status: 'found', task }
  if (isComplete) return { status: 'missing' }
  return error === null ? { status: 'loading' } : { status: 'error', error, retry: reload }
}
