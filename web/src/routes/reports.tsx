import { Link } from '#ui/navigation.tsx'
import { t } from '@stint/core/text.ts'
import { buttonClasses } from '#ui/button.tsx'
import { later } from '#ui/later.tsx'
import { classNames } from '#ui/class-names.ts'
import { ErrorPanel } from '#ui/error-panel.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { ExplanationProvider } from '#features/reports/explanation-provider.tsx'
import { PeriodBarsSection } from '#features/reports/period-bars-section.tsx'
import { PeriodSentence } from '#features/reports/period-sentence.tsx'
import { QuickStats } from '#features/reports/quick-stats.tsx'
import { ReportNotice } from '#features/reports/report-notice.tsx'
import { TaskBreakdownSection } from '#features/reports/task-breakdown-section.tsx'
import { TimeControls } from '#features/reports/time-controls.tsx'
import { usePeriod } from '#features/reports/use-period.ts'
import { useHasRates } from '#hooks/use-settings.ts'
import { useReport } from '#hooks/use-report.ts'
import { DaySection } from '#features/timeline/day-section.tsx'
import { PageTitle } from '#features/timer/page-title.tsx'

const AmountsSection = later(
  async () => (await import('#features/timesheet/amounts-section.tsx')).AmountsSection,
)

/** /reports: reports on all tasks. */
export function Component() {
  const report = useReport()
  const { status, input, error, retry } = report
  const shown = usePeriod(input)
  const pending = status !== 'ready'
  const hasAmounts = useHasRates()
  return (
    <ExplanationProvider input={input}>
      <div className="flex flex-col gap-5">
        <PageTitle page={t('Reports & Analytics')} />
        <PageHeader
          title={t('Reports & Analytics')}
          actions={
            <div className="-mx-4 flex overflow-x-auto max-md:w-dvw max-md:px-1 max-md:[scrollbar-width:none] md:mx-0 print:hidden">
              {/* On phones it is a tab, and the others are one line, which is moved sideways. */}
              <Link to="/sessions" className={classNames(buttonClasses('quiet'), 'max-md:hidden')}>
                {t('All sessions')}
              </Link>
              <Link to={`/timesheet${shown.search}`} className={buttonClasses('quiet')}>
                {t('Timesheet')}
              </Link>
              <Link to="/balance" className={buttonClasses('quiet')}>
                {t('Balance')}
              </Link>
              <Link to="/targets" className={buttonClasses('quiet')}>
                {t('Targets')}
              </Link>
              <Link to={shown.exportPath} className={buttonClasses('quiet')}>
                {t('Export & import')}
              </Link>
            </div>
          }
        />
        <ReportNotice report={report} />
        {status === 'failed' ? (
          <ErrorPanel title={t('Error loading reports')} message={error} onRetry={retry} />
        ) : (
          <>
            <QuickStats input={input} pending={pending} />
            <TimeControls input={input} shown={shown}>
              <PeriodSentence input={input} period={shown.period} pending={pending} />
            </TimeControls>
            <TaskBreakdownSection input={input} period={shown.period} pending={pending} />
            {hasAmounts && !pending && <AmountsSection input={input} period={shown.period} />}
            <PeriodBarsSection input={input} period={shown.period} pending={pending} />
            <DaySection input={input} period={shown.period} pending={pending} />
          </>
        )}
      </div>
    </ExplanationProvider>
  )
}
