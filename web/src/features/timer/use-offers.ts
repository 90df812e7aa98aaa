/** Work that is saved only if the user chooses to. */
import { newDocumentId } from '#record/document-id.ts'
import { dropOffer, keepOffer, openOffers } from '@stint/core/device/questions.ts'
import type { Offer } from '@stint/core/device/stored.ts'
import { useLocalEntries, useRecord, useValue } from '#session/signed-in.ts'

export interface OfferView extends Offer {
  readonly keep: () => Promise<void>
  readonly discard: () => Promise<void>
}

/** Returns work that another device's stop cut off or left out, and starts that failed. */
export function useOffers(): readonly OfferView[] {
  const record = useRecord()
  // Whether an offer is open depends on its session's entry, and on the timer that goes on with it.
  useLocalEntries()
  useValue('timer')
  useValue('offers')
  return openOffers(record.view).map((offer) => ({
    ...offer,
    keep() {
      const newId = newDocumentId()
      return record.write((draft, now) => keepOffer(draft, offer, newId, now))
    },
    discard: () => record.write((draft) => dropOffer(draft, offer)),
  }))
}
