/** Finds or makes the tasks of an import. */
import { t } from '#text.ts'
import { COLLECTIONS } from '#collections.ts'
import { categoryKey, fieldsInCategory, NO_CATEGORY_COLORS } from '#record/category.ts'
import { storedTask, TASK_NAME_MAX_LENGTH } from '#record/task.ts'
import type { Task } from '#record/task.ts'
import { storedText } from '#stored-text.ts'
import { nameKey } from './import-history.ts'
import type { PlanContext } from './import-plan.ts'
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
  readonly categoryOfId: (id: string) => string | undefined
  /** Returns sentences on deleted tasks. */
  readonly notices: () => string[]
}

export function startTasks({
  existing,
  newId,
  now,
  categoryColors = NO_CATEGORY_COLORS,
}: Pick<PlanContext, 'existing' | 'newId' | 'now' | 'categoryColors'>): ImportTasks {
  const names = new Map(existing.tasks.map((task) => [task.id, task.name]))
  const categories = new Map(existing.tasks.map((task) => [task.id, task.category]))
  const byName = tasksByName(existing.tasks)
  const byBoth = new Map(
    [...Map.groupBy(existing.tasks, bothKey)].flatMap(([key, tasks]) =>
      [...tasksByName(tasks).values()].map((task) => [key, task] as const),
    ),
  )
  /** The ids of the tasks that were made first of each name. */
  const firstMade = new Map<string, string>()
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
    const same = byBoth.get(bothKey({ ...task, name }))
    const other = task.isInCategory === true ? undefined : byName.get(nameKey(name))
    return { name, own, found: own ?? same ?? other }
  }
  const make = ({ isInCategory, ...task }: StintTask, name: string, id: string) => {
    const stored = storedTask({ ...task, name, category: task.category.trim() })
    const category = stored.category || COLLECTIONS.tasks.category.default
    const color =
      isInCategory === true ? fieldsInCategory(category, categoryColors).color : stored.color
    names.set(id, name)
    categories.set(id, category)
    if (!firstMade.has(nameKey(name))) firstMade.set(nameKey(name), id)
    made.push({
      ...stored,
      id,
      category,
      color,
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
      const key = task.id === null ? `name ${bothKey({ ...task, name })}` : `id ${task.id}`
      const known = ids.get(key)
      if (known !== undefined) return known
      // A row that says no category is of the task of its name.
      const first =
        task.id === null && task.category.trim() === '' ? firstMade.get(nameKey(name)) : undefined
      if (found === undefined && first !== undefined) return first
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
    categoryOfId: (id) => categories.get(id),
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

/** Returns the same text for tasks of one name and one category. */
function bothKey({ name, category }: Pick<Task, 'name' | 'category'>): string {
  return `${nameKey(name)}\n${categoryKey(category)}`
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
