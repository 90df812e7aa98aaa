import { GapPrompts } from './gap-prompt.tsx'
import { OfferCards } from './offer-cards.tsx'
import { UnfinishedTimers } from './unfinished-timers.tsx'

/** What the timer has to ask: about sessions that were left unfinished, work that is not saved, time away. */
export function Prompts() {
  return (
    <>
      <UnfinishedTimers />
      <OfferCards />
      <GapPrompts />
    </>
  )
}
