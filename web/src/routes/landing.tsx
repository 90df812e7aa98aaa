import { periodBars } from '@stint/core/reports/period-bars.ts'
import { taskBreakdown } from '@stint/core/reports/task-breakdown.ts'
import { formatDuration } from '@stint/core/time/duration.ts'
import { activityPattern } from '@stint/core/reports/task-report.ts'
import { t } from '@stint/core/text.ts'
import { useAuth } from '#hooks/use-auth.ts'
import { useServerInfo } from '#hooks/use-server-info.ts'
import { InstallGuide } from '#features/install/install-guide.tsx'
import { LandingPage } from '#features/landing/landing-page.tsx'
import type { Reader } from '#features/landing/landing-page.tsx'
import { DEFAULT_SUPPORT_EMAIL, PUBLIC_PAGES } from '#features/landing/pages.ts'
import { Picture, SampleTask } from '#features/landing/pictures.tsx'
import { SAMPLE, SAMPLE_MONTH, SAMPLE_TASK_ID, SAMPLE_WEEK } from '#features/landing/sample.ts'
import { ActivityPattern } from '#features/reports/activity-pattern.tsx'
import { PeriodBars } from '#features/reports/period-bars.tsx'
import { breakdownParts, TaskBreakdownGrid } from '#features/reports/task-breakdown-grid.tsx'

/** / for visitors from within the app. Other visitors get the prerendered page. */
export function Component() {
  const { status } = useAuth()
  const supportEmail = useServerInfo()?.supportEmail || DEFAULT_SUPPORT_EMAIL
  return (
    <>
      <title>{PUBLIC_PAGES.landing.title}</title>
      <Landing reader={READERS[status]} supportEmail={supportEmail} />
    </>
  )
}

/** Renders the landing page with its pictures. The prerendered page uses it too. */
export function Landing(props: { reader: Reader; supportEmail: string }) {
  const { title, bars } = periodBars(SAMPLE, SAMPLE_WEEK, SAMPLE_TASK_ID)
  const breakdown = taskBreakdown(SAMPLE, SAMPLE_MONTH)
  const parts = breakdownParts(breakdown)
  return (
    <LandingPage
      {...props}
      pictures={{
        breakdown: (
          <Picture title={t('Task Breakdown')}>
            <TaskBreakdownGrid
              parts={parts}
              squares={breakdown.squares}
              durations={parts.map(({ seconds }) => formatDuration(seconds))}
            />
          </Picture>
        ),
        activity: (
          <Picture title={t('Daily Activity Pattern')}>
            <ActivityPattern
              days={activityPattern(SAMPLE, SAMPLE_TASK_ID, SAMPLE_WEEK)}
              color="violet"
            />
          </Picture>
        ),
        task: <SampleTask title={title} bars={<PeriodBars bars={bars} color="violet" />} />,
        install: <InstallGuide />,
      }}
    />
  )
}

const READERS = {
  loading: 'unknown',
  'signed-in': 'signed-in',
  'signed-out': 'signed-out',
  'no-storage': 'signed-out',
} as const
