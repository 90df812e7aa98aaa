import { t } from '@stint/core/text.ts'
import { ErrorPanel } from '#ui/error-panel.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { Balance } from '#features/balance/balance.tsx'
import { ExplanationProvider } from '#features/reports/explanation-provider.tsx'
import { ReportNotice } from '#features/reports/report-notice.tsx'
import { PageTitle } from '#features/timer/page-title.tsx'
import { useReport } from '#hooks/use-report.ts'

/** /balance: the hours account. */
export function Component() {
  const report = useReport()
  const { status, input, error, retry } = report
  return (
    <ExplanationProvider input={input}>
      <div className="flex flex-col gap-5">
        <PageTitle page={t('Balance')} />
        <PageHeader title={t('Balance')} />
        <ReportNotice report={report} />
        {status === 'failed' ? (
          <ErrorPanel title={t('Error loading reports')} message={error} onRetry={retry} />
        ) : (
          <Balance input={input} pending={status !== 'ready'} />
        )}
      </div>
    </ExplanationProvider>
  )
}
