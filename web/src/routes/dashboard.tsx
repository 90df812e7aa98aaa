import { Search, Settings } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from '#ui/navigation.tsx'
import { t } from '@stint/core/text.ts'
import { exactDuration } from '@stint/core/time/duration.ts'
import { Icon } from '#ui/icon.tsx'
import { IconButton } from '#ui/icon-button.tsx'
import { ByWidth, PageHeader } from '#ui/page-header.tsx'
import { later } from '#ui/later.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { Loading } from '#ui/spinner.tsx'
import { StatCard, StatCards } from '#ui/stat-card.tsx'
import { useAuth } from '#hooks/use-auth.ts'
import { useEntries } from '#hooks/use-entries.ts'
import { useTaskTotals } from '#hooks/use-task-totals.ts'
import { runShortcut } from '#hooks/requests.ts'
import { useHasTargets } from '#hooks/use-has-targets.ts'
import { useFormats } from '#hooks/use-formats.ts'
import { useTasks } from '#hooks/use-tasks.ts'
import { FocusNote } from '#features/focus/on-demand.ts'
import { Prompts } from '#features/timer/on-demand.ts'
import { useHasQuestions } from '#features/timer/use-has-questions.ts'
import { useConnection } from '#hooks/use-connection.ts'
import { PageTitle } from '#features/timer/page-title.tsx'
import { QuickStart } from '#features/timer/quick-start.tsx'
import { TimerPanel } from '#features/timer/timer-panel.tsx'
import { OverlapPrompts } from '#features/your-data/on-demand.ts'

/** /dashboard: the timer, three figures and the tasks. */
export function Component() {
  const auth = useAuth()
  if (auth.status !== 'signed-in') return <Loading text={t('Authenticating...')} />
  return (
    <div className="flex flex-col gap-6">
      <PageTitle page={t('Dashboard')} />
      <PageHeader
        title={t('Dashboard')}
        subtitle={
          <ByWidth
            wide={t("Welcome back! Here's your productivity overview")}
            narrow={t('Track your productivity')}
          />
        }
        actions={
          // Wide screens have these in the sidebar.
          <div className="-me-2.5 flex md:hidden">
            <IconButton icon={Search} label={t('Search')} onClick={() => runShortcut('palette')} />
            <Link
              to="/settings"
              title={t('Settings')}
              className="inline-flex size-11 items-center justify-center rounded-control text-quiet hover:bg-wash hover:text-ink"
            >
              <Icon of={Settings} className="size-5" />
              <span className="sr-only">{t('Settings')}</span>
            </Link>
          </div>
        }
      />
      <TimerPanel focusNote={<FocusNote />} />
      {/* Below the timer, so that it stays where it is when a question comes. */}
      <Questions />
      <Figures />
      <TargetsOfToday />
      {/* As high as the bar, which is loaded after the first paint. */}
      <div className="min-h-[5.125rem]">
        <Today />
      </div>
      <QuickStart />
    </div>
  )
}

const Today = later(async () => (await import('./dashboard-today.tsx')).DashboardToday)

/** Room for the rings of those who have targets, which are loaded after the first paint. */
function TargetsOfToday() {
  return (
    useHasTargets() && (
      <div className="min-h-14.5 max-[23rem]:min-h-21">
        <TargetRings />
      </div>
    )
  )
}

const TargetRings = later(
  async () => (await import('#features/targets/target-rings.tsx')).TargetRings,
)

function Questions() {
  const hasQuestions = useHasQuestions()
  const { hasOverlaps } = useEntries()
  if (!hasQuestions && !hasOverlaps) return null
  return (
    <>
      {hasQuestions && <Prompts />}
      {hasOverlaps && <OverlapPrompts />}
    </>
  )
}

function Figures() {
  const { todaySeconds, tasksWorkedOn, complete } = useTaskTotals()
  const { error } = useEntries()
  const { online } = useConnection()
  const { duration } = useFormats()
  const tasks = useTasks()
  const pending = error === null ? <Skeleton className="h-[1lh] w-16 scale-y-75" /> : '–'
  const first = error === null ? <LoadingReports /> : '–'
  return (
    <div className="flex flex-col gap-2">
      <StatCards>
        <StatCard
          label={t('Total Time Today')}
          value={
            complete ? <Figure isZero={todaySeconds === 0}>{duration(todaySeconds)}</Figure> : first
          }
          title={complete ? exactDuration(todaySeconds) : undefined}
        />
        <StatCard
          label={t('Tasks Worked On')}
          value={complete ? <Figure isZero={tasksWorkedOn === 0}>{tasksWorkedOn}</Figure> : pending}
        />
        <StatCard
          label={t('Total Tasks')}
          value={
            tasks.status === 'ready' ? (
              <Figure isZero={tasks.tasks.length === 0}>{tasks.tasks.length}</Figure>
            ) : (
              pending
            )
          }
        />
      </StatCards>
      {online && error !== null && (
        <p role="alert" className="text-sm text-danger">
          {error}
        </p>
      )}
    </div>
  )
}

/** A figure; zero is there, but says little. */
function Figure({ isZero, children }: { isZero: boolean; children: ReactNode }) {
  return <span className={isZero ? 'text-quiet' : ''}>{children}</span>
}

/** As high as the figure that it announces: on phones a placeholder, where the text needs two lines. */
function LoadingReports() {
  return (
    <>
      <output className="text-sm text-quiet max-md:sr-only">{t('Loading reports...')}</output>
      <Skeleton className="h-[1lh] w-16 scale-y-75 md:hidden" />
    </>
  )
}
