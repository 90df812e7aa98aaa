/** The names of tasks: what a form checks, and which are the same. */
import { t } from '#text.ts'
import { TASK_NAME_MAX_LENGTH } from './task.ts'

/** Returns the problem of a name as a sentence for the form, or null. */
export function taskNameProblem(name: string): string | null {
  const length = name.trim().length
  if (length === 0) return t('Enter a task name.')
  if (length <= TASK_NAME_MAX_LENGTH) return null
  return t('Use at most {max} characters (currently {length}).', {
    max: TASK_NAME_MAX_LENGTH,
    length,
  })
}

/**
 * Returns the task of that name, whatever its case and spaces. Case distinguishes two tasks that have
 * it both. Pass the same list while nothing has changed: its names are prepared once.
 */
export function taskNamed<T extends { readonly name: string }>(
  tasks: readonly T[],
  name: string,
): T | undefined {
  const { byName, byKey } = namesOf(tasks)
  const found = byName.get(name.trim()) ?? byKey.get(nameKey(name))
  return found === undefined ? undefined : tasks[found]
}

/** Where in a list the first task of each name is, as it is written and by what `nameKey` returns. */
interface Names {
  readonly byName: ReadonlyMap<string, number>
  readonly byKey: ReadonlyMap<string, number>
}

const preparedNames = new WeakMap<readonly { readonly name: string }[], Names>()

function namesOf(tasks: readonly { readonly name: string }[]): Names {
  const kept = preparedNames.get(tasks)
  if (kept) return kept
  const byName = new Map<string, number>()
  const byKey = new Map<string, number>()
  for (let index = tasks.length - 1; index >= 0; index--) {
    const { name = '' } = tasks[index] ?? {}
    byName.set(name.trim(), index)
    byKey.set(nameKey(name), index)
  }
  const names = { byName, byKey }
  preparedNames.set(tasks, names)
  return names
}

const UNEVEN_SPACE = /\s\s|[^\S ]/

function nameKey(name: string): string {
  const key = name.normalize().toLowerCase().trim()
  return UNEVEN_SPACE.test(key) ? key.replaceAll(/\s+/g, ' ') : key
}
