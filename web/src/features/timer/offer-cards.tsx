import { sessionDay } from '@stint/core/time/calendar.ts'
import { useId } from 'react'

import { useDayRule } from '#features/entries/api.ts'
import { useFormats } from '#features/settings/api.ts'
import type { Offer } from '#record/stored.ts'
import { useLocalTasks } from '#session/signed-in.ts'
import { Button } from '#ui/button.tsx'
import { Name } from '#ui/name.tsx'

import { useNow } from './api/use-now.ts'
import { useOffers } from './use-offers.ts'
import type { OfferView } from './use-offers.ts'

/** Work that is not saved: another device had stopped the timer, or the start had failed. */
export function OfferCards() {
  return useOffers().map((offer) => <OfferCard key={offer.worked.sessionId} offer={offer} />)
}

function OfferCard({ offer }: { offer: OfferView }) {
  const tasks = useLocalTasks()
  const now = useNow()
  const dayRule = useDayRule()
  const id = useId()
  const { clockTime, duration } = useFormats()
  const { taskId, startedAt, endedAt, durationSeconds } = offer.worked
  const time = (instant: number) => clockTime(instant, dayRule.timeZone)
  const worked = durationSeconds < 60 ? `${durationSeconds} s` : duration(durationSeconds)
  const day = sessionDay(startedAt, now, dayRule)

  return (
    <section
      aria-labelledby={id}
      className="flex animate-appear flex-col gap-3 rounded-panel border border-paused/50 bg-surface p-5"
    >
      <div className="flex min-w-0 flex-col gap-1">
        <h2 id={id} className="text-sm font-semibold text-paused">
          {titleOf(offer, time(endedAt))} Keep {worked}?
        </h2>
        <Name
          text={tasks.find((task) => task.id === taskId)?.name ?? 'Unknown task'}
          className="text-base font-semibold"
        />
        <p className="figures text-sm text-quiet">
          {day} {time(startedAt)} – {time(endedAt)}. {EXPLANATIONS[offer.why]}
        </p>
      </div>
      <div className="flex flex-col gap-2 md:flex-row">
        <Button onClick={() => void offer.keep()}>Keep {worked}</Button>
        <Button variant="quiet" onClick={() => void offer.discard()}>
          Discard
        </Button>
      </div>
    </section>
  )
}

function titleOf({ why }: Offer, until: string): string {
  return why === 'not-started' ? 'This was not timed.' : `You went on until ${until}.`
}

const EXPLANATIONS: Readonly<Record<Offer['why'], string>> = {
  'went-on': 'The timer had been stopped on another device.',
  discarded: 'The session had been discarded on another device.',
  'not-started': 'The server could not be reached when you pressed Start.',
}
