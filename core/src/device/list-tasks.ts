import type { Task } from '#record/task.ts'

import type { Draft } from './draft.ts'

const shown = new WeakMap<Task, Task>()

/**
 * Returns the tasks that screens list. One that the backend does not have yet counts as created last, as the
 * backend will have it. So its place in lists and its colour stay.
 */
export function listTasks(view: Draft): readonly Task[] {
  const listed = view.tasks.all().filter(({ id }) => !view.edit('task', id)?.isHidden)
  const isNew = ({ id }: Task) => view.edit('task', id)?.base === null
  const unsent = listed.filter(isNew).toSorted((a, b) => a.createdAt - b.createdAt)
  if (unsent.length === 0) return listed
  const sent = listed.filter((task) => !isNew(task))
  let latest = sent.reduce((time, task) => Math.max(time, task.createdAt), 0)
  const after = unsent.map((task) => {
    latest = Math.max(task.createdAt, latest + 1)
    return createdAt(task, latest)
  })
  return [...sent, ...after]
}

/** Returns the task with this time of creation, the same object for the same task and time. */
function createdAt(task: Task, time: number): Task {
  if (task.createdAt === time) return task
  const known = shown.get(task)
  if (known?.createdAt === time) return known
  const moved = { ...task, createdAt: time }
  shown.set(task, moved)
  return moved
}
