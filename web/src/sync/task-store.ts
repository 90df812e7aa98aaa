/** Adding and deleting tasks (spec 4, 8; S15, S38). */
import type { Task } from '@stint/core/record/task.ts'
import type { StoppedTimer } from '@stint/core/timer/timer.ts'
import { COLLECTIONS } from '@stint/core/collections.ts'

import { newDocumentId } from './document-id.ts'

import { applyChanges } from './change-store.ts'
import { addToOutbox } from './local-records.ts'
import type { LocalDb } from './local-db.ts'
import type { Sync } from './sync.ts'
import { stopTask } from './timer-store.ts'

/**
 * Adds a task and answers whether it is safe: saved by the backend, or kept here while there is no
 * network. After a failure it waits in the outbox, and adding the same name again means to retry
 * it, not to have it twice.
 */
export async function addTask(sync: Sync, name: string): Promise<boolean> {
  const db = await sync.database()
  const waiting = await waitingTask(db, name)
  const taskId = waiting ?? newDocumentId()
  if (waiting === null) {
    await addToOutbox(db, { kind: 'create-task', taskId, name }, sync.clock.now())
  }
  if (!navigator.onLine) {
    await db.tasks.put(newTask(taskId, name, sync.clock.now()))
    return true
  }
  await sync.flush()
  return (await waitingTask(db, name)) === null
}

/**
 * Deletes a task: it is deactivated, never removed (spec 4). If it is being timed, the timer is
 * stopped and saved first, and answered. Resolves once it is durable here.
 */
export async function deleteTask(sync: Sync, taskId: string): Promise<StoppedTimer | null> {
  const now = sync.clock.now()
  const stopped = await stopTask(await sync.database(), taskId, now)
  await setTaskActive(sync, taskId, false)
  return stopped
}

/** Has a deleted task back. Resolves once it is durable here. */
export async function restoreTask(sync: Sync, taskId: string): Promise<void> {
  await setTaskActive(sync, taskId, true)
}

async function setTaskActive(sync: Sync, taskId: string, isActive: boolean): Promise<void> {
  const now = sync.clock.now()
  const db = await sync.database()
  await applyChanges(db, { tasks: [{ taskId, changes: { isActive } }] }, now)
  void sync.flush()
}

async function waitingTask(db: LocalDb, name: string): Promise<string | null> {
  const items = await db.outbox.toArray()
  const item = items.find(({ work }) => work.kind === 'create-task' && work.name === name)
  return item?.work.kind === 'create-task' ? item.work.taskId : null
}

function newTask(id: string, name: string, now: number): Task {
  const { category, goalHours, color } = COLLECTIONS.tasks
  return {
    id,
    name,
    isActive: true,
    category: category.default,
    goalHours: goalHours.default,
    color: color.default,
    createdAt: now,
    updatedAt: now,
  }
}
