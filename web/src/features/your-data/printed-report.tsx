import { t } from '@stint/core/text.ts'
import type { DayRule } from '@stint/core/time/day-rule.ts'
import { ChevronLeft, Printer } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Link, useSearchParams } from '#ui/navigation.tsx'
import { formatFullDate, localDate, weekdayName } from '@stint/core/time/calendar.ts'
import { exactDuration } from '@stint/core/time/duration.ts'
import { sessionTimes } from '@stint/core/reports/explanation.ts'
import type { Contribution } from '@stint/core/reports/explanation.ts'
import { chosenDates, exportRangeLabel } from '@stint/core/transfer/export-range.ts'
import { printedReport } from '@stint/core/reports/printed-report.ts'
import { sessionCountCell, sessionCountText } from '@stint/core/reports/session-count.ts'
import { Icon } from '#ui/icon.tsx'
import { Button, buttonClasses } from '#ui/button.tsx'
import { useAuth } from '#hooks/use-auth.ts'
import { useRecordCommands } from '#hooks/use-record-commands.ts'
import { NoteText } from '#hooks/note-text.tsx'
import { useSettings, useDayRule } from '#hooks/use-settings.ts'
import { Figure, PAPER_CLASSES, Table, Words } from '#ui/paper.tsx'
import { HistoryNotice } from './history-notice.tsx'
import { useRecord } from './use-record.ts'

/** The maximum number of sessions that are listed by default: 40 pages. */
const MAX_LISTED = 2000

/**
 * A printable report. The URL gives its dates, `?from=2026-01-01&to=2026-03-31`; without dates it
 * covers all time, and of dates that are no range it says why. The figures are those of the reports:
 * work counts on its day.
 */
export function PrintedReport() {
  const record = useRecord()
  const [parameters] = useSearchParams()
  const first = parameters.get('from')
  const last = parameters.get('to')
  const dayRule = useDayRule()
  const { weekStart } = useSettings()
  const [now] = useState(useRecordCommands().now)
  const { entries, tasks, status } = record
  const isAllTime = first === null && last === null
  const chosen = useMemo(() => chosenDates(first, last), [first, last])
  const dates = chosen.kind === 'dates' ? chosen.dates : null
  const problem = chosen.kind === 'problem' && !isAllTime ? chosen.message : null
  const report = useMemo(
    () => printedReport({ entries, tasks, dayRule, now, live: null }, dates),
    [entries, tasks, dayRule, now, dates],
  )
  const [listsAll, setListsAll] = useState(false)
  const { sessions } = report
  const isLong = sessions.length > MAX_LISTED && !listsAll

  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-wrap items-center gap-3 print:hidden">
        <Link to="/data" className={buttonClasses('quiet')}>
          <Icon of={ChevronLeft} />
          {t('Your data')}
        </Link>
        <Button
          variant="primary"
          className="ms-auto"
          disabled={status !== 'ready' || problem !== null}
          onClick={() => window.print()}
        >
          <Icon of={Printer} />
          {t('Print')}
        </Button>
      </div>
      <HistoryNotice record={record} />
      {problem !== null && (
        <p role="alert" className="text-danger">
          {problem}
        </p>
      )}
      {status === 'ready' && problem === null && (
        <article aria-labelledby="report-title" className={PAPER_CLASSES}>
          <header className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
            <div>
              <h1 id="report-title" className="text-lg font-semibold tracking-tight">
                {t('Time report')}
              </h1>
              <p>{exportRangeLabel(dates, weekStart)}</p>
              <Author now={now} dayRule={dayRule} />
            </div>
            <p className="figures md:text-end print:text-end">
              <span className="block text-xl font-semibold">
                {exactDuration(report.totalSeconds)}
              </span>
              {t('in {sessions} on {days, plural, one {# day} other {# days}}', {
                sessions: sessionCountText(report.count),
                days: report.days.length,
              })}
            </p>
          </header>
          {sessions.length === 0 ? (
            <p>{t('No tracked time in this range.')}</p>
          ) : (
            <>
              <Table
                title={t('By task')}
                headings={[t('Task'), t('Sessions'), t('column|Share'), t('Time')]}
                words={1}
              >
                {report.tasks.map(({ taskId, name, count, seconds, percentLabel }) => (
                  <tr key={taskId}>
                    <Words isRowHead>{name}</Words>
                    <Figure>{sessionCountCell(count)}</Figure>
                    <Figure>{percentLabel}</Figure>
                    <Figure>{exactDuration(seconds)}</Figure>
                  </tr>
                ))}
                <Sum columns={3} seconds={report.totalSeconds} />
              </Table>
              <Table title={t('By day')} headings={[t('Day'), t('Time')]} words={1}>
                {report.days.map(({ date, seconds }) => (
                  <tr key={date}>
                    <Words isRowHead>
                      {weekdayName(date)}, {formatFullDate(date)}
                    </Words>
                    <Figure>{exactDuration(seconds)}</Figure>
                  </tr>
                ))}
                <Sum columns={1} seconds={report.totalSeconds} />
              </Table>
              {isLong ? (
                <div className="flex flex-col items-start gap-2 print:hidden">
                  <h2 className="font-semibold">{t('Sessions')}</h2>
                  <p>
                    {t('{count, number} sessions aren’t listed, as they would fill many pages.', {
                      count: sessions.length,
                    })}
                  </p>
                  <Button onClick={() => setListsAll(true)}>{t('List all sessions')}</Button>
                </div>
              ) : (
                <Sessions
                  sessions={sessions}
                  dayRule={dayRule}
                  totalSeconds={report.totalSeconds}
                />
              )}
            </>
          )}
        </article>
      )}
    </div>
  )
}

function Author({ now, dayRule }: { now: number; dayRule: DayRule }) {
  const auth = useAuth()
  const made = t('{date}, times in {zone}', {
    date: formatFullDate(localDate(now, dayRule)),
    zone: dayRule.timeZone,
  })
  return (
    <p className="text-quiet">
      {auth.status === 'signed-in' ? `${auth.user.name} · ${made}` : made}
    </p>
  )
}

function Sessions({
  sessions,
  dayRule,
  totalSeconds,
}: {
  sessions: readonly Contribution[]
  dayRule: DayRule
  totalSeconds: number
}) {
  const { hourCycle } = useSettings()
  return (
    <Table
      title={t('Sessions')}
      headings={[t('Day'), t('Task and note'), t('From – to'), t('Time')]}
      words={2}
    >
      {sessions.map(({ entry, taskName, countedSeconds }) => (
        <tr key={entry.id}>
          <Words className="md:whitespace-nowrap">
            {formatFullDate(localDate(entry.startedAt, dayRule))}
          </Words>
          <Words>
            <span dir="auto">{taskName}</span>
            {entry.note && (
              <span dir="auto" className="block whitespace-pre-line text-quiet">
                <NoteText note={entry.note} />
              </span>
            )}
          </Words>
          <Figure>{sessionTimes(entry, dayRule.timeZone, hourCycle)}</Figure>
          <Figure>
            {exactDuration(countedSeconds)}
            {countedSeconds !== entry.durationSeconds && (
              <span className="block text-quiet">
                {t('of {duration}', { duration: exactDuration(entry.durationSeconds) })}
              </span>
            )}
          </Figure>
        </tr>
      ))}
      <Sum columns={3} seconds={totalSeconds} />
    </Table>
  )
}

function Sum({ columns, seconds }: { columns: number; seconds: number }) {
  return (
    <tr className="font-semibold">
      <th scope="row" colSpan={columns} className="py-1 pe-3 text-start">
        {t('Total')}
      </th>
      <td className="figures py-1 ps-3 text-end whitespace-nowrap">{exactDuration(seconds)}</td>
    </tr>
  )
}
