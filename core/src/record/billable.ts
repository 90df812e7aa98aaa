/** Which sessions are billed. A session says so itself; otherwise its category does. */
import type { Prefs } from '#settings.ts'
import { categoryKey } from './category.ts'
import type { Task } from './task.ts'
import type { TimeEntry } from './time-entry.ts'

/** Categories whose sessions are not billable unless they say so; each is a preference. */
const NOT_BILLABLE = 'notBillable:'

/**
 * Returns the keys of the categories whose sessions are not billable by default. The same preferences return the
 * same set.
 */
export function unbilledCategories(prefs: Prefs): ReadonlySet<string> {
  const known = sets.get(prefs)
  if (known) return known
  const set = new Set(unbilledNames(prefs).map(categoryKey))
  sets.set(prefs, set)
  return set
}

const sets = new WeakMap<Prefs, ReadonlySet<string>>()

/** Returns the categories whose sessions are not billable by default, as they are written. */
export function unbilledNames(prefs: Prefs): string[] {
  return Object.entries(prefs).flatMap(([key, value]) =>
    key.startsWith(NOT_BILLABLE) && value === true ? [key.slice(NOT_BILLABLE.length)] : [],
  )
}

/** Returns the preferences that make sessions of a category billable by default, or not. */
export function prefsWithCategory(category: string, isBillable: boolean): Prefs {
  return { [NOT_BILLABLE + category]: isBillable ? undefined : true }
}

/**
 * Returns a function that says whether a session is billed.
 * @param tasks all tasks, deleted ones too.
 * @param unbilled the keys of the categories whose sessions are not billable by default.
 */
export function billedBy(
  tasks: readonly Task[],
  unbilled: ReadonlySet<string>,
): (entry: Pick<TimeEntry, 'billable' | 'taskId'>) => boolean {
  const notBilled = new Set(
    tasks.filter(({ category }) => unbilled.has(categoryKey(category))).map(({ id }) => id),
  )
  return ({ billable, taskId }) => billable ?? !notBilled.has(taskId)
}
