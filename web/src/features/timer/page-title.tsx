import { useElapsed, useTimer } from '#features/timer/api.ts'
import { windowTitle } from './timer-words.ts'

/** The title of the window: the page, or the clock and its task while a timer is active. */
export function PageTitle({ page }: { page: string }) {
  const { timer, taskName } = useTimer()
  return <title>{windowTitle(page, timer, taskName, useElapsed())}</title>
}
