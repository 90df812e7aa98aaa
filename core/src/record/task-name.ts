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
 * it both.
 */
export function taskNamed<T extends { readonly name: string }>(
  tasks: readonly T[],
  name: string,
): T | undefined {
  const wanted = nameKey(name)
  return (
    tasks.find((task) => task.name.trim() === name.trim()) ??
    tasks.find((task) => nameKey(task.name) === wanted)
  )
}

function nameKey(name: string): string {
  return name.normalize().toLowerCase().replaceAll(/\s+/g, ' ').trim()
}
