import { IDLE } from '@stint/core/timer/timer.ts'
import { useSettings } from '#hooks/use-settings.ts'
import { useElapsed } from '#hooks/use-now.ts'
import { useTimer } from '#hooks/use-timer.ts'
import { windowTitle } from './timer-words.ts'

/** Sets the tab's title: the page, or the elapsed time and the task while a timer is active. */
export function PageTitle({ page }: { page: string }) {
  const { timer, taskName } = useTimer()
  const elapsed = useElapsed()
  const { timerInTitle } = useSettings()
  return <title>{windowTitle(page, timerInTitle ? timer : IDLE, taskName, elapsed)}</title>
}
