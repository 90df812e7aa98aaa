import { t } from '@stint/core/text.ts'
import { ErrorPanel } from '#ui/error-panel.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { ExplanationProvider } from '#features/reports/explanation-provider.tsx'
import { ReportNotice } from '#features/reports/report-notice.tsx'
import { ReportsLink } from '#features/reports/reports-link.tsx'
import { Targets } from '#features/targets/targets.tsx'
import { PageTitle } from '#features/timer/page-title.tsx'
import { useReport } from '#hooks/use-report.ts'

/** /targets: at least or at most so many hours, and how far each is. */
export function Component() {
  const report = useReport()
  const { status, input, error, retry } = report
  return (
    <ExplanationProvider input={input}>
      <div className="flex flex-col gap-5">
        <PageTitle page={t('Targets')} />
        <PageHeader title={t('Targets')} actions={<ReportsLink />} />
        <ReportNotice report={report} />
        {status === 'failed' ? (
          <ErrorPanel title={t('Error loading reports')} message={error} onRetry={retry} />
        ) : (
          <Targets input={input} pending={status !== 'ready'} />
        )}
      </div>
    </ExplanationProvider>
  )
}
