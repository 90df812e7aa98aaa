/** The commands that change tasks. */
import { addTask, changeTask, deleteTask } from '@stint/core/device/tasks.ts'
import { validTaskName } from '@stint/core/record/task.ts'
import type { TaskChanges } from '@stint/core/record/task.ts'

import { resumeJustStopped } from '#hooks/use-timer-commands.ts'
import { newDocumentId } from '#record/document-id.ts'
import { useRecord, useSync } from '#session/signed-in.ts'

export interface TaskCommands {
  /**
   * Adds a task with the given fields and resolves with its id. Resolves with null when the backend has not saved it yet, and
   * the change is retried; the form then stays open. Also null for a blank or over-long name.
   */
  readonly add: (name: string, fields?: TaskChanges) => Promise<string | null>
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
    async add(text, fields = {}) {
      const name = validTaskName(text)
      if (name === null) return null
      // Offline, the task is listed at once. Online, it is listed when the backend has saved it.
      const isHidden = navigator.onLine
      const task = { id: newDocumentId(), name, isHidden, fields }
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
