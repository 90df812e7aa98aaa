import { GapPrompts } from './gap-prompt.tsx'
import { UnfinishedTimers } from './unfinished-timers.tsx'

/** What the timer has to ask: about sessions that were left unfinished, about time away. */
export function Prompts() {
  return (
    <>
      <UnfinishedTimers />
      <GapPrompts />
    </>
  )
}
