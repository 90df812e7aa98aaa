import { filterText } from '@stint/core/record/saved-filters.ts'
import { t } from '@stint/core/text.ts'
import { FilterPins } from '#features/entry-list/filter-pins.tsx'
import { ReportNotice } from '#features/reports/report-notice.tsx'
import { ReportsLink } from '#features/reports/reports-link.tsx'
import { TimeControls } from '#features/reports/time-controls.tsx'
import { usePeriod } from '#features/reports/use-period.ts'
import { useSearchText } from '#features/tasks/search-text.ts'
import { SealedView } from '#features/timesheet/sealed-view.tsx'
import { Sheet } from '#features/timesheet/sheet.tsx'
import { SheetFilter } from '#features/timesheet/sheet-filter.tsx'
import { useSealedSheets } from '#features/timesheet/use-seals.ts'
import { PageTitle } from '#features/timer/page-title.tsx'
import { useFoundSessions } from '#hooks/use-found-sessions.ts'
import { useReport } from '#hooks/use-report.ts'
import { useSavedFilters } from '#hooks/use-saved-filters.ts'
import { buttonClasses } from '#ui/button.tsx'
import { ErrorPanel } from '#ui/error-panel.tsx'
import { Link, useSearchParams } from '#ui/navigation.tsx'
import { PageHeader } from '#ui/page-header.tsx'

/** The parameters of the period, which stay in the address while a filter is typed. */
const PERIOD = ['view', 'from', 'to']

/**
 * /timesheet: the work of a period that a filter finds, rounded by a rule, for printing. With `?sheet=` it shows one
 * that was sealed.
 */
export function Component() {
  const [parameters] = useSearchParams()
  const id = parameters.get('sheet')
  return id === null ? <OpenSheet /> : <SealedSheet id={id} />
}

function SealedSheet({ id }: { id: string }) {
  const report = useReport()
  const { status, error, retry } = report
  const sealed = useSealedSheets().find((sheet) => sheet.id === id)
  return (
    <div className="flex flex-col gap-5">
      <PageTitle page={t('Sealed timesheet')} />
      <div className="flex flex-col gap-5 print:hidden">
        <PageHeader
          title={t('Sealed timesheet')}
          actions={
            <Link to="/timesheet?view=monthly" className={buttonClasses('quiet')}>
              {t('Timesheet')}
            </Link>
          }
        />
        <ReportNotice report={report} />
      </div>
      {status === 'failed' && (
        <ErrorPanel title={t('Error loading reports')} message={error} onRetry={retry} />
      )}
      {status === 'ready' &&
        (sealed ? (
          <SealedView sealed={sealed} />
        ) : (
          <p>{t('There is no such sealed timesheet any more.')}</p>
        ))}
    </div>
  )
}

function OpenSheet() {
  const { filters } = useSavedFilters()
  const [text, setText] = useSearchText((name) => filterText(name, filters), PERIOD)
  const report = useReport()
  const { status, input, error, retry } = report
  const shown = usePeriod(input)
  const { wanted, filter, found } = useFoundSessions(text)
  return (
    <div className="flex flex-col gap-5">
      <PageTitle page={t('Timesheet')} />
      <div className="flex flex-col gap-5 print:hidden">
        <PageHeader title={t('Timesheet')} actions={<ReportsLink />} />
        <ReportNotice report={report} />
        <TimeControls input={input} shown={shown} />
        <SheetFilter text={text} setText={setText}>
          {status === 'ready' && <FilterPins text={wanted} filter={filter} setText={setText} />}
        </SheetFilter>
      </div>
      {status === 'failed' && (
        <ErrorPanel title={t('Error loading reports')} message={error} onRetry={retry} />
      )}
      {status === 'ready' && (
        <Sheet period={shown.period} text={wanted} filter={filter} found={found} />
      )}
    </div>
  )
}
