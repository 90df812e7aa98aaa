import { useId, useState } from 'react'
import { t } from '@stint/core/text.ts'
import { daysBetween, localDate, sessionDay } from '@stint/core/time/calendar.ts'
import { Button } from '#ui/button.tsx'
import { CONTROL_CLASSES } from '#ui/field.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Form } from '#ui/form.tsx'
import { Name } from '#ui/name.tsx'
import { useDayRule } from '#hooks/use-settings.ts'
import { useFormats } from '#hooks/use-formats.ts'
import { useSettings } from '#hooks/use-settings.ts'
import { useNow } from '#hooks/use-now.ts'
import { useTimer } from '#hooks/use-timer.ts'
import { useUnfinishedTimers } from './use-unfinished-timers.ts'
import type { UnfinishedTimer } from './use-unfinished-timers.ts'
import { fromLocalInput, toLocalInput } from './local-date-time.ts'

/** Cards for the timers that were too old to restore automatically, so that their time is not lost. */
export function UnfinishedTimers() {
  const { timers } = useUnfinishedTimers()
  return timers.map((timer) => <UnfinishedCard key={timer.sessionId} unfinished={timer} />)
}

function UnfinishedCard({ unfinished }: { unfinished: UnfinishedTimer }) {
  const { resume, save, discard } = useUnfinishedTimers()
  const { timer } = useTimer()
  const now = useNow()
  const id = useId()
  const [picked, setPicked] = useState<string | null>(null)
  const [discarding, setDiscarding] = useState(false)

  const { sessionId, taskName, startedAt, lastSeenAt } = unfinished
  const dayRule = useDayRule()
  const { clockTime, duration } = useFormats()
  const { hourCycle } = useSettings()
  // The default is the last activity to the millisecond; a picked time is to the minute.
  const read = picked === null ? lastSeenAt : fromLocalInput(picked, dayRule.timeZone, hourCycle)
  const until = typeof read === 'number' ? read : null
  const seconds = until === null ? 0 : unfinished.workedSeconds(until)
  const worked = duration(unfinished.workedSeconds(lastSeenAt))
  const daysAgo = (at: number) => daysBetween(localDate(at, dayRule), localDate(now, dayRule))
  const problem = typeof read === 'string' ? read : problemWith(until, startedAt, now, seconds)

  return (
    <section
      aria-labelledby={`${id}-title`}
      className="flex animate-appear flex-col gap-4 rounded-panel border border-paused/50 bg-surface p-5"
    >
      <div id={`${id}-title`} className="flex min-w-0 flex-col gap-1">
        <h2 className="text-sm font-semibold text-paused">{t('Unfinished session')}</h2>
        <Name text={taskName} className="text-base font-semibold" />
        <p className="figures text-quiet">
          {t(
            '{state, select, paused {Paused, started} other {Started}} {startDaysAgo, plural, =0 {today} =1 {yesterday} other {{startDay}}}, {startTime} · Last seen {seenDaysAgo, plural, =0 {today} =1 {yesterday} other {{seenDay}}}, {seenTime} · {duration} of work',
            {
              state: unfinished.paused ? 'paused' : 'running',
              startDaysAgo: daysAgo(startedAt),
              startDay: sessionDay(startedAt, now, dayRule),
              startTime: clockTime(startedAt, dayRule.timeZone),
              seenDaysAgo: daysAgo(lastSeenAt),
              seenDay: sessionDay(lastSeenAt, now, dayRule),
              seenTime: clockTime(lastSeenAt, dayRule.timeZone),
              duration: worked,
            },
          )}
        </p>
      </div>
      <Form
        onSend={async () => {
          if (until !== null && problem === null) await save(sessionId, until)
        }}
        className="flex flex-col gap-2 md:flex-row md:flex-wrap md:items-center"
      >
        <Button disabled={timer.status !== 'idle'} onClick={() => void resume(sessionId)}>
          {t('Resume')}
        </Button>
        <div className="flex flex-col gap-2 md:flex-row md:items-center">
          <Button type="submit" variant="primary" disabled={problem !== null}>
            {t('Save until')}
          </Button>
          <input
            id={`${id}-until`}
            type="datetime-local"
            aria-label={t('Save until')}
            required
            value={picked ?? toLocalInput(lastSeenAt, dayRule.timeZone)}
            onChange={(event) => setPicked(event.target.value)}
            aria-describedby={`${id}-outcome`}
            aria-invalid={problem === null ? undefined : true}
            className={`${CONTROL_CLASSES} figures md:h-9 md:text-sm`}
          />
        </div>
        <Button variant="quiet" onClick={() => setDiscarding(true)}>
          {t('Discard')}
        </Button>
        <p
          id={`${id}-outcome`}
          className={`text-sm md:basis-full ${problem === null ? 'text-quiet' : 'text-danger'}`}
        >
          {problem ?? t('Saves {duration} for this task.', { duration: duration(seconds) })}
          {timer.status !== 'idle' && ` ${t('Stop the running timer to resume this one.')}`}
        </p>
      </Form>
      <Dialog
        open={discarding}
        title={t('Discard this session?')}
        onClose={() => setDiscarding(false)}
        actions={
          <>
            <Button variant="danger" onClick={() => void discard(sessionId)}>
              {t('Discard {duration}', { duration: worked })}
            </Button>
            <Button variant="quiet" onClick={() => setDiscarding(false)}>
              {t('Cancel')}
            </Button>
          </>
        }
      >
        <p>{t('This time will be permanently lost.')}</p>
      </Dialog>
    </section>
  )
}

/** Returns why the session cannot be saved until then; null when it can. */
function problemWith(
  until: number | null,
  startedAt: number,
  now: number,
  seconds: number,
): string | null {
  if (until === null) return t('Enter a date and time.')
  if (until < startedAt) return t('That’s before the session started.')
  if (until > now) return t('That’s in the future.')
  return seconds === 0 ? t('No tracked time before then.') : null
}
