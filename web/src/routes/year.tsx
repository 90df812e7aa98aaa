import { periodContaining } from '@stint/core/time/period.ts'
import { t } from '@stint/core/text.ts'
import { ExplanationProvider } from '#features/reports/explanation-provider.tsx'
import { ReportNotice } from '#features/reports/report-notice.tsx'
import { ReportsLink } from '#features/reports/reports-link.tsx'
import { TimeControls } from '#features/reports/time-controls.tsx'
import { usePeriod } from '#features/reports/use-period.ts'
import { PageTitle } from '#features/timer/page-title.tsx'
import { Year } from '#features/year/year.tsx'
import { useReport } from '#hooks/use-report.ts'
import { ErrorPanel } from '#ui/error-panel.tsx'
import { PageHeader } from '#ui/page-header.tsx'

/** /year: a year as one picture, or a month as a calendar. */
export function Component() {
  const report = useReport()
  const { status, input, error, retry } = report
  const shown = usePeriod(input, 'yearly')
  const { period } = shown
  const isShown = period.view === 'yearly' || period.view === 'monthly'
  return (
    <ExplanationProvider input={input}>
      <div className="flex flex-col gap-5">
        <PageTitle page={t('Year on a page')} />
        <div className="flex flex-col gap-5 print:hidden">
          <PageHeader title={t('Year on a page')} actions={<ReportsLink />} />
          <ReportNotice report={report} />
          <TimeControls input={input} shown={shown} views={['monthly', 'yearly']} />
        </div>
        {status === 'failed' && (
          <ErrorPanel title={t('Error loading reports')} message={error} onRetry={retry} />
        )}
        {status === 'ready' && (
          <Year
            input={input}
            period={isShown ? period : periodContaining('yearly', period.from, input.weekStart)}
          />
        )}
      </div>
    </ExplanationProvider>
  )
}
