import { t } from '@stint/core/text.ts'
import { nextBoundary, pomodoroStep } from '@stint/core/focus/pomodoro.ts'
import type { PomodoroStep } from '@stint/core/focus/pomodoro.ts'
import { useEffect, useEffectEvent, useState } from 'react'

import { useSettings } from '#hooks/use-settings.ts'
import { useTimer } from '#hooks/use-timer.ts'
import { useTimerCommands } from '#hooks/use-timer-commands.ts'
import { turnForBreak } from '@stint/core/device/timer.ts'
import { useRecord } from '#session/signed-in.ts'
import { Button } from '#ui/button.tsx'

import { Nudge } from './nudge.tsx'
import { skipBreak } from '#hooks/nudges.ts'
import { useWaitFor } from '#hooks/use-wait-for.ts'
import { usePhase } from './use-phase.ts'
import { announceDelay, useAnnounceOnce } from '#hooks/announce.ts'
import type { Announcement } from '#hooks/announce.ts'

/** Starts and ends breaks, or offers to, with a sound and a notification. */
export function BreakWatch() {
  const { autoBreak, pomodoro } = useSettings()
  const { timer, taskName } = useTimer()
  const { pause, resume } = useTimerCommands()
  const record = useRecord()
  const phase = usePhase()
  const announceOnce = useAnnounceOnce()
  const foreseen = useWaitFor(phase && nextBoundary(phase))
  const [dismissed, setDismissed] = useState<number | null>(null)
  const step: PomodoroStep = phase
    ? pomodoroStep(phase, { autoBreak, foreseen, now: record.clock.now() })
    : { kind: 'nothing' }
  const instant = instantOf(step)

  const act = useEffectEvent(() => {
    if (step.kind === 'nothing' || timer.status === 'idle') return
    const event = `${timer.sessionId} ${isBreak(step) ? 'break' : 'work'} ${instant}`
    const texts = textsOf(step, taskName)
    // Not cancelled on re-render: an automatic step takes effect at once, before the notification.
    setTimeout(() => void announceOnce(event, texts, pomodoro.sound), announceDelay())
    const { kind } = step
    if (kind === 'pause' || kind === 'resume')
      void record.write((draft) => turnForBreak(draft, kind, step.at))
  })

  const { kind } = step
  useEffect(() => {
    if (kind !== 'nothing' && instant !== null) act()
  }, [kind, instant])

  if (instant === null || dismissed === instant) return null
  const dismiss = () => setDismissed(instant)
  switch (step.kind) {
    case 'offer-break':
      return (
        <Nudge title={t('Time for a break')} onDismiss={dismiss}>
          <Button variant="primary" size="small" onClick={() => void pause()}>
            {t('Take a break')}
          </Button>
          <Button size="small" onClick={() => void skip()}>
            {t('Skip')}
          </Button>
        </Nudge>
      )
    case 'offer-work':
      return (
        <Nudge title={t('The break is over')} onDismiss={dismiss}>
          <Button variant="primary" size="small" onClick={() => void resume()}>
            {t('Resume')}
          </Button>
        </Nudge>
      )
    default:
      return null
  }

  async function skip(): Promise<void> {
    await record.write(skipBreak)
  }
}

function instantOf(step: PomodoroStep): number | null {
  switch (step.kind) {
    case 'nothing':
      return null
    case 'pause':
    case 'resume':
      return step.at
    case 'offer-break':
    case 'offer-work':
      return step.since
  }
}

function isBreak(step: PomodoroStep): boolean {
  return step.kind === 'pause' || step.kind === 'offer-break'
}

function textsOf(step: PomodoroStep, task: string | null): Announcement {
  switch (step.kind) {
    case 'pause':
      return {
        title: t('Time for a break'),
        body: task === null ? t('the task is paused.') : t('{task} is paused.', { task }),
        tone: 'down',
      }
    case 'offer-break':
      return {
        title: t('Time for a break'),
        body:
          task === null
            ? t('{count, plural, other {Take a {count}-minute break from the task.}}', {
                count: step.breakMinutes,
              })
            : t('{count, plural, other {Take a {count}-minute break from {task}.}}', {
                count: step.breakMinutes,
                task,
              }),
        tone: 'down',
      }
    case 'resume':
      return {
        title: t('The break is over'),
        body: task === null ? t('the task continues.') : t('{task} continues.', { task }),
        tone: 'up',
      }
    case 'offer-work':
    case 'nothing':
      return {
        title: t('The break is over'),
        body:
          task === null
            ? t('Resume the task when you are ready.')
            : t('Resume {task} when you are ready.', { task }),
        tone: 'up',
      }
  }
}
