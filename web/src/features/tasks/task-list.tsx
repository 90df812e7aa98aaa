import { Pencil, Trash2 } from 'lucide-react'
import { memo } from 'react'
import type { CSSProperties } from 'react'
import { Link } from 'react-router'
import { t } from '@stint/core/text.ts'
import { exactDuration } from '@stint/core/time/duration.ts'
import type { Task, TaskColor } from '@stint/core/record/task.ts'
import { classNames } from '#ui/class-names.ts'
import { IconButton } from '#ui/icon-button.tsx'
import { Name } from '#ui/name.tsx'
import { RichText } from '#ui/rich-text.tsx'
import { RowNumber } from '#ui/row.tsx'
import { offerUndo } from '#ui/undo.ts'
import { tint } from '#ui/tint.ts'
import { useTaskTotals } from '#features/entries/api.ts'
import { useFormats } from '#features/settings/api.ts'
import { openTaskEditor, useTaskCommands, useTasks } from './api.ts'
import { GoalMeter } from './goal-meter.tsx'

/** The task list: rows on wide screens, cards on phones. Each links to its analytics. */
export const TaskList = memo(function TaskList({ tasks }: { tasks: readonly Task[] }) {
  const { colors } = useTasks()
  const { totals, complete } = useTaskTotals()
  return (
    <ul className="flex flex-col max-md:gap-2 md:overflow-hidden md:rounded-panel md:border md:border-line md:bg-surface">
      {tasks.map((task, index) => (
        <TaskRow
          key={task.id}
          place={index + 1}
          taskId={task.id}
          name={task.name}
          color={colors.get(task.id)}
          totalSeconds={totals.get(task.id)?.totalSeconds ?? 0}
          todaySeconds={totals.get(task.id)?.todaySeconds ?? 0}
          goalHours={task.goalHours}
          complete={complete}
        />
      ))}
    </ul>
  )
})

/** The whole row is the link. Delete is beside the link, so that it does not open the row. */
const TaskRow = memo(function TaskRow(props: {
  place: number
  taskId: string
  name: string
  color: TaskColor | undefined
  totalSeconds: number
  todaySeconds: number
  goalHours: number
  complete: boolean
}) {
  const { place, taskId, name, color, totalSeconds, complete } = props
  const { remove } = useTaskCommands()
  const { duration } = useFormats()
  const bar: CSSProperties = { backgroundColor: tint(color ?? 'slate') }
  return (
    <li
      className={classNames(
        'group lazy-row relative flex min-h-16 items-center gap-3 bg-surface px-4 md:h-14 md:min-h-0 md:gap-4',
        'overflow-hidden md:border-t md:border-line md:first:border-t-0 max-md:rounded-panel max-md:border max-md:border-line',
        'has-[:focus-visible]:bg-wash hoverable:hover:bg-wash',
      )}
    >
      <span
        aria-hidden="true"
        style={bar}
        className="absolute top-0 start-0 h-[3px] w-full md:start-4 md:w-6 md:rounded-b-[2px]"
      />
      <RowNumber place={place} />
      <div className="flex min-w-0 flex-1 flex-col gap-x-4 md:flex-row md:items-center">
        <Link
          id={`task-${taskId}`}
          to={`/tasks/${taskId}`}
          className="min-w-0 flex-1 font-semibold outline-none after:absolute after:inset-0 focus-visible:after:rounded-[inherit] focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
        >
          <Name text={name} />
        </Link>
        <GoalMeter goalHours={props.goalHours} todaySeconds={props.todaySeconds} />
        <span
          className={classNames('shrink-0 text-sm text-quiet', !complete && 'animate-breathe')}
          title={complete ? exactDuration(totalSeconds) : t('Updating…')}
        >
          <RichText
            text={t('<time>{duration}</time> total tracked', { duration: duration(totalSeconds) })}
            tags={TOTAL_TAGS}
          />
        </span>
      </div>
      <IconButton
        icon={Pencil}
        label={t('Edit task')}
        aria-describedby={`task-${taskId}`}
        onClick={() => openTaskEditor(taskId)}
        className={ROW_ACTION}
      />
      <IconButton
        icon={Trash2}
        label={t('Delete task')}
        aria-describedby={`task-${taskId}`}
        onClick={(event) => {
          focusNeighbour(event.currentTarget)
          const removed = remove(taskId)
          offerUndo(t('Task deleted. Its time stays in your reports.'), async () =>
            (await removed)(),
          )
        }}
        className={classNames(ROW_ACTION, 'hover:text-danger max-md:-ms-3')}
      />
    </li>
  )
})

const TOTAL_TAGS = {
  time: (text: string) => <span className="figures text-ink">{text}</span>,
}

const ROW_ACTION =
  'relative hoverable:opacity-0 hoverable:group-has-[:focus-visible]:opacity-100 hoverable:group-hover:opacity-100'

/** Moves the focus from a row that is about to be removed to the next row, or the previous one. */
function focusNeighbour(button: HTMLElement) {
  const row = button.closest('li')
  const neighbour = row?.nextElementSibling ?? row?.previousElementSibling
  neighbour?.querySelector('a')?.focus({ preventScroll: true })
}
