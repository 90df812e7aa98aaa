import { LANGUAGE, t } from '@stint/core/text.ts'
import { fullHour } from '@stint/core/time/calendar.ts'
import type { HourCycle } from '@stint/core/time/calendar.ts'
import { dueReminders, nextReminder } from '@stint/core/focus/reminders.ts'
import type { Reminder, ReminderInput } from '@stint/core/focus/reminders.ts'
import { goalOf } from '@stint/core/record/task.ts'
import { secondsOfTaskToday } from '@stint/core/reports/worked-time.ts'
import { useEffect, useEffectEvent, useState } from 'react'

import { useEntries } from '#hooks/use-entries.ts'
import { useDayRule } from '#hooks/use-settings.ts'
import { useFormats } from '#hooks/use-formats.ts'
import { useSettings } from '#hooks/use-settings.ts'
import { useTasks } from '#hooks/use-tasks.ts'
import { useTimer } from '#hooks/use-timer.ts'
import { useTimerCommands } from '#hooks/use-timer-commands.ts'
import { useRecord } from '#session/signed-in.ts'
import { Button } from '#ui/button.tsx'
import { showToast } from '#ui/toast.tsx'

import { lastActive, watchActivity } from './activity.ts'
import { Nudge } from './nudge.tsx'
import { useWaitFor } from '#hooks/use-wait-for.ts'
import { onAnswer, announceDelay, useAnnounceOnce } from '#hooks/announce.ts'
import { askedTitle, eveningText, goalText, goalTitle, longText } from '#hooks/reminder-texts.ts'

/** 'Stop at last activity' is offered when the last activity is at least this long ago. */
const MIN_INACTIVE_MILLISECONDS = 60_000

/** Asks about a timer that may be forgotten, and shows when a goal is reached. */
export function ReminderWatch() {
  const { clock } = useRecord()
  const { taskName } = useTimer()
  const { clockTime } = useFormats()
  const { hourCycle } = useSettings()
  const { stop } = useTimerCommands()
  const dayRule = useDayRule()
  const announceOnce = useAnnounceOnce()
  const input = useReminderInput()
  const [asked, setAsked] = useState<Asked | null>(null)
  useWaitFor(input && nextReminder(input))

  const due = input ? dueReminders(input) : []
  const events = due.map(({ event }) => event).join('\n')

  const say = useEffectEvent(async () => {
    for (const reminder of due) {
      const texts = textsOf(reminder, taskName, hourCycle)
      const about = input?.timer.sessionId ?? ''
      const answers = reminder.kind === 'goal' ? [] : ANSWERS
      if (!(await announceOnce(reminder.event, { ...texts, answers, about, isPushed: true })))
        continue
      if (reminder.kind === 'goal') showToast({ text: `${texts.title} ${texts.body}` })
      else setAsked({ reminder, sessionId: about })
    }
  })

  useEffect(() => {
    if (events === '') return undefined
    const timeout = setTimeout(() => void say(), announceDelay())
    return () => clearTimeout(timeout)
  }, [events])

  useEffect(() => watchActivity(clock.now), [clock])

  const onPressed = useEffectEvent((answer: string) => {
    // A press on the notification itself only brings the page to the front.
    if (answer !== '') setAsked(null)
    if (answer === 'stop') void stop()
    if (answer === 'stop-at') void stop(lastActiveSince(input?.timer.startedAt) ?? clock.now())
  })

  const sessionId = input?.timer.sessionId
  useEffect(() => {
    if (sessionId === undefined) return undefined
    return onAnswer(sessionId, (answer) => onPressed(answer))
  }, [sessionId])

  if (!asked || asked.sessionId !== input?.timer.sessionId) return null
  const { title, body } = textsOf(asked.reminder, taskName, hourCycle)
  const until = lastActiveSince(input.timer.startedAt)
  return (
    <Nudge
      title={title}
      text={
        until === null
          ? body
          : `${body} ${t('Last activity on this device: {time}.', {
              time: clockTime(until, dayRule.timeZone),
            })}`
      }
      onDismiss={() => setAsked(null)}
    >
      <Button variant="primary" size="small" onClick={() => void stop()}>
        {t('Stop')}
      </Button>
      {until !== null && (
        <Button size="small" onClick={() => void stop(until)}>
          {t('Stop at last activity')}
        </Button>
      )}
      <Button size="small" onClick={() => setAsked(null)}>
        {t('Keep')}
      </Button>
    </Nudge>
  )

  /** Returns the last activity on this device, if it was a while ago and after the start. */
  function lastActiveSince(start = Infinity): number | null {
    const now = clock.now()
    const active = lastActive(now)
    return active !== null && active > start && now - active >= MIN_INACTIVE_MILLISECONDS
      ? active
      : null
  }
}

const ANSWERS = [
  { action: 'stop', title: t('Stop') },
  { action: 'stop-at', title: t('Stop at last activity') },
  { action: 'keep', title: t('Keep') },
] as const

interface Asked {
  readonly reminder: Reminder
  readonly sessionId: string
}

/** Returns the inputs of the reminders; null while no timer runs. */
function useReminderInput(): ReminderInput | null {
  const { clock } = useRecord()
  const settings = useSettings()
  const { timer } = useTimer()
  const { tasks } = useTasks()
  const { entries } = useEntries()
  const dayRule = useDayRule()
  const now = clock.now()
  if (timer.status !== 'running') return null
  const todaySeconds = secondsOfTaskToday(timer, entries, dayRule, now)
  const task = tasks.find(({ id }) => id === timer.taskId)
  const goalHours = task ? goalOf(task) : 0
  return { timer, settings, dayRule, now, todaySeconds, goalHours }
}

function textsOf(
  { kind, hours }: Reminder,
  task: string | null,
  cycle: HourCycle,
): { title: string; body: string } {
  const title = askedTitle(task)
  switch (kind) {
    case 'long':
      return {
        title,
        body: longText(hours),
      }
    case 'evening':
      return {
        title,
        body: eveningText(fullHour(hours, cycle)),
      }
    case 'goal':
      return { title: goalTitle(), body: goalText(hours.toLocaleString(LANGUAGE), task) }
  }
}
