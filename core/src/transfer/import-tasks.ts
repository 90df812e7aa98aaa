/** Finds or makes the tasks of an import. */
import { t } from '#text.ts'
import { COLLECTIONS } from '#collections.ts'
import { storedTask, TASK_NAME_MAX_LENGTH } from '#record/task.ts'
import type { Task } from '#record/task.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import { storedText } from '#stored-text.ts'
import { nameKey } from './import-history.ts'
import type { StintTask } from './import-stint.ts'
import { UNNAMED_TASK } from './import-table.ts'

export interface ImportTasks {
  /** Tasks to create, in this order. */
  readonly made: readonly Task[]
  /** The ids of deleted tasks to restore. */
  readonly restored: ReadonlySet<string>
  /** Returns the name by which the record knows the task. */
  readonly nameOf: (task: StintTask) => string
  /** Returns the id of the task, which is made if there is none. */
  readonly idOf: (task: StintTask) => string
  readonly nameOfId: (id: string) => string | undefined
  /** Returns sentences on deleted tasks. */
  readonly notices: () => string[]
}

export function startTasks(
  existing: { readonly tasks: readonly Task[]; readonly entries: readonly TimeEntry[] },
  newId: () => string,
  now: number,
): ImportTasks {
  const names = new Map(existing.tasks.map((task) => [task.id, task.name]))
  const byName = tasksByName(existing.tasks)
  const byId = new Map(existing.tasks.map((task) => [task.id, task]))
  const made: Task[] = []
  const ids = new Map<string, string>()
  const deleted = new Set<string>()
  const restored = new Set<string>()
  const workedOn = new Set(
    existing.entries.flatMap((entry) => (entry.deletedAt === null ? entry.taskId : [])),
  )
  const named = (task: StintTask) => {
    const name = storedText(task.name.trim(), TASK_NAME_MAX_LENGTH).trim() || UNNAMED_TASK
    const own = task.id === null ? undefined : byId.get(task.id)
    return { name, own, found: own ?? byName.get(nameKey(name)) }
  }
  const make = (task: StintTask, name: string, id: string) => {
    const stored = storedTask({ ...task, name, category: task.category.trim() })
    names.set(id, name)
    made.push({
      ...stored,
      id,
      category: stored.category || COLLECTIONS.tasks.category.default,
      // Tasks are created in the order of the file, which determines their colours.
      createdAt: now + made.length,
      updatedAt: now,
    })
  }
  return {
    made,
    restored,
    nameOf: (task) => {
      const { name, found } = named(task)
      return found?.name ?? name
    },
    idOf: (task) => {
      const { name, own, found } = named(task)
      const key = task.id === null ? `name ${nameKey(name)}` : `id ${task.id}`
      const known = ids.get(key)
      if (known !== undefined) return known
      const id = found?.id ?? newId()
      ids.set(key, id)
      if (found === undefined) make(task, name, id)
      if (found && !found.isActive && task.isActive) {
        if (!workedOn.has(id)) restored.add(id)
        else if (own === undefined) deleted.add(found.name)
      }
      return id
    },
    nameOfId: (id) => names.get(id),
    notices: () => [
      ...[...deleted].map((name) =>
        t('The task “{name}” is deleted. Its sessions are added to it.', { name }),
      ),
      ...(restored.size === 0
        ? []
        : [
            t(
              '{count, plural, one {{count} deleted task without sessions is restored.} other {{count} deleted tasks without sessions are restored.}}',
              { count: restored.size },
            ),
          ]),
    ],
  }
}

/**
 * Returns the tasks by name. Of several tasks with one name, the newest that is not deleted counts.
 */
export function tasksByName(tasks: readonly Task[]): Map<string, Task> {
  const byName = new Map<string, Task>()
  for (const task of tasks) {
    const other = byName.get(nameKey(task.name))
    const isBetter =
      !other ||
      (task.isActive && !other.isActive) ||
      (task.isActive === other.isActive && task.createdAt > other.createdAt)
    if (isBetter) byName.set(nameKey(task.name), task)
  }
  return byName
}
