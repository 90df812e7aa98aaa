import { GapPrompts } from './gap-prompt.tsx'
import { OfferCards } from './offer-cards.tsx'
import { UnfinishedTimers } from './unfinished-timers.tsx'

/** The questions about the timer: unfinished sessions, unsaved work, and time away. */
export function Prompts() {
  return (
    <>
      <UnfinishedTimers />
      <OfferCards />
      <GapPrompts />
    </>
  )
}
