import { t } from '@stint/core/text.ts'
import { PrintedReport } from '#features/your-data/printed-report.tsx'
import { PageTitle } from '#features/timer/page-title.tsx'

/** /data/print: a report for printing. */
export function Component() {
  return (
    <>
      <PageTitle page={t('Time report')} />
      <PrintedReport />
    </>
  )
}
