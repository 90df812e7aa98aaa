import { exactDuration, formatDuration } from '@stint/core/duration.ts'
import { ByWidth, PageHeader } from '#ui/page-header.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { Loading } from '#ui/spinner.tsx'
import { StatCard, StatCards } from '#ui/stat-card.tsx'
import { useAuth } from '#features/auth/api.ts'
import { useTaskTotals } from '#features/entries/api.ts'
import { useTasks } from '#features/tasks/api.ts'
import { PageTitle } from '#features/timer/page-title.tsx'
import { QuickStart } from '#features/timer/quick-start.tsx'
import { SessionErrorBanner } from '#features/timer/session-error-banner.tsx'
import { TimerPanel } from '#features/timer/timer-panel.tsx'
import { UnfinishedTimers } from '#features/timer/unfinished-timers.tsx'

/** /dashboard (spec 2): the time, three figures, the tasks. */
export function Component() {
  const auth = useAuth()
  if (auth.status !== 'signed-in') return <Loading text="Authenticating..." />
  return (
    <div className="flex flex-col gap-6">
      <PageTitle page="Dashboard" />
      <PageHeader
        title="Dashboard"
        subtitle={
          <ByWidth
            wide="Welcome back! Here's your productivity overview"
            narrow="Track your productivity"
          />
        }
      />
      <SessionErrorBanner />
      <UnfinishedTimers />
      <TimerPanel />
      <Figures />
      <QuickStart />
    </div>
  )
}

function Figures() {
  const { status, todaySeconds, tasksWorkedOn, complete } = useTaskTotals()
  const tasks = useTasks()
  const pending = <Skeleton className="my-1 h-6 w-16" />
  if (status === 'loading') {
    return (
      <>
        <output className="sr-only">Loading reports...</output>
        <StatCards>
          <StatCard label="Total Time Today" value={pending} />
          <StatCard label="Tasks Worked On" value={pending} />
          <StatCard label="Total Tasks" value={pending} />
        </StatCards>
      </>
    )
  }
  const note = complete ? undefined : 'Updating…'
  return (
    <StatCards>
      <StatCard
        label="Total Time Today"
        value={formatDuration(todaySeconds)}
        title={exactDuration(todaySeconds)}
        note={note}
      />
      <StatCard label="Tasks Worked On" value={tasksWorkedOn} note={note} />
      <StatCard
        label="Total Tasks"
        value={tasks.status === 'loading' ? pending : tasks.tasks.length}
      />
    </StatCards>
  )
}
