import type { SessionFilter } from '@stint/core/record/session-filter.ts'
import { nameInReports } from '@stint/core/record/task.ts'
import { t } from '@stint/core/text.ts'
import { exactDuration } from '@stint/core/time/duration.ts'
import { Badge } from '#ui/badge.tsx'
import { Name } from '#ui/name.tsx'
import { Dot } from '#ui/row.tsx'
import { openEditor } from '#hooks/requests.ts'
import { useDayRule } from '#hooks/use-settings.ts'
import { useFormats } from '#hooks/use-formats.ts'
import { useTasks } from '#hooks/use-tasks.ts'
import { useTimer } from '#hooks/use-timer.ts'
import { useMatchingTimer } from './use-matching-timer.ts'

/** The running session, if it matches the filter. It cannot be selected, but totals count it. */
export function RunningRow({ filter }: { filter: SessionFilter }) {
  const { timer } = useTimer()
  const live = useMatchingTimer(filter)
  const { allTasks, colors } = useTasks()
  const { timeZone } = useDayRule()
  const { duration, timeInRange } = useFormats()
  if (!live) return null
  const name = nameInReports(allTasks.find(({ id }) => id === live.taskId))
  const isRunning = timer.status === 'running'
  return (
    <section
      aria-label={t('Timer')}
      className="relative flex min-h-14 items-center gap-3 border-b border-line px-4 text-sm hoverable:hover:bg-wash"
    >
      <Dot tintName={colors.get(live.taskId)} />
      <button
        type="button"
        aria-label={t('Edit {session}', { session: name })}
        onClick={() => openEditor({ kind: 'timer' })}
        className="min-w-0 flex-1 text-start font-semibold outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
      >
        <Name text={name} />
      </button>
      <span className="figures whitespace-nowrap text-quiet max-wide:hidden">
        {t('{start} – now', { start: timeInRange(live.startedAt, timeZone) })}
      </span>
      <Badge tone={isRunning ? 'live' : 'held'}>{isRunning ? t('Running') : t('Paused')}</Badge>
      <span
        title={exactDuration(live.durationSeconds)}
        className="figures min-w-16 text-end font-semibold whitespace-nowrap"
      >
        {duration(live.durationSeconds)}
      </span>
    </section>
  )
}
