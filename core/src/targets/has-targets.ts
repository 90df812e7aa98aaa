/** Whether an account has targets, for screens that load nothing else of them. */
import { goalOf } from '#record/task.ts'
import type { Task } from '#record/task.ts'
import type { Prefs } from '#settings.ts'

/** What the names of the preferences begin with that keep targets. */
export const TARGET_PREFERENCE = 'target:'

/** Returns whether there is a target in the preferences, or a daily goal of an active task. */
export function hasTargets(prefs: Prefs, tasks: readonly Task[]): boolean {
  return (
    Object.keys(prefs).some((name) => name.startsWith(TARGET_PREFERENCE)) ||
    tasks.some((task) => task.isActive && goalOf(task) > 0)
  )
}
