import { memo, useId, useMemo, useState } from 'react'
import { Link, useNavigate } from '#ui/navigation.tsx'
import { quickStart } from '@stint/core/record/recent.ts'
import { isCategorised } from '@stint/core/record/task.ts'
import type { Task, TaskColor } from '@stint/core/record/task.ts'
import { t } from '@stint/core/text.ts'
import { exactDuration } from '@stint/core/time/duration.ts'
import { Button } from '#ui/button.tsx'
import { classNames } from '#ui/class-names.ts'
import { EmptyState } from '#ui/empty-state.tsx'
import { ErrorPanel } from '#ui/error-panel.tsx'
import { Name } from '#ui/name.tsx'
import { Dot, Panel, ROW_LINK, RowNumber } from '#ui/row.tsx'
import { PendingFigure, SkeletonRows } from '#ui/skeleton.tsx'
import { Loading } from '#ui/spinner.tsx'
import { useEntries } from '#hooks/use-entries.ts'
import { useTaskTotals } from '#hooks/use-task-totals.ts'
import { useFormats } from '#hooks/use-formats.ts'
import { useSettings } from '#hooks/use-settings.ts'
import { useTasks } from '#hooks/use-tasks.ts'
import { StartButton } from '#hooks/start-button.tsx'
import { useTimer } from '#hooks/use-timer.ts'

/**
 * The pinned tasks and those worked on last, each with its times and a Start button. The others are
 * shown by a button, and found by the field that starts a timer.
 */
export function QuickStart() {
  const { status, error, reload, tasks } = useTasks()
  const { pinnedTasks } = useSettings()
  const { entries } = useEntries()
  const { timer } = useTimer()
  const activeId = timer.status === 'idle' ? null : timer.taskId
  const { all, first } = useMemo(
    () => quickStart(tasks, pinnedTasks, entries, activeId),
    [tasks, pinnedTasks, entries, activeId],
  )
  const [isOpen, setIsOpen] = useState(false)
  const listId = useId()
  const hasMore = all.length > first.length
  const shown = isOpen ? all : first

  return (
    <section aria-labelledby="quick-start" className="flex flex-col gap-3">
      <h2 id="quick-start" className="text-base font-semibold">
        {t('Quick Start')}
      </h2>
      {status === 'error' ? (
        <ErrorPanel title={t('Error loading tasks')} message={error} onRetry={reload} />
      ) : (
        <Panel>
          <QuickStartList id={listId} tasks={shown} activeId={activeId} />
          {hasMore && (
            <div className="border-t border-line px-1.5 py-1">
              <Button
                variant="quiet"
                size="small"
                aria-expanded={isOpen}
                aria-controls={listId}
                onClick={() => setIsOpen(!isOpen)}
              >
                {isOpen ? t('Show fewer') : t('Show all {count, number}', { count: all.length })}
              </Button>
            </div>
          )}
        </Panel>
      )}
    </section>
  )
}

function QuickStartList({
  id,
  tasks,
  activeId,
}: {
  id: string
  tasks: readonly Task[]
  activeId: string | null
}) {
  const { status, colors } = useTasks()
  const { totals, complete } = useTaskTotals()
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
          // Not the primary action: that is the field above, which creates a task and starts it.
          <Button onClick={() => navigate('/tasks')}>{t('Add Task')}</Button>
        }
      >
        {t('No tasks yet. Create your first task!')}
      </EmptyState>
    )
  }
  return (
    <>
      <div
        aria-hidden="true"
        className="flex h-9 items-center gap-4 border-b border-line px-4 text-xs text-quiet max-wide:hidden"
      >
        <span className="w-6">{t('No.')}</span>
        <span className="flex-1">{t('Task')}</span>
        <span className="w-24 text-end">{t('Today')}</span>
        <span className="w-24 text-end">{t('Total')}</span>
        <span className="w-24" />
      </div>
      <ul id={id}>
        {tasks.map((task, index) => {
          const time = totals.get(task.id)
          return (
            <QuickStartRow
              key={task.id}
              place={index + 1}
              taskId={task.id}
              name={task.name}
              category={isCategorised(task) ? task.category : ''}
              color={colors.get(task.id)}
              todaySeconds={time?.todaySeconds ?? 0}
              totalSeconds={time?.totalSeconds ?? 0}
              complete={complete}
              isActive={task.id === activeId}
            />
          )
        })}
      </ul>
    </>
  )
}

/**
 * The whole row links to the task's page; Start is beside the link. Memoised, so that a running timer
 * re-renders one row and not all of them.
 */
const QuickStartRow = memo(function QuickStartRow(props: {
  place: number
  taskId: string
  name: string
  /** '' for the one that every task has by itself. */
  category: string
  color: TaskColor | undefined
  todaySeconds: number
  totalSeconds: number
  complete: boolean
  isActive: boolean
}) {
  const { place, taskId, name, color, isActive } = props
  return (
    <li className="lazy-row [--row:4rem] wide:[--row:3rem] relative flex min-h-16 items-center gap-3 border-t border-line px-4 py-2 first:border-t-0 wide:h-12 wide:min-h-12 wide:gap-4 wide:py-0 hoverable:hover:bg-wash">
      <RowNumber place={place} />
      <div className="flex min-w-0 flex-1 flex-col wide:flex-row wide:items-center wide:gap-4">
        <Link to={`/tasks/${taskId}`} className={classNames(ROW_LINK, 'flex items-center gap-2.5')}>
          <Dot tintName={color} />
          <Name text={name} className={isActive ? 'font-semibold' : ''} />
        </Link>
        <div className="flex flex-wrap gap-x-2 ps-5 text-xs text-quiet max-[23rem]:ps-0 wide:gap-4 wide:ps-0 wide:text-sm">
          {props.category !== '' && (
            <span dir="auto" title={props.category} className="name max-w-40 max-sm:hidden">
              {props.category}
            </span>
          )}
          <RowTime label={t('Today')} seconds={props.todaySeconds} complete={props.complete} />
          <RowTime label={t('Total')} seconds={props.totalSeconds} complete={props.complete} />
        </div>
      </div>
      <StartButton taskId={taskId} name={name} className="relative" />
    </li>
  )
})

/** A total of a row; a placeholder of its size while entries are loading. */
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
        'figures whitespace-nowrap wide:w-24 wide:text-end',
        complete && seconds > 0 && 'text-ink',
      )}
    >
      <span className="text-quiet wide:sr-only">{label} </span>
      {complete ? duration(seconds) : <PendingFigure />}
    </span>
  )
}
