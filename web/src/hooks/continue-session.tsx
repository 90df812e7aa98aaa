import { Play } from 'lucide-react'
import { t } from '@stint/core/text.ts'
import { classNames } from '#ui/class-names.ts'
import { Icon } from '#ui/icon.tsx'
import { ICON_BUTTON } from '#ui/icon-button.tsx'
import { useTimer } from './use-timer.ts'
import { useTimerCommands } from './use-timer-commands.ts'

/**
 * Starts the task of a session again, with its note, while no timer is active. `what` tells the sessions apart. The name
 * is an aria-label instead of text, so that it is no part of the row's text.
 */
export function ContinueSession({
  taskId,
  note,
  what,
  tabIndex,
  className,
}: {
  taskId: string
  note: string | null
  what: string
  tabIndex?: number
  className: string
}) {
  const { timer } = useTimer()
  const { start } = useTimerCommands()
  return (
    <button
      type="button"
      title={t('Continue')}
      aria-label={t('Continue {session}', { session: what })}
      tabIndex={tabIndex}
      disabled={timer.status !== 'idle'}
      onClick={() => void start(taskId, note ?? undefined)}
      className={classNames(ICON_BUTTON, 'disabled:text-edge', className)}
    >
      <Icon of={Play} className="size-5 md:size-4" />
    </button>
  )
}
