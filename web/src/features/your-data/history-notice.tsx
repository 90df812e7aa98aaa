import { t } from '@stint/core/text.ts'
import { Banner } from '#ui/banner.tsx'
import { Spinner } from '#ui/spinner.tsx'
import type { WholeRecord } from './use-record.ts'

/** Says why the page cannot use the record yet: the history is loading or failed to load. */
export function HistoryNotice({ record: { status, entries, retry } }: { record: WholeRecord }) {
  if (status === 'ready') return null
  if (status === 'arriving') {
    return (
      <output className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-quiet">
        <Spinner className="size-5 text-accent" />
        <span className="text-ink">{t('Loading your history…')}</span>
        <span className="figures">
          {t('{count, plural, one {# session so far} other {# sessions so far}}', {
            count: entries.length,
          })}
        </span>
      </output>
    )
  }
  return <Banner onRetry={retry}>{t('Part of your history couldn’t be loaded.')}</Banner>
}
