/** Changes that an assistant proposes: what they would change in the record as it is now. */
import type { EntryChange } from './entry-change.ts'
import { deleteEntry } from './entry-change.ts'
import { editEntry, entryProblem, newEntry } from './entry-edit.ts'
import { overlapping } from './overlaps.ts'
import { taskNamed } from './task-name.ts'
import { activeTasks, newTask } from './task.ts'
import type { Task } from './task.ts'
import type { TimeEntry } from './time-entry.ts'

/** One proposed change. Null: not named; of an edit, that part stays. Instants are epoch milliseconds. */
export interface ProposedChange {
  readonly kind: 'add' | 'edit' | 'delete'
  /** The session to edit or to delete. */
  readonly id: string | null
  /** When that session was last changed as the assistant saw it. */
  readonly seenAt: number | null
  readonly taskId: string | null
  /** The name of a task that is created unless there is one. */
  readonly newTask: string | null
  readonly startedAt: number | null
  readonly endedAt: number | null
  /** '' removes the note. */
  readonly note: string | null
}

export interface PlannedChange {
  readonly kind: ProposedChange['kind']
  /**
   * 'changed': the session was changed since the proposal. 'impossible': it is gone, or its times would not fit any more;
   * then there is no change.
   */
  readonly status: 'fits' | 'changed' | 'impossible'
  readonly change: EntryChange | null
  /** A task that is created with the change; several changes may share it. */
  readonly newTask: Task | null
  /** How many sessions it would overlap if all changes were made. */
  readonly overlaps: number
}

/**
 * Returns what each change would do.
 * @param entries those that are not deleted.
 * @param tasks all tasks, deleted ones too.
 */
export function planProposal(
  proposed: readonly ProposedChange[],
  entries: readonly TimeEntry[],
  tasks: readonly Task[],
  newId: () => string,
  now: number,
): readonly PlannedChange[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  const active = activeTasks(tasks)
  const created = new Map<string, Task>()
  const planned = proposed.map((each) => ({ ...each, ...plan(each) }))
  const after = new Map(byId)
  for (const { change } of planned) {
    if (change?.after.deletedAt === null) after.set(change.after.id, change.after)
    else if (change) after.delete(change.after.id)
  }
  const all = [...after.values()]
  return planned.map(({ kind, status, change, newTask: task }) => {
    const stays = change?.after.deletedAt === null
    const overlaps = stays ? overlapping(change.after, all).length : 0
    return { kind, status, change, newTask: task, overlaps }
  })

  function plan(wanted: ProposedChange): Pick<PlannedChange, 'status' | 'change' | 'newTask'> {
    const { kind, id, seenAt, startedAt, endedAt, note } = wanted
    const task = wanted.newTask === null ? null : taskToCreate(wanted.newTask)
    const taskId = task?.id ?? wanted.taskId
    const isNew = task !== null && created.get(task.name) === task
    const makes = { newTask: isNew ? task : null }
    if (kind === 'add') {
      if (taskId === null || startedAt === null || endedAt === null) return IMPOSSIBLE
      const change = newEntry({ id: newId(), taskId, startedAt, endedAt, note: note || null }, now)
      return entryProblem(change.after, now) ? IMPOSSIBLE : { status: 'fits', change, ...makes }
    }
    const entry = byId.get(id ?? '')
    if (!entry) return IMPOSSIBLE
    const status = entry.updatedAt === seenAt ? 'fits' : 'changed'
    if (kind === 'delete') return { status, change: deleteEntry(entry, now), newTask: null }
    const edit = {
      ...(taskId === null ? {} : { taskId }),
      ...(startedAt === null ? {} : { startedAt }),
      ...(endedAt === null ? {} : { endedAt }),
      ...(note === null ? {} : { note: note || null }),
    }
    const change = editEntry(entry, edit, now)
    return entryProblem(change.after, now) ? IMPOSSIBLE : { status, change, ...makes }
  }

  function taskToCreate(name: string): Task {
    const known = taskNamed(active, name) ?? created.get(name)
    if (known) return known
    const task = newTask(newId(), name, now)
    created.set(task.name, task)
    return task
  }
}

const IMPOSSIBLE = { status: 'impossible', change: null, newTask: null } as const
