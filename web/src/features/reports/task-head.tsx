import { ArrowLeft, Pencil } from 'lucide-react'
import { useMemo } from 'react'
import { useNavigate } from '#ui/navigation.tsx'
import { t } from '@stint/core/text.ts'
import { exactDuration } from '@stint/core/time/duration.ts'
import { todayOf } from '@stint/core/reports/report-input.ts'
import type { ReportInput } from '@stint/core/reports/report-input.ts'
import { goalOf, nameInReports } from '@stint/core/record/task.ts'
import type { Task, TaskColor } from '@stint/core/record/task.ts'
import { taskStats } from '@stint/core/reports/task-report.ts'
import { useFormats } from '#hooks/use-formats.ts'
import { Icon } from '#ui/icon.tsx'
import { Button } from '#ui/button.tsx'
import { ByWidth } from '#ui/page-header.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { Dot } from '#ui/row.tsx'
import { GoalLine } from '#hooks/goal-meter.tsx'
import { openTaskEditor } from '#hooks/requests.ts'
import { StartButton } from '#hooks/start-button.tsx'
import { useExplain } from '#hooks/use-explain.ts'
import { Figure, Figures } from './figures.tsx'
import { withRunning } from './with-running.ts'

/** The button back to the task list. Phones show only 'Back'. */
export function BackToTasks() {
  const navigate = useNavigate()
  return (
    <Button
      size="small"
      variant="quiet"
      onClick={() => navigate('/tasks')}
      className="-ms-2.5 self-start print:hidden"
    >
      <Icon of={ArrowLeft} />
      <ByWidth wide={t('Back to Tasks')} narrow={t('Back')} />
    </Button>
  )
}

/** The task's name, dates and figures, all calculated from its entries. */
export function TaskHead({
  task,
  color,
  input,
  pending,
}: {
  task: Task
  color: TaskColor
  input: ReportInput
  pending: boolean
}) {
  const stats = useMemo(() => taskStats(input, task), [input, task])
  const explain = useExplain()
  const { duration } = useFormats()
  const name = nameInReports(task)
  const isRunning = input.live?.taskId === task.id
  const exact = (seconds: number) => withRunning(exactDuration(seconds), isRunning)
  const { totalSeconds, todaySeconds, sessions, averageSeconds } = stats
  const whole = { about: name, dates: null, taskIds: [task.id] }

  return (
    <>
      <div className="flex gap-3">
        <span className="mt-[0.6rem] flex h-2.5">
          <Dot tintName={color} />
        </span>
        <div className="flex min-w-0 flex-1 flex-col gap-x-4 gap-y-2 md:flex-row md:justify-between">
          <div className="min-w-0">
            <h2 dir="auto" className="text-start text-lg font-semibold tracking-tight break-words">
              {name}
            </h2>
            <p className="flex flex-wrap gap-x-4 text-sm text-quiet">
              <span>{stats.createdLine}</span>
              {pending ? (
                <Skeleton className="h-[1lh] w-40 scale-y-75" />
              ) : (
                <span>{stats.lastWorkedLine}</span>
              )}
            </p>
            {!pending && <GoalLine goalHours={goalOf(task)} todaySeconds={todaySeconds} />}
          </div>
          <div className="flex shrink-0 flex-wrap gap-2 self-start md:-me-2.5 print:hidden">
            {task.isActive && <StartButton taskId={task.id} name={task.name} />}
            <Button variant="quiet" size="small" onClick={() => openTaskEditor(task.id)}>
              <Icon of={Pencil} />
              {t('Edit task')}
            </Button>
          </div>
        </div>
      </div>
      <Figures label={t('Task figures')} layout="cards">
        <Figure
          label={t('Total Time')}
          value={duration(totalSeconds)}
          exact={exact(totalSeconds)}
          pending={pending}
          onExplain={() => explain({ title: t('Total Time'), ...whole })}
        />
        <Figure
          label={t('Sessions')}
          value={String(sessions)}
          pending={pending}
          onExplain={() =>
            explain({ title: t('Sessions'), ...whole, savedOnly: true, reading: 'count' })
          }
        />
        <Figure
          label={t('Avg Session')}
          value={duration(averageSeconds)}
          exact={exactDuration(averageSeconds)}
          pending={pending}
          onExplain={() =>
            explain({ title: t('Avg Session'), ...whole, savedOnly: true, reading: 'average' })
          }
        />
        <Figure
          label={t('Today')}
          value={duration(todaySeconds)}
          exact={exact(todaySeconds)}
          pending={pending}
          onExplain={() => explain({ title: t('Today'), ...whole, dates: todayOf(input) })}
        />
      </Figures>
    </>
  )
}
