import { Play } from 'lucide-react'
import { memo } from 'react'
import { useNavigate } from 'react-router'
import type { TaskColor } from '@stint/core/record/task.ts'
import { t } from '@stint/core/text.ts'
import { exactDuration } from '@stint/core/time/duration.ts'
import { pinnedFirst } from '@stint/core/record/task.ts'
import type { Timer } from '@stint/core/timer/timer.ts'
import { Icon } from '#ui/icon.tsx'
import { StateShape } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { classNames } from '#ui/class-names.ts'
import { EmptyState } from '#ui/empty-state.tsx'
import { ErrorPanel } from '#ui/error-panel.tsx'
import { Name } from '#ui/name.tsx'
import { Dot, Panel, RowNumber } from '#ui/row.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { Loading } from '#ui/spinner.tsx'
import { useTaskTotals } from '#features/entries/api.ts'
import { useFormats, useSettings } from '#features/settings/api.ts'
import { useTasks } from '#features/tasks/api.ts'
import { useTimer } from './api/use-timer.ts'
import { useTimerCommands } from './api/commands.ts'

/** Every task with its times and a Start button, pinned tasks first, then newest first. */
export function QuickStart() {
  const { status, error, reload } = useTasks()
  return (
    <section aria-labelledby="quick-start" className="flex flex-col gap-3">
      <h2 id="quick-start" className="text-base font-semibold">
        {t('Quick Start')}
      </h2>
      {status === 'error' ? (
        <ErrorPanel title={t('Error loading tasks')} message={error} onRetry={reload} />
      ) : (
        <Panel>
          <QuickStartList />
        </Panel>
      )}
    </section>
  )
}

function QuickStartList() {
  const { status, tasks: newestFirst, colors } = useTasks()
  const { pinnedTasks } = useSettings()
  const tasks = pinnedFirst(newestFirst, pinnedTasks)
  const { totals, complete } = useTaskTotals()
  const { timer } = useTimer()
  const navigate = useNavigate()

  if (status === 'loading') {
    return (
      <>
        <Loading text={t('Loading your tasks...')} place="row" />
        <SkeletonRows />
      </>
    )
  }
  if (tasks.length === 0) {
    return (
      <EmptyState
        drawing="clock"
        action={
          <Button variant="primary" onClick={() => void navigate('/tasks')}>
            {t('Add Task')}
          </Button>
        }
      >
        {t('No tasks yet. Create your first task!')}
      </EmptyState>
    )
  }

  const activeTaskId = timer.status === 'idle' ? null : timer.taskId
  return (
    <>
      <div
        aria-hidden="true"
        className="flex h-9 items-center gap-4 border-b border-line px-4 text-xs text-quiet max-md:hidden"
      >
        <span className="w-6">{t('No.')}</span>
        <span className="flex-1">{t('Task')}</span>
        <span className="w-24 text-end">{t('Today')}</span>
        <span className="w-24 text-end">{t('Total')}</span>
        <span className="w-24" />
      </div>
      <ul>
        {tasks.map((task, index) => {
          const time = totals.get(task.id)
          return (
            <QuickStartRow
              key={task.id}
              place={index + 1}
              taskId={task.id}
              name={task.name}
              color={colors.get(task.id)}
              todaySeconds={time?.todaySeconds ?? 0}
              totalSeconds={time?.totalSeconds ?? 0}
              complete={complete}
              startable={activeTaskId === null}
              state={task.id === activeTaskId ? timer.status : 'idle'}
            />
          )
        })}
      </ul>
    </>
  )
}

interface QuickStartRowProps {
  place: number
  taskId: string
  name: string
  color: TaskColor | undefined
  todaySeconds: number
  totalSeconds: number
  complete: boolean
  startable: boolean
  state: Timer['status']
}

/** The active row's button shows the timer's state as a text in the state's colour. */
const STATE_CLASSES = {
  idle: '',
  running: 'disabled:border-transparent! disabled:font-semibold! disabled:text-accent!',
  paused: 'disabled:border-transparent! disabled:font-semibold! disabled:text-paused!',
}

/** Memoised, so that a running timer re-renders one row and not all of them. */
const QuickStartRow = memo(function QuickStartRow(props: QuickStartRowProps) {
  const { place, taskId, name, color, state, startable } = props
  return (
    <li className="lazy-row flex min-h-16 items-center gap-3 border-t border-line px-4 py-2 first:border-t-0 md:h-12 md:min-h-12 md:gap-4 md:py-0 hoverable:hover:bg-wash">
      <RowNumber place={place} />
      <div className="flex min-w-0 flex-1 flex-col md:flex-row md:items-center md:gap-4">
        <div className="flex min-w-0 flex-1 items-center gap-2.5">
          <Dot tintName={color} />
          <Name text={name} className={state === 'idle' ? '' : 'font-semibold'} />
        </div>
        <div className="flex flex-wrap gap-x-2 ps-5 text-xs text-quiet md:gap-4 md:ps-0 md:text-sm">
          <RowTime label={t('Today')} seconds={props.todaySeconds} complete={props.complete} />
          <RowTime label={t('Total')} seconds={props.totalSeconds} complete={props.complete} />
        </div>
      </div>
      <StartButton taskId={taskId} name={name} startable={startable} state={state} />
    </li>
  )
})

type StartButtonProps = Pick<QuickStartRowProps, 'taskId' | 'name' | 'startable' | 'state'>

/** Memoised separately, as its row's times change every second. */
const StartButton = memo(function StartButton(props: StartButtonProps) {
  const { taskId, name, startable, state } = props
  const { start } = useTimerCommands()
  return (
    <Button
      size="small"
      className={classNames('w-24', STATE_CLASSES[state])}
      disabled={!startable}
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
      {t('{state, select, running {Running} paused {Paused} other {Start}}', { state })}
    </Button>
  )
})

/** A total of a row. It pulses while older entries are loading. */
function RowTime({
  label,
  seconds,
  complete,
}: {
  label: string
  seconds: number
  complete: boolean
}) {
  const { duration } = useFormats()
  return (
    <span
      title={complete ? exactDuration(seconds) : t('Updating…')}
      className={classNames(
        'figures whitespace-nowrap md:w-24 md:text-end',
        seconds > 0 && 'text-ink',
        !complete && 'animate-breathe',
      )}
    >
      <span className="text-quiet md:sr-only">{label} </span>
      {duration(seconds)}
    </span>
  )
}
