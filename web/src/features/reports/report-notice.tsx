import { t } from '@stint/core/text.ts'
import { Banner } from '#ui/banner.tsx'
import { Spinner } from '#ui/spinner.tsx'
import type { Report } from '#hooks/use-report.ts'

/** A notice while the figures are loading, out of date or incomplete. */
export function ReportNotice({
  report,
  loading = t('Loading reports...'),
}: {
  report: Report
  loading?: string
}) {
  const { status, error, isPartial, online, input, retry } = report
  switch (status) {
    case 'loading':
      return <Arriving text={loading} />
    case 'arriving':
      return <Arriving text={loading} sessions={input.entries.length} />
    case 'failed':
      return null
    case 'ready':
      return error === null ? null : (
        <Banner tone={online ? 'danger' : 'notice'} onRetry={retry}>
          <span className="block">{error}</span>
          <span className="block text-quiet">
            {isPartial
              ? t('These figures cover only the sessions loaded so far.')
              : t('These figures are from this device.')}
          </span>
        </Banner>
      )
  }
}

function Arriving({ text, sessions = 0 }: { text: string; sessions?: number }) {
  return (
    <output className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-quiet">
      <Spinner className="size-5 text-accent" />
      <span className="text-ink">{text}</span>
      {sessions > 0 && (
        <span className="figures">
          {t('{count, number} sessions loaded. Totals appear once all are loaded.', {
            count: sessions,
          })}
        </span>
      )}
    </output>
  )
}
