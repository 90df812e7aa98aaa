import { useMemo } from 'react'
import { t } from '@stint/core/text.ts'
import { daysBetween } from '@stint/core/time/calendar.ts'
import { exactDuration } from '@stint/core/time/duration.ts'
import { periodDates, periodLabel, stepPeriod } from '@stint/core/time/period.ts'
import type { Period } from '@stint/core/time/period.ts'
import { secondsCountedTwice } from '@stint/core/reports/counted-twice.ts'
import { periodBars } from '@stint/core/reports/period-bars.ts'
import { periodSummary } from '@stint/core/reports/period-summary.ts'
import type { ReportInput } from '@stint/core/reports/report-input.ts'
import { sessionCountText } from '@stint/core/reports/session-count.ts'
import { FigureButton } from '#ui/chart-section.tsx'
import { Link } from '#ui/navigation.tsx'
import { RichText } from '#ui/rich-text.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { useExplain } from '#hooks/use-explain.ts'
import { useFormats } from '#hooks/use-formats.ts'

/** The period in one sentence: '36h 5m in 12 sessions, 4h 0m more than the week before, mostly Website'. */
export function PeriodSentence({
  input,
  period,
  pending,
}: {
  input: ReportInput
  period: Period
  pending: boolean
}) {
  const summary = useMemo(() => periodSummary(input, period), [input, period])
  const { count } = useMemo(() => periodBars(input, period), [input, period])
  const { entries, dayRule } = input
  const twice = useMemo(
    () => wholeMinutes(secondsCountedTwice(entries, periodDates(period), dayRule)),
    [entries, period, dayRule],
  )
  const { duration } = useFormats()
  const explain = useExplain()
  if (pending) return <Skeleton className="h-[1lh] w-72 max-w-full scale-y-75" />
  const { totalSeconds, secondsBefore, isCurrent, main } = summary
  // As far apart as the two durations that are shown.
  const difference = wholeMinutes(totalSeconds) - wholeMinutes(secondsBefore)
  const change = difference > 0 ? 'more' : difference < 0 ? 'less' : 'same'
  const title = periodLabel(period)
  return (
    <p className="text-sm text-quiet">
      <RichText
        text={t(
          '<total>{total}</total> in {sessions}{change, select, more {, {difference} more than {before}} less {, {difference} less than {before}} same {, as much as {before}} other {}}{top, select, all {, all of it on <task>…</task>} most {, mostly <task>…</task>} other {}}',
          {
            total: duration(totalSeconds),
            sessions: sessionCountText(count),
            change: secondsBefore === 0 ? 'none' : change,
            difference: duration(Math.abs(difference)),
            before: beforeText(period, isCurrent),
            top: main === null ? 'none' : main.hasAll ? 'all' : 'most',
          },
        )}
        tags={{
          total: (words) => (
            <span className="text-base text-ink">
              <FigureButton
                title={exactDuration(totalSeconds)}
                onExplain={() => explain({ title, about: null, dates: periodDates(period) })}
              >
                {words}
              </FigureButton>
            </span>
          ),
          task: () => <bdi className="break-words text-ink">{main?.name}</bdi>,
        }}
      />
      {twice > 0 && (
        <>
          {' · '}
          <Link to="/data" className="underline">
            {t('{duration} counted twice', { duration: duration(twice) })}
          </Link>
        </>
      )}
    </p>
  )
}

/** Returns what the period is compared with: of a current one, as much as has passed. */
function beforeText(period: Period, isCurrent: boolean): string {
  if (period.view !== 'range') return (isCurrent ? BY_NOW : BEFORE)[period.view]
  const { from, to } = periodDates(stepPeriod(period, -1))
  const count = daysBetween(from, to)
  return isCurrent
    ? t(
        'than|{count, plural, one {by this time the day before} other {by this time in the {count} days before}}',
        { count },
      )
    : t('than|the {count, plural, one {day} other {{count} days}} before', { count })
}

const BEFORE = {
  weekly: t('than|the week before'),
  monthly: t('than|the month before'),
  yearly: t('than|the year before'),
} as const

const BY_NOW = {
  weekly: t('than|by this time last week'),
  monthly: t('than|by this time last month'),
  yearly: t('than|by this time last year'),
} as const

function wholeMinutes(seconds: number): number {
  return Math.floor(seconds / 60) * 60
}
