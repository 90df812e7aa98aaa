/** Starts a task that does not exist yet, and undoes it. */
import type { Task } from '#record/task.ts'
import type { StoppedTimer } from '#timer/timer.ts'

import type { Draft } from './draft.ts'
import { change } from './edits.ts'
import { logOf } from './session-log.ts'
import { changeTask } from './tasks.ts'
import { pressOn, start } from './timer.ts'

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
  const action = draft.value('banner')?.action
  if (action?.kind === 'track-offline' && action.sessionId === sessionId)
    draft.values.remove('banner')
  // A start that failed is asked about, unless it is discarded as well.
  const isKnown = logOf(draft, sessionId).length > 0
  if (isKnown) pressOn(draft, sessionId, [{ action: { kind: 'discard' } }], now)
  changeTask(draft, task.id, { isActive: false }, now)
  return true
}
