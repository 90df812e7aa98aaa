import { useParams } from '#ui/navigation.tsx'
import type { Task } from '@stint/core/record/task.ts'
import { t } from '@stint/core/text.ts'
import { barUnit } from '@stint/core/time/period.ts'
import { ErrorPanel } from '#ui/error-panel.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { Loading } from '#ui/spinner.tsx'
import { ActivitySection } from '#features/reports/activity-section.tsx'
import { ExplanationProvider } from '#features/reports/explanation-provider.tsx'
import { PeriodBarsSection } from '#features/reports/period-bars-section.tsx'
import { RecentSessions } from '#features/reports/recent-sessions.tsx'
import { ReportNotice } from '#features/reports/report-notice.tsx'
import { BackToTasks, TaskHead } from '#features/reports/task-head.tsx'
import { TaskNotFound } from '#features/reports/task-not-found.tsx'
import { TimeControls } from '#features/reports/time-controls.tsx'
import { usePeriod } from '#features/reports/use-period.ts'
import { useReport } from '#hooks/use-report.ts'
import { useTask } from '#features/reports/use-task.ts'
import { useTasks } from '#hooks/use-tasks.ts'
import { DaySection } from '#features/timeline/day-section.tsx'
import { PageTitle } from '#features/timer/page-title.tsx'

/** /tasks/{taskId}: the analytics of one task. */
export function Component() {
  const { taskId = '' } = useParams()
  const found = useTask(taskId)
  if (found.status === 'missing') {
    return (
      <>
        <PageTitle page={t('Task not found')} />
        <TaskNotFound />
      </>
    )
  }
  return (
    <div className="flex flex-col gap-5">
      <PageTitle page={found.status === 'found' ? found.task.name : TITLE} />
      <div className="flex flex-col gap-1">
        <BackToTasks />
        <PageHeader title={TITLE} />
      </div>
      {found.status === 'loading' && <Loading text={t('Loading reports...')} />}
      {found.status === 'error' && (
        <ErrorPanel title={t('Error loading tasks')} message={found.error} onRetry={found.retry} />
      )}
      {found.status === 'found' && <Analytics key={taskId} task={found.task} />}
    </div>
  )
}

const TITLE = t('Task Analytics & Insights')

function Analytics({ task }: { task: Task }) {
  const report = useReport(t('Failed to load task entries'))
  const { status, input, error, retry } = report
  const { colors } = useTasks()
  const shown = usePeriod(input)
  const { period } = shown
  const color = colors.get(task.id) ?? 'slate'
  const pending = status !== 'ready'

  return (
    <ExplanationProvider input={input}>
      <ReportNotice report={report} />
      <TaskHead task={task} color={color} input={input} pending={pending} />
      {status === 'failed' ? (
        <ErrorPanel title={t('Error loading reports')} message={error} onRetry={retry} />
      ) : (
        <>
          <TimeControls input={input} shown={shown} />
          <PeriodBarsSection
            input={input}
            period={period}
            task={task}
            color={color}
            pending={pending}
          />
          {barUnit(period) === 'day' && (
            <ActivitySection
              input={input}
              taskId={task.id}
              period={period}
              color={color}
              pending={pending}
            />
          )}
          <RecentSessions input={input} taskId={task.id} pending={pending} />
          <DaySection input={input} period={period} taskId={task.id} pending={pending} />
        </>
      )}
    </ExplanationProvider>
  )
}
