import { t } from '@stint/core/text.ts'
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

/**
 * Cards for work that needs the user's decision: unsaved work, and changes made after a session was
 * saved.
 */
export function OfferCards() {
  return useOffers().map((offer) => (
    <OfferCard key={`${offer.worked.sessionId} ${offer.why}`} offer={offer} />
  ))
}

function OfferCard({ offer }: { offer: OfferView }) {
  const tasks = useLocalTasks()
  const now = useNow()
  const dayRule = useDayRule()
  const id = useId()
  const { clockTime, duration } = useFormats()
  const { taskId, startedAt, endedAt } = offer.instead ?? offer.worked
  const time = (instant: number) => clockTime(instant, dayRule.timeZone)
  const durationText = (seconds: number) => (seconds < 60 ? `${seconds} s` : duration(seconds))
  const day = sessionDay(startedAt, now, dayRule)
  const { title, explanation, keep, discard } = textsOf(offer, time, durationText)
  const isDone = offer.why === 'counted'

  return (
    <section
      aria-labelledby={id}
      className="flex animate-appear flex-col gap-3 rounded-panel border border-paused/50 bg-surface p-5"
    >
      <div className="flex min-w-0 flex-col gap-1">
        <h2 id={id} className="text-sm font-semibold text-paused">
          {title}
        </h2>
        <Name
          text={tasks.find((task) => task.id === taskId)?.name ?? t('Unknown task')}
          className="text-base font-semibold"
        />
        <p className="figures text-sm text-quiet">
          {day} {time(startedAt)} – {time(endedAt)}. {explanation}
        </p>
      </div>
      <div className="flex flex-col gap-2 md:flex-row">
        <Button variant={isDone ? 'quiet' : 'secondary'} onClick={() => void offer.keep()}>
          {keep}
        </Button>
        <Button variant="quiet" onClick={() => void offer.discard()}>
          {discard}
        </Button>
      </div>
    </section>
  )
}

interface Texts {
  readonly title: string
  readonly explanation: string
  readonly keep: string
  readonly discard: string
}

function textsOf(
  { why, worked, instead }: Offer,
  time: (instant: number) => string,
  durationText: (seconds: number) => string,
): Texts {
  const seconds = durationText(worked.durationSeconds)
  const now = durationText(instead?.durationSeconds ?? 0)
  const work = { keep: `Keep ${seconds}`, discard: 'Discard' }
  switch (why) {
    case 'went-on':
    case 'discarded':
      return {
        title: `You went on until ${time(worked.endedAt)}. Keep ${seconds}?`,
        explanation:
          why === 'went-on'
            ? t('The timer was stopped on another device.')
            : t('The session was discarded on another device.'),
        ...work,
      }
    case 'ran-on':
      return {
        title: `The timer ran until ${time(worked.endedAt)}. Keep ${seconds}?`,
        explanation: t('You stopped it on this device and changed its times.'),
        ...work,
      }
    case 'not-started':
      return {
        title: `This session wasn’t timed. Keep ${seconds}?`,
        explanation: t('The server couldn’t be reached when you pressed Start.'),
        ...work,
      }
    case 'counted':
      return {
        title: `Your changes on this device count: ${now} instead of ${seconds}.`,
        explanation: t('Another device stopped the timer before it received them.'),
        keep: 'Undo',
        discard: 'OK',
      }
    case 'not-counted':
      return {
        title: `Your changes on this device don’t count. Make it ${seconds} instead of ${now}?`,
        explanation: t('The session was stopped and edited on another device.'),
        keep: `Make it ${seconds}`,
        discard: t('Leave as is'),
      }
    case 'not-stopped':
      return {
        title: `You stopped at ${time(worked.endedAt)}. Make it ${seconds} instead of ${now}?`,
        explanation: t('The timer ran until it was stopped on another device.'),
        keep: `Make it ${seconds}`,
        discard: t('Leave as is'),
      }
  }
}
