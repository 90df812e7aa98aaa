import { Plus } from 'lucide-react'
import { filterText } from '@stint/core/record/saved-filters.ts'
import { parseFilter } from '@stint/core/record/session-filter.ts'
import { t } from '@stint/core/text.ts'
import { Button } from '#ui/button.tsx'
import { ErrorPanel } from '#ui/error-panel.tsx'
import { Icon } from '#ui/icon.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { openEditor } from '#hooks/requests.ts'
import { RecentlyDeleted } from '#features/entry-list/recently-deleted.tsx'
import { Sessions } from '#features/entry-list/sessions.tsx'
import { ExplanationProvider } from '#features/reports/explanation-provider.tsx'
import { LinkedExplanation } from '#features/reports/linked-explanation.tsx'
import { ReportNotice } from '#features/reports/report-notice.tsx'
import { useSavedFilters } from '#hooks/use-saved-filters.ts'
import { useReport } from '#hooks/use-report.ts'
import { useSearchText } from '#features/tasks/search-text.ts'
import { PageTitle } from '#features/timer/page-title.tsx'

/** /sessions: every session, to find, to edit and to edit many at once. */
export function Component() {
  const { filters } = useSavedFilters()
  const [text, setText] = useSearchText((name) => filterText(name, filters))
  const report = useReport()
  const { status, input, error, retry } = report
  return (
    <ExplanationProvider input={input}>
      <div className="flex flex-col gap-5">
        <PageTitle page={t('Sessions')} />
        <PageHeader
          title={t('Sessions')}
          actions={
            <Button onClick={() => openEditor({ kind: 'add' })}>
              <Icon of={Plus} />
              {t('Add time')}
            </Button>
          }
        />
        {status === 'ready' && <LinkedExplanation input={input} readFilter={parseFilter} />}
        <ReportNotice report={report} loading={t('Loading sessions...')} />
        {status === 'failed' ? (
          <ErrorPanel title={t('Error loading sessions')} message={error} onRetry={retry} />
        ) : (
          <Sessions text={text} setText={setText} pending={status !== 'ready'} />
        )}
        {status === 'ready' && <RecentlyDeleted />}
      </div>
    </ExplanationProvider>
  )
}
