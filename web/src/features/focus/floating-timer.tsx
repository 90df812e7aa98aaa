import { t } from '@stint/core/text.ts'
import { formatTimer } from '@stint/core/time/duration.ts'
import { elapsedSeconds } from '@stint/core/timer/timer.ts'
import { Pause, Play, Square } from 'lucide-react'
import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'

import { runShortcut } from '#hooks/requests.ts'
import { useSettings } from '#hooks/use-settings.ts'
import { useTasks } from '#hooks/use-tasks.ts'
import { useTimer } from '#hooks/use-timer.ts'
import { useTimerCommands } from '#hooks/use-timer-commands.ts'
import { useRecord } from '#session/signed-in.ts'
import { Icon } from '#ui/icon.tsx'
import { StateShape } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { classNames } from '#ui/class-names.ts'
import { letterOf } from '#ui/key-letter.ts'
import { Name } from '#ui/name.tsx'
import { Dot } from '#ui/row.tsx'

/** Renders the timer in its floating window while a timer is active. */
export function FloatingTimer({ floating }: { floating: Window }) {
  const { timer } = useTimer()
  const idle = timer.status === 'idle'

  // Closes the window when the timer ends or the person signs out.
  useEffect(() => {
    if (idle) floating.close()
    return () => floating.close()
  }, [idle, floating])

  return !idle && createPortal(<FloatingContent floating={floating} />, floating.document.body)
}

function FloatingContent({ floating }: { floating: Window }) {
  const { timer, taskName } = useTimer()
  const { colors } = useTasks()
  const { pause, resume, stop } = useTimerCommands()
  const { clock } = useRecord()
  const { shortcuts } = useSettings()
  const [, setTick] = useState(0)

  // Uses the floating window's interval, because browsers throttle timers of a hidden page.
  useEffect(() => {
    const interval = floating.setInterval(() => setTick((count) => count + 1), 500)
    return () => floating.clearInterval(interval)
  }, [floating])

  // Handles only the timer's keys. All others belong to the page.
  useEffect(() => {
    if (!shortcuts) return undefined
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.repeat || event.ctrlKey || event.metaKey || event.altKey) return
      const key = letterOf(event)
      if (key === 's') runShortcut('stop')
      if (key === 'p') runShortcut('pause')
    }
    floating.addEventListener('keydown', onKeyDown)
    return () => floating.removeEventListener('keydown', onKeyDown)
  }, [floating, shortcuts])

  if (timer.status === 'idle') return null
  const paused = timer.status === 'paused'
  return (
    <main className="flex min-h-dvh flex-col justify-center gap-3 bg-surface p-4 text-sm text-ink">
      <div className="flex min-w-0 items-center gap-3">
        <span className={paused ? 'text-paused' : 'text-accent'}>
          <StateShape tone={paused ? 'held' : 'live'} />
        </span>
        <span
          role="timer"
          aria-label={t('Elapsed time')}
          className="figures text-2xl leading-none font-light tracking-tight"
        >
          {formatTimer(elapsedSeconds(timer, clock.now()))}
        </span>
        <span className="sr-only">{paused ? t('Paused') : t('Running')}</span>
      </div>
      <h1 className="flex min-w-0 items-center gap-2.5">
        <Dot tintName={colors.get(timer.taskId)} />
        <Name text={taskName ?? t('Deleted task')} className="font-semibold" />
      </h1>
      <div className="flex gap-2">
        <Button
          variant={paused ? 'primary' : 'secondary'}
          size="small"
          className={classNames('h-8!', paused ? 'flex-[3_0_0]' : 'flex-[2_0_0]')}
          onClick={() => void (paused ? resume() : pause())}
        >
          <Icon of={paused ? Play : Pause} filled className="size-3.5" />
          {paused ? t('Resume') : t('Pause')}
        </Button>
        <Button
          variant={paused ? 'secondary' : 'primary'}
          size="small"
          className={classNames('h-8!', paused ? 'flex-[2_0_0]' : 'flex-[3_0_0]')}
          onClick={() => void stop()}
        >
          <Icon of={Square} filled className="size-3.5" />
          {t('Stop')}
        </Button>
      </div>
    </main>
  )
}
