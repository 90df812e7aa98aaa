/** Changes of targets. Those of a task's daily goal change the task. */
import { targetText } from '@stint/core/targets/target-text.ts'
import { changesWithTarget } from '@stint/core/targets/targets.ts'
import type { Target } from '@stint/core/targets/targets.ts'
import { t } from '@stint/core/text.ts'

import { useRecordCommands } from '#hooks/use-record-commands.ts'
import { useLocalTasks } from '#session/signed-in.ts'
import { usePrefs } from './use-targets.ts'

export interface TargetCommands {
  /** Saves a target, in place of another one if there is one, and offers to undo it. */
  readonly save: (target: Target, instead: Target | null) => Promise<boolean>
  readonly remove: (target: Target) => Promise<boolean>
}

export function useTargetCommands(): TargetCommands {
  const { change } = useRecordCommands()
  const prefs = usePrefs()
  const tasks = useLocalTasks()
  return {
    save: (target, instead) =>
      change(
        changesWithTarget(prefs, target, instead),
        t('Saved: {line}', { line: targetText(target, tasks) }),
      ),
    remove: (target) =>
      change(
        changesWithTarget(prefs, null, target),
        t('Removed: {line}', { line: targetText(target, tasks) }),
      ),
  }
}
