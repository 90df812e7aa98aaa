/** Sends tasks that were created or changed. */
import { taskFromDocument } from '@stint/core/task.ts'
import type { Task, TaskChanges } from '@stint/core/task.ts'

import type { Backend } from '#backend/backend.ts'
import { isNotFound } from '#backend/errors.ts'

import { existing } from './find-document.ts'
import type { LocalDb } from './local-db.ts'
import { unsavedTaskChanges } from './local-records.ts'

interface SendContext {
  readonly db: LocalDb
  readonly backend: Backend
}

export async function sendTask(
  { db, backend }: SendContext,
  sequence: number,
  taskId: string,
  name: string,
): Promise<void> {
  const document = await backend
    .create('tasks', taskId, { name, userId: db.userId })
    .catch((error: unknown) => existing(backend, 'tasks', taskId, error))
  await putTask(db, taskFromDocument(document), sequence)
}

export async function sendTaskChanges(
  { db, backend }: SendContext,
  sequence: number,
  taskId: string,
  changes: TaskChanges,
): Promise<void> {
  try {
    await putTask(db, taskFromDocument(await backend.update('tasks', taskId, changes)), sequence)
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
