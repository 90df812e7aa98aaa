/** Starts a task that does not exist yet, and undoes it. */
import type { Task } from '#record/task.ts'
import { stopTimer } from '#timer/timer.ts'
import type { StoppedTimer } from '#timer/timer.ts'

import type { Draft } from './draft.ts'
import { change } from './edits.ts'
import { changeTask } from './tasks.ts'
import { save, start } from './timer.ts'

/** Adds a task and starts timing it. Returns the timer that was stopped. */
export function startNewTask(
  draft: Draft,
  task: Task,
  input: Omit<Parameters<typeof start>[1], 'taskId'>,
): StoppedTimer | null {
  change(draft, 'task', task.id, task, input.now)
  return start(draft, { ...input, taskId: task.id })
}

/**
 * Undoes `startNewTask`: discards the timer and deletes the task. Returns false and does nothing
 * when the task has another name or other work since.
 */
export function undoStartNewTask(
  draft: Draft,
  task: Task,
  sessionId: string,
  now: number,
): boolean {
  const timer = draft.value('timer')?.timer
  const isTimed = timer?.taskId === task.id
  const isSame = isTimed === (timer?.sessionId === sessionId)
  const isRenamed = draft.tasks.get(task.id)?.name !== task.name
  const isWorkedOn = draft.entries
    .all()
    .some(({ taskId, deletedAt }) => taskId === task.id && deletedAt === null)
  if (!isSame || isRenamed || isWorkedOn) return false
  discardTimer(draft, sessionId, now)
  changeTask(draft, task.id, { isActive: false }, now)
  return true
}

/**
 * Discards the timer. Its entry is kept as deleted, so that another device that shows the timer
 * learns of it. A failed start that the banner offers to continue is discarded as well. Does nothing
 * when the timer of that session is neither active nor offered.
 */
function discardTimer(draft: Draft, sessionId: string, now: number): void {
  const action = draft.value('banner')?.action
  if (action?.kind === 'track-offline' && action.timer.sessionId === sessionId)
    draft.values.remove('banner')
  const record = draft.value('timer')
  if (record?.timer.sessionId !== sessionId) return
  draft.values.remove('timer')
  save(draft, stopTimer(record.timer, now), record.base, true)
  const entry = draft.entries.get(sessionId)
  // The stop is sent as a deleted entry, so this deletion needs no edit.
  if (entry) draft.entries.put({ ...entry, deletedAt: now, updatedAt: now })
}
