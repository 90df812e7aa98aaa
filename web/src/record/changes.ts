/**
 * Changes that people make to their record: entries added, edited, split, merged, deleted, imported,
 * tasks renamed, recoloured, merged, and the running timer with them, all in one step.
 */
import { invertChanges } from '@stint/core/record/entry-change.ts'
import type { EntryChange } from '@stint/core/record/entry-change.ts'
import { ENTRY } from '@stint/core/record/time-entry.ts'
import { fieldsOf } from '@stint/core/record/task.ts'
import type { Task, TaskChanges } from '@stint/core/record/task.ts'

import type { Draft } from './draft.ts'
import { change, changeEntry } from './edits.ts'
import { changeTask } from './tasks.ts'
import { changeTimer } from './timer.ts'
import type { TimerChange } from './timer.ts'

export interface TaskChange {
  readonly taskId: string
  readonly changes: TaskChanges
}

/** What is done in one step. */
export interface RecordChanges {
  readonly newTasks?: readonly Task[]
  readonly tasks?: readonly TaskChange[]
  readonly entries?: readonly EntryChange[]
  /** What changes of the running timer, if it is still this one. */
  readonly timer?: { readonly sessionId: string; readonly change: TimerChange }
}

/**
 * Does all of it and returns what takes it back. An entry keeps what another device changed of it
 * meanwhile: only the parts that differ between `before` and `after` are touched.
 */
export function applyChanges(
  draft: Draft,
  { newTasks = [], tasks = [], entries = [], timer }: RecordChanges,
  now: number,
): RecordChanges {
  for (const task of newTasks) change(draft, 'task', task.id, task, now)
  const tasksBefore: TaskChange[] = []
  for (const { taskId, changes } of tasks) {
    const here = draft.tasks.get(taskId)
    if (!here) continue
    tasksBefore.unshift({ taskId, changes: fieldsOf(here, Object.keys(changes)) })
    changeTask(draft, taskId, changes, now)
  }
  const added = newTasks.map(({ id }) => ({ taskId: id, changes: { isActive: false } }))
  const timerBack = timer && changeTimer(draft, timer.sessionId, timer.change, now)
  const done = entries.flatMap((each) => applyEntry(draft, each, now) ?? [])
  return {
    ...(timerBack ? { timer: { ...timer, change: timerBack } } : {}),
    tasks: [...tasksBefore, ...added],
    entries: invertChanges(done, now),
  }
}

/** Returns what was really changed, null for nothing. */
function applyEntry(draft: Draft, wanted: EntryChange, now: number): EntryChange | null {
  const { before, after } = wanted
  const here = draft.entries.get(after.id)
  if (!here) {
    // Gone for good: there is nothing to delete.
    if (after.deletedAt !== null) return null
    changeEntry(draft, after, now)
    return { before: null, after }
  }
  const parts = ENTRY.differing(before ?? here, after)
  if (parts.length === 0) return null
  const next = ENTRY.take(here, after, parts)
  changeEntry(draft, next, now)
  return { before: here, after: next }
}
