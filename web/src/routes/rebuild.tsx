import { t } from '@stint/core/text.ts'
import { Rebuild } from '#features/rebuild/rebuild.tsx'
import { ReportNotice } from '#features/reports/report-notice.tsx'
import { ReportsLink } from '#features/reports/reports-link.tsx'
import { PageTitle } from '#features/timer/page-title.tsx'
import { useReport } from '#hooks/use-report.ts'
import { ErrorPanel } from '#ui/error-panel.tsx'
import { later } from '#ui/later.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { Skeleton } from '#ui/skeleton.tsx'

const ProposalsSection = later(
  async () => (await import('#features/your-data/proposals-section.tsx')).ProposalsSection,
)

/** /rebuild: suggestions for free time, from what is known on this device, after those of assistants. */
export function Component() {
  const report = useReport()
  const { status, input, error, retry } = report
  return (
    <div className="flex flex-col gap-5">
      <PageTitle page={t('Rebuild')} />
      <PageHeader title={t('Rebuild')} actions={<ReportsLink />} />
      <ReportNotice report={report} />
      <ProposalsSection />
      {status === 'failed' ? (
        <ErrorPanel title={t('Error loading reports')} message={error} onRetry={retry} />
      ) : status === 'ready' ? (
        <Rebuild input={input} />
      ) : (
        <Skeleton className="h-40 w-full" />
      )}
    </div>
  )
}
