/**
 * Changes that people make to their record: entries added, edited, split, merged, deleted, imported,
 * and tasks renamed, recoloured, merged. Each is one transaction: durable before the screen changes,
 * and what the backend must hear is written down in the same step.
 */
import type { EntryChange } from '@stint/core/entry-edit.ts'
import { changedParts, withParts } from '@stint/core/entry-parts.ts'
import type { Task, TaskChanges } from '@stint/core/task.ts'
import type { TimeEntry } from '@stint/core/time-entry.ts'

import type { LocalDb, UnsavedEntry } from './local-db.ts'
import { addToOutbox, putEntries } from './local-records.ts'

/** So many entries are sent in one call: a moment's work for a server. */
const ENTRIES_PER_ITEM = 200

export interface TaskChange {
  readonly taskId: string
  readonly changes: TaskChanges
}

/** What is done in one step. */
export interface RecordChanges {
  readonly newTasks?: readonly Task[]
  readonly tasks?: readonly TaskChange[]
  readonly entries?: readonly EntryChange[]
}

/**
 * Does all of it, or nothing. An entry keeps what another device changed of it meanwhile: only the
 * parts that differ between `before` and `after` are touched.
 */
export async function applyChanges(
  db: LocalDb,
  { newTasks = [], tasks = [], entries = [] }: RecordChanges,
  now: number,
): Promise<void> {
  await db.transaction('rw', db.tasks, db.entries, db.state, db.outbox, async () => {
    await db.tasks.bulkPut([...newTasks])
    for (const { id, name, category, goalHours, color } of newTasks) {
      await addToOutbox(db, { kind: 'create-task', taskId: id, name }, now)
      const changes = { category, goalHours, color }
      await addToOutbox(db, { kind: 'update-task', taskId: id, changes }, now)
    }
    for (const { taskId, changes } of tasks) {
      await db.tasks.update(taskId, changes)
      await addToOutbox(db, { kind: 'update-task', taskId, changes }, now)
    }
    await changeEntries(db, entries, now)
  })
}

async function changeEntries(
  db: LocalDb,
  changes: readonly EntryChange[],
  now: number,
): Promise<void> {
  const known = await db.entries.bulkGet(changes.map(({ after }) => after.id))
  const written: TimeEntry[] = []
  const unsaved: UnsavedEntry[] = []
  for (const [index, { before, after }] of changes.entries()) {
    const here = known[index]
    const parts = here ? changedParts(before ?? here, after) : 'new'
    if (parts.length === 0) continue
    written.push(here && parts !== 'new' ? withParts(here, after, parts) : after)
    unsaved.push({ id: after.id, parts })
  }
  await putEntries(db, written)
  for (let start = 0; start < unsaved.length; start += ENTRIES_PER_ITEM) {
    const entries = unsaved.slice(start, start + ENTRIES_PER_ITEM)
    await addToOutbox(db, { kind: 'save-entries', entries }, now)
  }
}
