import { formatFullDate } from '@stint/core/time/calendar.ts'
import { periodLabel, rangePeriod } from '@stint/core/time/period.ts'
import { sheetDuration } from '@stint/core/timesheet/rounding.ts'
import { t } from '@stint/core/text.ts'
import { useSettings } from '#hooks/use-settings.ts'
import { Link } from '#ui/navigation.tsx'
import { Panel, ROW_LINK } from '#ui/row.tsx'
import { useSealedSheets } from './use-seals.ts'

/** The timesheets that were sealed, each a link to it. */
export function SealedList() {
  const sheets = useSealedSheets()
  const { durationFormat, weekStart } = useSettings()
  if (sheets.length === 0) return null
  return (
    <section className="flex flex-col gap-2 print:hidden">
      <h2 className="text-base font-semibold">{t('Sealed timesheets')}</h2>
      <Panel>
        <ul aria-label={t('Sealed timesheets')} className="divide-y divide-line">
          {sheets.map(({ id, dates, filter, sealedOn, seconds, rounding }) => (
            <li
              key={id}
              className="relative flex min-h-14 items-center gap-3 px-4 py-2 text-sm hoverable:hover:bg-wash"
            >
              <Link to={`/timesheet?sheet=${id}`} className={ROW_LINK}>
                <span className="figures block font-semibold text-ink">
                  {periodLabel(rangePeriod(dates, weekStart))}
                </span>
                <span className="block text-quiet wrap-anywhere">
                  {[t('Sealed on {date}', { date: formatFullDate(sealedOn) }), filter]
                    .filter((each) => each !== '')
                    .join(' · ')}
                </span>
              </Link>
              <span className="figures">{sheetDuration(seconds, rounding, durationFormat)}</span>
            </li>
          ))}
        </ul>
      </Panel>
    </section>
  )
}
