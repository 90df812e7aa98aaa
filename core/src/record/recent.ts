/** Which tasks were worked on last: the task to continue, and the tasks to offer first. */
import type { TimeEntry } from './time-entry.ts'

/** How many tasks Quick Start shows beside the pinned ones. */
const MAX_RECENT = 8

/**
 * Returns all tasks in the order of Quick Start, and the first of them, which it shows at once. Pinned
 * tasks come first, in their own order, then the others, those worked on last first. The first are the
 * pinned ones, eight others, and the task with the id `activeId`. `entries` are sorted by start.
 */
export function quickStart<T extends { readonly id: string }>(
  tasks: readonly T[],
  pinnedIds: readonly string[],
  entries: readonly TimeEntry[],
  activeId: string | null,
): { readonly all: readonly T[]; readonly first: readonly T[] } {
  const ids = new Set(pinnedIds)
  const pinned = tasks.filter(({ id }) => ids.has(id))
  const all = [
    ...pinned,
    ...byLastWorked(
      tasks.filter(({ id }) => !ids.has(id)),
      entries,
    ),
  ]
  const count = pinned.length + MAX_RECENT
  return { all, first: all.filter(({ id }, index) => index < count || id === activeId) }
}

/**
 * Returns the tasks, those worked on last first. Tasks without work follow in their own order.
 * `entries` are sorted by start.
 */
export function byLastWorked<T extends { readonly id: string }>(
  tasks: readonly T[],
  entries: readonly TimeEntry[],
): T[] {
  const waiting = new Map(tasks.map((task) => [task.id, task] as const))
  const worked: T[] = []
  for (let index = entries.length - 1; index >= 0 && waiting.size > 0; index--) {
    const task = waiting.get(entries[index]?.taskId ?? '')
    if (!task) continue
    waiting.delete(task.id)
    worked.push(task)
  }
  return [...worked, ...waiting.values()]
}

/** Returns the one of the tasks that was worked on last, or null when none ever was. */
export function lastWorked<T extends { readonly id: string }>(
  tasks: readonly T[],
  entries: readonly TimeEntry[],
): T | null {
  const byId = new Map(tasks.map((task) => [task.id, task] as const))
  const entry = entries.findLast(({ taskId }) => byId.has(taskId))
  return byId.get(entry?.taskId ?? '') ?? null
}
