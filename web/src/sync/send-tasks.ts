/** Sends tasks that were created or changed. */
import { sameFields, taskFromDocument } from '@stint/core/record/task.ts'
import type { Task, TaskChanges } from '@stint/core/record/task.ts'

import { isNotFound } from '#backend/errors.ts'

import { existing } from './find-document.ts'
import type { LocalDb, OutboxItem } from './local-db.ts'
import { unsavedTaskChanges } from './local-records.ts'
import type { OutboxContext, Round } from './outbox-context.ts'
import { changedMeanwhile, standingChanges } from './outdated.ts'

interface TaskEdit {
  readonly taskId: string
  readonly changes: TaskChanges
  /** The same as it was before, where that is known. */
  readonly before?: TaskChanges
}

export async function sendTask(
  { db, backend }: Pick<OutboxContext, 'db' | 'backend'>,
  sequence: number,
  taskId: string,
  name: string,
): Promise<void> {
  const document = await backend
    .create('tasks', taskId, { name, userId: db.userId })
    .catch((error: unknown) => existing(backend, 'tasks', taskId, error))
  await putTask(db, taskFromDocument(document), sequence)
}

/** Sends what was changed of a task, as it now is here, less what another device changed later. */
export async function sendTaskChanges(
  round: Round,
  item: OutboxItem,
  { taskId, changes, before }: TaskEdit,
): Promise<void> {
  const { db, backend } = round
  const meanwhile = before ? await changedMeanwhile(round, item) : null
  const theirs = meanwhile?.tasks.get(taskId)
  const here = await db.tasks.get(taskId)
  const left =
    theirs && before && here
      ? standingChanges(changes, { addedAt: item.addedAt, before, here, theirs })
      : changes
  try {
    const document =
      Object.keys(left).length === 0
        ? await backend.get('tasks', taskId)
        : await backend.update('tasks', taskId, here ? sameFields(here, left) : left)
    await putTask(db, taskFromDocument(document), item.sequence)
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}

/** The task as the backend has it, and what changed here since, which follows in the outbox. */
async function putTask(db: LocalDb, task: Task, sequence: number): Promise<void> {
  await db.transaction('rw', db.tasks, db.outbox, async () => {
    const unsaved = await unsavedTaskChanges(db, sequence)
    await db.tasks.put({ ...task, ...unsaved.get(task.id) })
  })
}
