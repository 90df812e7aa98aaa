import { Play } from 'lucide-react'
import { memo } from 'react'
import { t } from '@stint/core/text.ts'
import { Icon } from '#ui/icon.tsx'
import { StateShape } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { classNames } from '#ui/class-names.ts'
import { useTimerCommands } from './use-timer-commands.ts'
import { useTimer } from './use-timer.ts'

/** The button of the active task shows the timer's state as a text in the state's colour. */
const STATE_CLASSES = {
  idle: '',
  running: 'disabled:border-transparent! disabled:font-semibold! disabled:text-accent!',
  paused: 'disabled:border-transparent! disabled:font-semibold! disabled:text-paused!',
}

/**
 * Starts a task. It is disabled while a timer is active, and that of the active task reads 'Running' or
 * 'Paused'. Memoised, as the times beside it change every second.
 */
export const StartButton = memo(function StartButton({
  taskId,
  name,
  iconOnPhones = false,
  className,
}: {
  taskId: string
  name: string
  /** Phones show only the icon. */
  iconOnPhones?: boolean
  className?: string
}) {
  const { timer } = useTimer()
  const { start } = useTimerCommands()
  const state = timer.status !== 'idle' && timer.taskId === taskId ? timer.status : 'idle'
  return (
    <Button
      size="small"
      className={classNames(
        'md:w-24',
        !iconOnPhones && 'min-w-20',
        STATE_CLASSES[state],
        className,
      )}
      disabled={timer.status !== 'idle'}
      aria-label={t(
        '{state, select, running {Running {task}} paused {Paused {task}} other {Start {task}}}',
        { state, task: name },
      )}
      onClick={() => void start(taskId)}
    >
      {state === 'idle' ? (
        <Icon of={Play} filled className="size-3" />
      ) : (
        <StateShape tone={state === 'running' ? 'live' : 'held'} />
      )}
      <span className={iconOnPhones ? 'max-md:hidden' : ''}>
        {t('{state, select, running {Running} paused {Paused} other {Start}}', { state })}
      </span>
    </Button>
  )
})
