import { PictureInPicture2 } from 'lucide-react'
import { Link } from '#ui/navigation.tsx'
import { t } from '@stint/core/text.ts'
import { StateShape } from '#ui/badge.tsx'
import { classNames } from '#ui/class-names.ts'
import { IconButton } from '#ui/icon-button.tsx'
import { Name } from '#ui/name.tsx'
import { canFloat } from '#ui/can-float.ts'
import { runShortcut } from '#hooks/requests.ts'
import { useTimer } from '#hooks/use-timer.ts'
import { Clock } from './clock.tsx'
import { TimerButtons } from './timer-buttons.tsx'
import { timerState } from './timer-words.ts'

/**
 * The timer on every screen except the dashboard: in the sidebar, or in a line above the bottom bar.
 * Its time and task link to the dashboard.
 */
export function TimerBar({ layout }: { layout: 'stacked' | 'line' }) {
  const { timer, taskName, creating } = useTimer()
  const state = timerState(timer, creating)
  if (timer.status === 'idle' || state === null) return null
  const stacked = layout === 'stacked'
  return (
    <section
      aria-label={t('Timer')}
      className={classNames(
        'flex animate-appear border-line bg-surface',
        stacked
          ? 'relative flex-col gap-3 rounded-panel border p-3'
          : 'items-center gap-3 border-t px-4 py-2 short:px-2 short:py-0.5',
      )}
    >
      <Link
        to="/dashboard"
        className={classNames(
          'flex min-w-0 flex-1 rounded-control',
          stacked ? 'flex-col gap-1' : 'flex-col justify-center',
        )}
      >
        <span
          className={classNames(
            'flex items-center gap-2',
            state.tone === 'held' ? 'text-paused' : 'text-accent',
          )}
        >
          <StateShape tone={state.tone} />
          <Clock className="figures text-lg leading-6 text-ink" />
          <span className="sr-only">{state.word}</span>
        </span>
        <Name text={taskName ?? t('Deleted task')} className="text-xs text-quiet" />
      </Link>
      <div className="flex gap-1.5">
        <TimerButtons status={timer.status} size="small" />
      </div>
      {stacked && canFloat() && (
        <IconButton
          icon={PictureInPicture2}
          label={t('Open floating timer')}
          className="absolute top-2 end-2"
          onClick={() => runShortcut('float')}
        />
      )}
    </section>
  )
}
