import { daysBetween, localDate, sessionDay } from '@stint/core/time/calendar.ts'
import { t } from '@stint/core/text.ts'
import type { RunningTimer } from '@stint/core/timer/timer.ts'
import { useEffect, useEffectEvent } from 'react'

import { announceDelay, onAnswer, useAnnounceOnce } from '#hooks/announce.ts'
import { askedTitle, unseenText } from '#hooks/reminder-texts.ts'
import { useFormats } from '#hooks/use-formats.ts'
import { useDayRule } from '#hooks/use-settings.ts'
import { useTimer } from '#hooks/use-timer.ts'
import { useRecord } from '#session/signed-in.ts'
import { Button } from '#ui/button.tsx'

import { Nudge } from './nudge.tsx'
import { useStillWorking } from './use-still-working.ts'

/** Asks whether somebody still works, after nothing was seen of them for a while. */
export function StillWorkingWatch() {
  const { timer, taskName } = useTimer()
  return timer.status === 'running' && <Watch timer={timer} taskName={taskName} />
}

function Watch({ timer, taskName }: { timer: RunningTimer; taskName: string | null }) {
  const { clock } = useRecord()
  const { clockTime } = useFormats()
  const dayRule = useDayRule()
  const announceOnce = useAnnounceOnce()
  const open = useStillWorking(timer)
  const from = open?.question.from ?? null
  const time = clockTime(from ?? 0, dayRule.timeZone)
  const now = clock.now()
  const title = askedTitle(taskName)
  const text = unseenText({
    daysAgo: daysBetween(localDate(from ?? now, dayRule), localDate(now, dayRule)),
    day: sessionDay(from ?? now, now, dayRule),
    time,
  })
  // Of its own, as the other reminders of this timer have answers of the same names.
  const about = `${timer.sessionId} away`

  const say = useEffectEvent(() => {
    const answers = [
      { action: 'keep', title: t('Keep') },
      { action: 'stop-at', title: t('Stop at {time}', { time }) },
    ]
    void announceOnce(`${about} ${from}`, { title, body: text, answers, about, isPushed: true })
  })
  useEffect(() => {
    if (from === null) return undefined
    const timeout = setTimeout(() => say(), announceDelay())
    return () => clearTimeout(timeout)
  }, [from])

  const onPressed = useEffectEvent((pressed: string) => {
    if (pressed === 'keep') void open?.keep()
    if (pressed === 'stop-at') void open?.stop()
  })
  useEffect(() => onAnswer(about, (pressed) => onPressed(pressed)), [about])

  if (!open) return null
  return (
    <Nudge title={title} text={text}>
      <Button size="small" onClick={() => void open.keep()}>
        {t('Keep')}
      </Button>
      <Button size="small" onClick={() => void open.stop()}>
        {t('Stop at {time}', { time })}
      </Button>
      <Button size="small" onClick={() => void open.stopAndContinue()}>
        {t('Continue from now')}
      </Button>
    </Nudge>
  )
}
