/** Which tasks were worked on last: the task to continue, and the tasks to offer first. */
import type { TimeEntry } from './time-entry.ts'

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
