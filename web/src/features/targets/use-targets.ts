/** The targets of the user, and how far they are. */
import { hoursAccount } from '@stint/core/balance/account.ts'
import type { ReportInput } from '@stint/core/reports/report-input.ts'
import type { Prefs } from '@stint/core/settings.ts'
import { targetsProgress } from '@stint/core/targets/progress.ts'
import type { TargetProgress } from '@stint/core/targets/progress.ts'
import { paceText } from '@stint/core/targets/target-text.ts'
import { targetsOf } from '@stint/core/targets/targets.ts'
import type { Target } from '@stint/core/targets/targets.ts'
import { useMemo } from 'react'

import { useFormats } from '#hooks/use-formats.ts'
import { useDayRule } from '#hooks/use-settings.ts'
import { useTimer } from '#hooks/use-timer.ts'
import { useLocalTasks, useValue } from '#session/signed-in.ts'

const NO_PREFS: Prefs = {}

/** Returns the preferences, in which the targets are. */
export function usePrefs(): Prefs {
  return useValue('settings')?.prefs ?? NO_PREFS
}

/** Returns the targets and the daily goals of tasks, in the order of the overview. */
export function useTargets(): readonly Target[] {
  const prefs = usePrefs()
  const tasks = useLocalTasks()
  return useMemo(() => targetsOf(prefs, tasks), [prefs, tasks])
}

/** Returns how far targets are. */
export function useTargetsProgress(
  input: ReportInput,
  targets: readonly Target[],
): readonly TargetProgress[] {
  const account = hoursAccount(usePrefs())
  const { timer } = useTimer()
  const isRunning = timer.status === 'running'
  return useMemo(
    () => targetsProgress(input, account, targets, isRunning),
    [input, account, targets, isRunning],
  )
}

/** Returns a function that says how a target stands. */
export function usePaceText(): (progress: TargetProgress) => string {
  const { duration, clockTime } = useFormats()
  const { timeZone } = useDayRule()
  return (progress) =>
    paceText(progress, { duration, clockTime: (instant) => clockTime(instant, timeZone) })
}
