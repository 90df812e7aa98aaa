import { Pencil, Trash2 } from 'lucide-react'
import { memo } from 'react'
import type { CSSProperties } from 'react'
import { Link } from '#ui/navigation.tsx'
import { t } from '@stint/core/text.ts'
import { exactDuration } from '@stint/core/time/duration.ts'
import type { Task, TaskColor } from '@stint/core/record/task.ts'
import { goalOf } from '@stint/core/record/task.ts'
import { classNames } from '#ui/class-names.ts'
import { IconButton } from '#ui/icon-button.tsx'
import { Name } from '#ui/name.tsx'
import { RichText } from '#ui/rich-text.tsx'
import { ROW_LINK, RowNumber } from '#ui/row.tsx'
import { offerUndo } from '#ui/undo.ts'
import { PendingFigure } from '#ui/skeleton.tsx'
import { tint } from '#ui/tint.ts'
import { useTaskTotals } from '#hooks/use-task-totals.ts'
import { useFormats } from '#hooks/use-formats.ts'
import { StartButton } from '#hooks/start-button.tsx'
import { openTaskEditor } from '#hooks/requests.ts'
import { useTaskCommands } from './use-task-commands.ts'
import { useTasks } from '#hooks/use-tasks.ts'
import { GoalMeter } from '#hooks/goal-meter.tsx'

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
          todaySeconds={complete ? (totals.get(task.id)?.todaySeconds ?? 0) : 0}
          goalHours={goalOf(task)}
          complete={complete}
        />
      ))}
    </ul>
  )
})

/** The whole row is the link. The buttons are beside the link, so that they do not open the row. */
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
        'group lazy-row max-md:[--row:5.5rem] relative grid grid-cols-[auto_1fr_auto_auto_auto] items-center gap-x-3 bg-surface px-4 pt-3 pb-1.5 md:flex md:h-14 md:gap-4 md:py-0',
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
      <div className="min-w-0 flex-1 items-center gap-x-4 max-md:contents md:flex">
        <Link
          id={`task-${taskId}`}
          to={`/tasks/${taskId}`}
          className={classNames(ROW_LINK, 'font-semibold max-md:col-span-4')}
        >
          <Name text={name} />
        </Link>
        <GoalMeter goalHours={props.goalHours} todaySeconds={props.todaySeconds} />
        <span
          className="shrink-0 text-sm text-quiet max-md:col-start-2"
          title={complete ? exactDuration(totalSeconds) : t('Updating…')}
        >
          {complete ? (
            <RichText
              text={t('<time>{duration}</time> total tracked', {
                duration: duration(totalSeconds),
              })}
              tags={TOTAL_TAGS}
            />
          ) : (
            <PendingFigure />
          )}
        </span>
      </div>
      <StartButton taskId={taskId} name={name} iconOnPhones className="relative" />
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
          offerUndo(
            t('Task deleted. Its time stays in your reports.'),
            async () => (await removed)(),
            { undone: t('Task restored') },
          )
        }}
        className={classNames(ROW_ACTION, 'hover:text-danger max-md:-me-3')}
      />
    </li>
  )
})

const TOTAL_TAGS = {
  time: (text: string) => <span className="figures text-ink">{text}</span>,
}

const ROW_ACTION =
  'relative max-md:-ms-3 hoverable:opacity-0 hoverable:group-has-[:focus-visible]:opacity-100 hoverable:group-hover:opacity-100'

/** Moves the focus from a row that is about to be removed to the next row, or the previous one. */
function focusNeighbour(button: HTMLElement) {
  const row = button.closest('li')
  const neighbour = row?.nextElementSibling ?? row?.previousElementSibling
  neighbour?.querySelector('a')?.focus({ preventScroll: true })
}
