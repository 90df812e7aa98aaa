import { Pencil, Trash2 } from 'lucide-react'
import { memo } from 'react'
import type { CSSProperties } from 'react'
import { Link } from '#ui/navigation.tsx'
import { t } from '@stint/core/text.ts'
import { exactDuration } from '@stint/core/time/duration.ts'
import type { Task, TaskColor } from '@stint/core/record/task.ts'
import { goalOf, isCategorised } from '@stint/core/record/task.ts'
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
    <ul className="flex flex-col max-wide:gap-2 wide:overflow-hidden wide:rounded-panel wide:border wide:border-line wide:bg-surface">
      {tasks.map((task, index) => (
        <TaskRow
          key={task.id}
          place={index + 1}
          taskId={task.id}
          name={task.name}
          category={isCategorised(task) ? task.category : ''}
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
  /** '' for the one that every task has by itself. */
  category: string
  color: TaskColor | undefined
  totalSeconds: number
  todaySeconds: number
  goalHours: number
  complete: boolean
}) {
  const { place, taskId, name, color, totalSeconds, complete } = props
  const { remove } = useTaskCommands()
  const { duration } = useFormats()
  // On narrow screens the buttons are beside both lines, the category and the total.
  const beside = props.category !== '' && 'max-wide:row-span-2'
  const bar: CSSProperties = { backgroundColor: tint(color ?? 'slate') }
  return (
    <li
      className={classNames(
        'group lazy-row max-wide:[--row:5.5rem] relative grid grid-cols-[auto_1fr_auto_auto] items-center gap-x-1 bg-surface px-4 pt-3 pb-1.5 wide:flex wide:h-14 wide:gap-4 wide:py-0',
        'overflow-hidden wide:border-t wide:border-line wide:first:border-t-0 max-wide:rounded-panel max-wide:border max-wide:border-line',
        'has-[:focus-visible]:bg-wash hoverable:hover:bg-wash',
      )}
    >
      <span
        aria-hidden="true"
        style={bar}
        className="absolute top-0 start-0 h-[3px] w-full wide:start-4 wide:w-6 wide:rounded-b-[2px]"
      />
      <RowNumber place={place} />
      <div className="min-w-0 flex-1 items-center gap-x-4 max-wide:contents wide:flex">
        <Link
          id={`task-${taskId}`}
          to={`/tasks/${taskId}`}
          className={classNames(ROW_LINK, 'font-semibold max-wide:col-span-3')}
        >
          <Name text={name} />
        </Link>
        <GoalMeter goalHours={props.goalHours} todaySeconds={props.todaySeconds} />
        {props.category !== '' && (
          <span
            dir="auto"
            title={props.category}
            className="name max-w-40 text-sm text-quiet max-wide:col-start-2 max-wide:row-start-2 max-wide:max-w-full max-wide:self-end wide:shrink-0"
          >
            {props.category}
          </span>
        )}
        <span
          className={classNames(
            'shrink-0 text-sm text-quiet transition-opacity duration-80 max-wide:col-start-2',
            props.category !== '' && 'max-wide:row-start-3 max-wide:self-start',
            'wide:hoverable:group-has-[:focus-visible]:opacity-0 wide:hoverable:group-hover:opacity-0',
          )}
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
      <StartButton
        taskId={taskId}
        name={name}
        iconOnPhones
        className={classNames('relative max-wide:col-start-4 max-wide:row-start-2', beside)}
      />
      <span className={classNames(ROW_ACTIONS, beside)}>
        <IconButton
          icon={Pencil}
          label={t('Edit task')}
          aria-describedby={`task-${taskId}`}
          onClick={() => openTaskEditor(taskId)}
        />
        <IconButton
          icon={Trash2}
          label={t('Delete task')}
          aria-describedby={`task-${taskId}`}
          onClick={(event) => {
            focusNeighbour(event.currentTarget)
            const removed = remove(taskId)
            offerUndo(
              t('Moved to archive. Its time stays in your reports.'),
              async () => (await removed)(),
              {
                undone: t('Task restored'),
                several: (count) =>
                  t('{count} tasks moved to archive. Their time stays in your reports.', { count }),
              },
            )
          }}
          className="hover:text-danger"
        />
      </span>
    </li>
  )
})

const TOTAL_TAGS = {
  time: (text: string) => <span className="figures text-ink">{text}</span>,
}

/**
 * Edit and Delete. With a mouse they take the place of the total while the row is pointed at or has the focus, so
 * that they need no room of their own.
 */
const ROW_ACTIONS =
  'relative flex shrink-0 max-wide:col-start-3 max-wide:row-start-2 max-wide:-ms-2 wide:hoverable:absolute wide:hoverable:inset-y-0 wide:hoverable:end-32 wide:hoverable:items-center hoverable:opacity-0 hoverable:group-has-[:focus-visible]:opacity-100 hoverable:group-hover:opacity-100'

/** Moves the focus from a row that is about to be removed to the next row, or the previous one. */
function focusNeighbour(button: HTMLElement) {
  const row = button.closest('li')
  const neighbour = row?.nextElementSibling ?? row?.previousElementSibling
  neighbour?.querySelector('a')?.focus({ preventScroll: true })
}
