import { t } from '@stint/core/text.ts'
import { sessionDay } from '@stint/core/time/calendar.ts'
import { useId } from 'react'

import { useDayRule } from '#features/entries/api.ts'
import { useFormats } from '#features/settings/api.ts'
import type { Offer } from '@stint/core/device/stored.ts'
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
  const durationText = (seconds: number) =>
    seconds < 60 ? t('{seconds} s', { seconds }) : duration(seconds)
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
          {t('{day} {start} – {end}.', { day, start: time(startedAt), end: time(endedAt) })}{' '}
          {explanation}
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
  { why, worked, instead: saved }: Offer,
  time: (instant: number) => string,
  durationText: (seconds: number) => string,
): Texts {
  const duration = durationText(worked.durationSeconds)
  const instead = durationText(saved?.durationSeconds ?? 0)
  const until = time(worked.endedAt)
  const work = { keep: t('Keep {duration}', { duration }), discard: t('Discard') }
  const makeIt = { keep: t('Make it {duration}', { duration }), discard: t('Leave as is') }
  switch (why) {
    case 'went-on':
    case 'discarded':
      return {
        title: t('You went on until {until}. Keep {duration}?', { until, duration }),
        explanation:
          why === 'went-on'
            ? t('The timer was stopped on another device.')
            : t('The session was discarded on another device.'),
        ...work,
      }
    case 'ran-on':
      return {
        title: t('The timer ran until {until}. Keep {duration}?', { until, duration }),
        explanation: t('You stopped it on this device and changed its times.'),
        ...work,
      }
    case 'not-started':
      return {
        title: t('This session wasn’t timed. Keep {duration}?', { duration }),
        explanation: t('The server couldn’t be reached when you pressed Start.'),
        ...work,
      }
    case 'counted':
      return {
        title: t('Your changes on this device count: {duration} instead of {other}.', {
          duration: instead,
          other: duration,
        }),
        explanation: t('Another device stopped the timer before it received them.'),
        keep: t('Undo'),
        discard: t('OK'),
      }
    case 'not-counted':
      return {
        title: t(
          'Your changes on this device don’t count. Make it {duration} instead of {other}?',
          { duration, other: instead },
        ),
        explanation: t('The session was stopped and edited on another device.'),
        ...makeIt,
      }
    case 'not-stopped':
      return {
        title: t('You stopped at {until}. Make it {duration} instead of {other}?', {
          until,
          duration,
          other: instead,
        }),
        explanation: t('The timer ran until it was stopped on another device.'),
        ...makeIt,
      }
  }
}
