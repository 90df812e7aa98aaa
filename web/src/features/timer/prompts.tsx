import { GapPrompts } from './gap-prompt.tsx'
import { QuestionCards } from './question-cards.tsx'
import { UnfinishedTimers } from './unfinished-timers.tsx'

/** The questions about the timer: unfinished sessions, time that may count, and time away. */
export function Prompts() {
  return (
    <>
      <UnfinishedTimers />
      <QuestionCards />
      <GapPrompts />
    </>
  )
}
