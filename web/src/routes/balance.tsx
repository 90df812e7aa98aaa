import { t } from '@stint/core/text.ts'
import { isCalendarDate } from '@stint/core/time/calendar.ts'
import { buttonClasses } from '#ui/button.tsx'
import { ErrorPanel } from '#ui/error-panel.tsx'
import { Link, useSearchParams } from '#ui/navigation.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { Balance } from '#features/balance/balance.tsx'
import { ExplanationProvider } from '#features/reports/explanation-provider.tsx'
import { ReportNotice } from '#features/reports/report-notice.tsx'
import { ReportsLink } from '#features/reports/reports-link.tsx'
import { PageTitle } from '#features/timer/page-title.tsx'
import { useReport } from '#hooks/use-report.ts'

/** /balance: the hours account. With `?month=` it shows the record of hours of the month that the day is in. */
export function Component() {
  const [parameters] = useSearchParams()
  const day = parameters.get('month') ?? ''
  const month = isCalendarDate(day) ? day : null
  const report = useReport()
  const { status, input, error, retry } = report
  return (
    <ExplanationProvider input={input}>
      <div className="flex flex-col gap-5">
        <PageTitle page={t('Balance')} />
        <div className="flex flex-col gap-5 print:hidden">
          <PageHeader
            title={month === null ? t('Balance') : t('Record of hours')}
            actions={
              month === null ? (
                <ReportsLink />
              ) : (
                <Link to="/balance" className={buttonClasses('quiet')}>
                  {t('Balance')}
                </Link>
              )
            }
          />
          <ReportNotice report={report} />
        </div>
        {status === 'failed' ? (
          <ErrorPanel title={t('Error loading reports')} message={error} onRetry={retry} />
        ) : (
          <Balance input={input} pending={status !== 'ready'} month={month} />
        )}
      </div>
    </ExplanationProvider>
  )
}
