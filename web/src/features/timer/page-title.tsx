import { IDLE } from '@stint/core/timer/timer.ts'
import { useSettings } from '#features/settings/api.ts'
import { useElapsed } from './api/use-now.ts'
import { useTimer } from './api/use-timer.ts'
import { windowTitle } from './timer-words.ts'

/** The title of the window: the page, or the clock and its task while a timer is active. */
export function PageTitle({ page }: { page: string }) {
  const { timer, taskName } = useTimer()
  const elapsed = useElapsed()
  const { timerInTitle } = useSettings()
  return <title>{windowTitle(page, timerInTitle ? timer : IDLE, taskName, elapsed)}</title>
}
