/** Work that is not saved until its owner says so. */
import { newDocumentId } from '#record/document-id.ts'
import { dropOffer, isOfferOpen, keepOffer } from '#record/questions.ts'
import type { Offer } from '#record/stored.ts'
import { useLocalEntries, useRecord, useValue } from '#session/signed-in.ts'

export interface OfferView extends Offer {
  readonly keep: () => Promise<void>
  readonly discard: () => Promise<void>
}

/** What another device's stop has cut off or left out, and starts that failed. */
export function useOffers(): readonly OfferView[] {
  const record = useRecord()
  // Whether an offer still stands depends on its session.
  useLocalEntries()
  const offers = useValue('offers')?.offers ?? []
  return offers
    .filter((offer) => isOfferOpen(record.view, offer))
    .map((offer) => ({
      ...offer,
      keep() {
        const newId = newDocumentId()
        return record.write((draft, now) => keepOffer(draft, offer, newId, now))
      },
      discard: () => record.write((draft) => dropOffer(draft, offer)),
    }))
}
