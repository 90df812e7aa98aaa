import { useEffect, useState } from 'react'

import { useSession, useSessionState } from '#session/current-session.ts'
import { later } from '#ui/later.tsx'

const GuestOffer = later(async () => (await import('./guest-offer.tsx')).GuestOffer)

/** Looks once whether something was tracked in this browser before the sign-in. Only then the question is loaded. */
export function GuestOfferHost() {
  const session = useSession()
  const state = useSessionState()
  const owner = state.status === 'signed-in' && !state.isGuest ? state.user.id : null
  const [offeredTo, setOfferedTo] = useState<string | null>(null)
  useEffect(() => {
    if (owner === null) return
    void session.hasGuest().then((hasGuest) => setOfferedTo(hasGuest ? owner : null))
  }, [owner, session])
  return owner !== null && offeredTo === owner && <GuestOffer key={owner} />
}
