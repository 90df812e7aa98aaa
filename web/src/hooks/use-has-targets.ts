import { hasTargets } from '@stint/core/targets/has-targets.ts'
import { useLocalTasks, useValue } from '#session/signed-in.ts'

/** Returns whether the user has a target, or a task with a daily goal. */
export function useHasTargets(): boolean {
  const settings = useValue('settings')
  const tasks = useLocalTasks()
  return hasTargets(settings?.prefs ?? {}, tasks)
}
