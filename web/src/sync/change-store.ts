/**
 * Changes that people make to their record: entries added, edited, split, merged, deleted, imported,
 * tasks renamed, recoloured, merged, and the running timer with them. Each is one transaction:
 * durable before the screen changes, and what the backend must hear is written down in the same step.
 */
import { invertChanges } from '@stint/core/record/entry-change.ts'
import type { EntryChange } from '@stint/core/record/entry-change.ts'
import { changedParts, withParts } from '@stint/core/record/entry-parts.ts'
import { sameFields } from '@stint/core/record/task.ts'
import type { Task, TaskChanges } from '@stint/core/record/task.ts'

import type { LocalDb, UnsavedEntry } from './local-db.ts'
import { addToOutbox, putEntries } from './local-records.ts'
import { changeTimer } from './timer-store.ts'
import type { TimerChange } from './timer-store.ts'

/** So many entries are sent in one call: with the longest notes still under the megabyte it may have. */
const ENTRIES_PER_ITEM = 400

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
 * Does all of it, or nothing, and answers what takes it back. An entry keeps what another device
 * changed of it meanwhile: only the parts that differ between `before` and `after` are touched.
 */
export async function applyChanges(
  db: LocalDb,
  { newTasks = [], tasks = [], entries = [], timer }: RecordChanges,
  now: number,
): Promise<RecordChanges> {
  return db.transaction('rw', db.tasks, db.entries, db.state, db.outbox, async () => {
    await db.tasks.bulkPut([...newTasks])
    for (const { id, name, isActive, category, goalHours, color } of newTasks) {
      await addToOutbox(db, { kind: 'create-task', taskId: id, name }, now)
      // One that was deleted elsewhere comes along for its hours.
      const changes = { category, goalHours, color, ...(isActive ? {} : { isActive }) }
      await addToOutbox(db, { kind: 'update-task', taskId: id, changes }, now)
    }
    const tasksBefore: TaskChange[] = []
    for (const { taskId, changes } of tasks) {
      const here = await db.tasks.get(taskId)
      if (!here) continue
      const before = sameFields(here, changes)
      tasksBefore.unshift({ taskId, changes: before })
      await db.tasks.update(taskId, changes)
      await addToOutbox(db, { kind: 'update-task', taskId, changes, before }, now)
    }
    const added = newTasks.map(({ id }) => ({ taskId: id, changes: { isActive: false } }))
    const timerBack = timer && (await changeTimer(db, timer.sessionId, timer.change, now))
    return {
      ...(timerBack ? { timer: { ...timer, change: timerBack } } : {}),
      tasks: [...tasksBefore, ...added],
      entries: invertChanges(await changeEntries(db, entries, now), now),
    }
  })
}

/** Answers what was really changed. */
async function changeEntries(
  db: LocalDb,
  changes: readonly EntryChange[],
  now: number,
): Promise<EntryChange[]> {
  const known = await db.entries.bulkGet(changes.map(({ after }) => after.id))
  const done: EntryChange[] = []
  const unsaved: UnsavedEntry[] = []
  for (const [index, { before, after }] of changes.entries()) {
    const here = known[index]
    const parts = here ? changedParts(before ?? here, after) : 'new'
    if (parts.length === 0) continue
    const written = here && parts !== 'new' ? withParts(here, after, parts) : after
    done.push({ before: here ?? null, after: written })
    unsaved.push({ id: after.id, parts, ...(here && parts !== 'new' ? { before: here } : {}) })
  }
  await putEntries(
    db,
    done.map(({ after }) => after),
  )
  for (let start = 0; start < unsaved.length; start += ENTRIES_PER_ITEM) {
    const entries = unsaved.slice(start, start + ENTRIES_PER_ITEM)
    await addToOutbox(db, { kind: 'save-entries', entries }, now)
  }
  return done
}
