/** Adds, changes and deletes tasks. */
import { newTask } from '#record/task.ts'
import type { TaskChanges } from '#record/task.ts'
import type { StoppedTimer } from '#timer/timer.ts'

import type { Draft } from './draft.ts'
import { change } from './edits.ts'
import type { Edit } from './stored.ts'
import { stopActive } from './timer.ts'

/**
 * Adds a task with the given fields and returns its id. A hidden one is listed when the backend has it. If one of that name still waits
 * for that, it is retried instead.
 */
export function addTask(
  draft: Draft,
  {
    id,
    name,
    isHidden,
    fields,
  }: { id: string; name: string; isHidden: boolean; fields?: TaskChanges },
): string {
  const nameOf = (edit: Edit) => draft.tasks.get(edit.id)?.name
  const hidden = draft.edits.all().filter((edit) => edit.isHidden && edit.base === null)
  const waiting = hidden.find((edit) => nameOf(edit) === name)
  if (waiting) draft.edits.put({ ...waiting, refused: null, isHidden })
  else change(draft, 'task', id, newTask(id, name, draft.now, fields), isHidden)
  return waiting?.id ?? id
}

/** Changes a task, if it exists. */
export function changeTask(draft: Draft, id: string, changes: TaskChanges): void {
  const task = draft.tasks.get(id)
  if (task) change(draft, 'task', id, { ...task, ...changes })
}

/** Deletes a task: it is deactivated, never removed. If it is being timed, the timer is stopped and returned. */
export function deleteTask(draft: Draft, id: string): StoppedTimer | null {
  const isTimed = draft.value('timer')?.timer.taskId === id
  const stopped = isTimed ? stopActive(draft) : null
  changeTask(draft, id, { isActive: false })
  return stopped
}
