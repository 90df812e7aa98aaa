/**
 * Changes that people make to their record: entries added, edited, split, merged, deleted, imported,
 * tasks renamed, recoloured, merged, and the running timer with them, all in one step.
 */
import { invertChanges } from '@stint/core/record/entry-change.ts'
import type { EntryChange } from '@stint/core/record/entry-change.ts'
import { ENTRY } from '@stint/core/record/time-entry.ts'
import { fieldsOf, TASK } from '@stint/core/record/task.ts'
import type { Task, TaskChanges } from '@stint/core/record/task.ts'

import type { Draft } from './draft.ts'
import { change, changeEntry } from './edits.ts'
import { changeTask } from './tasks.ts'
import { changeTimer } from './change-timer.ts'
import type { TimerChange } from './change-timer.ts'

export interface TaskChange {
  readonly taskId: string
  readonly changes: TaskChanges
  /** What the task says of them before, where that is known. */
  readonly before?: TaskChanges
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
    const before = fieldsOf(here, Object.keys(changes))
    tasksBefore.unshift({ taskId, changes: before, before: changes })
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

/**
 * Whether what a change takes back was changed again since, here or on another device: taken back, that
 * would be lost unseen.
 */
export function isChangedSince(
  draft: Pick<Draft, 'tasks' | 'entries'>,
  { tasks = [], entries = [] }: RecordChanges,
): boolean {
  return (
    tasks.some(({ taskId, before = {} }) => {
      const here = draft.tasks.get(taskId)
      return here && TASK.differing(here, { ...here, ...before }).length > 0
    }) || entries.some((entry) => isEntryChangedSince(draft, entry))
  )
}

/** The same for one entry. What is deleted goes with all that it says. */
export function isEntryChangedSince(
  draft: Pick<Draft, 'entries'>,
  { before, after }: EntryChange,
): boolean {
  const here = draft.entries.get(after.id)
  if (!here || !before) return false
  const since = ENTRY.differing(before, here)
  const touched = new Set(ENTRY.differing(before, after))
  return since.some((part) => part === 'deletion' || touched.has('deletion') || touched.has(part))
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
