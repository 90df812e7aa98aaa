/** Adds, changes and deletes tasks. */
import { newTask } from '#record/task.ts'
import type { TaskChanges } from '#record/task.ts'
import type { StoppedTimer } from '#timer/timer.ts'

import type { Draft } from './draft.ts'
import { change } from './edits.ts'
import { stopActive } from './timer.ts'

/**
 * Adds a task and returns its id. If a hidden task of that name still waits to be saved, it is retried
 * and not added twice. A hidden task is listed when the backend has it.
 */
export function addTask(
  draft: Draft,
  { id, name, isHidden }: { id: string; name: string; isHidden: boolean },
  now: number,
): string {
  const waiting = draft.edits
    .all()
    .find(
      (edit) =>
        edit.kind === 'task' &&
        edit.base === null &&
        edit.isHidden &&
        draft.tasks.get(edit.id)?.name === name,
    )
  if (waiting) draft.edits.put({ ...waiting, refused: null, isHidden })
  else change(draft, 'task', id, newTask(id, name, now), now, { isHidden })
  return waiting?.id ?? id
}

/** Changes a task, if it exists. */
export function changeTask(draft: Draft, id: string, changes: TaskChanges, now: number): void {
  const task = draft.tasks.get(id)
  if (task) change(draft, 'task', id, { ...task, ...changes }, now)
}

/**
 * Deletes a task. The task is deactivated, never removed. If the task is being timed, the timer is
 * stopped and saved first, and the stopped timer is returned.
 */
export function deleteTask(draft: Draft, id: string, now: number): StoppedTimer | null {
  const isTimed = draft.value('timer')?.timer.taskId === id
  const stopped = isTimed ? stopActive(draft, now, now) : null
  changeTask(draft, id, { isActive: false }, now)
  return stopped
}
