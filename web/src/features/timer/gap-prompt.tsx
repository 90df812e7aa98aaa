import { t } from '@stint/core/text.ts'
import { daysBetween, localDate, sessionDay } from '@stint/core/time/calendar.ts'
import { useId, useState } from 'react'

import { useDayRule } from '#hooks/use-settings.ts'
import { useFormats } from '#hooks/use-formats.ts'
import { useSettings } from '#hooks/use-settings.ts'
import { Button } from '#ui/button.tsx'
import { CONTROL_CLASSES } from '#ui/field.tsx'
import { Form } from '#ui/form.tsx'

import { useSleepGaps } from './use-sleep-gaps.ts'
import { useNow } from '#hooks/use-now.ts'
import type { GapView } from './use-sleep-gaps.ts'
import { fromLocalInput, toLocalInput } from './local-date-time.ts'

/**
 * Asks about time in which the timer ran while this device was off. Without an answer, the time counts.
 */
export function GapPrompts() {
  return useSleepGaps().map((gap) => <GapPrompt key={gap.start} gap={gap} />)
}

function GapPrompt({ gap }: { gap: GapView }) {
  const dayRule = useDayRule()
  const now = useNow()
  const id = useId()
  const [picked, setPicked] = useState<string | null>(null)
  const { start, end } = gap
  const { timeInRange, duration } = useFormats()
  const { hourCycle } = useSettings()
  const length = duration(Math.floor((end - start) / 1000))
  const read = picked === null ? start : fromLocalInput(picked, dayRule.timeZone, hourCycle)
  const problem = typeof read === 'string' ? read : null
  const from = typeof read === 'number' && read >= start - 60_000 && read <= end ? read : null

  return (
    <section
      aria-labelledby={id}
      className="flex animate-appear flex-col gap-3 rounded-panel border border-line bg-surface p-5"
    >
      <div className="flex flex-col gap-1">
        <h2 id={id} className="text-sm font-semibold">
          {t('Were you away for {duration}?', { duration: length })}
        </h2>
        <p className="figures text-sm text-quiet">
          {t(
            'Stint was closed or asleep on this device {daysAgo, plural, =0 {today} =1 {yesterday} other {{day}}} from {start} to {end} while the timer ran.',
            {
              daysAgo: daysBetween(localDate(start, dayRule), localDate(now, dayRule)),
              day: sessionDay(start, now, dayRule),
              start: timeInRange(start, dayRule.timeZone),
              end: timeInRange(end, dayRule.timeZone),
            },
          )}{' '}
          {t('The time counts unless you remove it.')}
        </p>
      </div>
      <Form
        onSend={async () => {
          if (from !== null) await gap.remove(from)
        }}
        className="flex flex-col gap-2 md:flex-row md:flex-wrap md:items-center"
      >
        <Button onClick={() => void gap.keep()}>{t('Keep')}</Button>
        <Button onClick={() => void gap.remove(start)}>
          {t('Remove {duration}', { duration: length })}
        </Button>
        <div className="flex flex-col gap-2 md:flex-row md:items-center">
          <Button type="submit" variant="quiet" disabled={from === null}>
            {t('Keep until')}
          </Button>
          <input
            type="datetime-local"
            aria-label={t('Keep until')}
            required
            min={toLocalInput(start, dayRule.timeZone)}
            max={toLocalInput(end, dayRule.timeZone)}
            value={picked ?? toLocalInput(start, dayRule.timeZone)}
            onChange={(event) => setPicked(event.target.value)}
            aria-describedby={problem === null ? undefined : `${id}-problem`}
            aria-invalid={problem === null ? undefined : true}
            className={`${CONTROL_CLASSES} figures md:h-9 md:text-sm`}
          />
        </div>
        {problem !== null && (
          <p id={`${id}-problem`} className="text-sm text-danger md:basis-full">
            {problem}
          </p>
        )}
      </Form>
    </section>
  )
}
