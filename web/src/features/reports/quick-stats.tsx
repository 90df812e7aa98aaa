import { useMemo } from 'react'
import { t } from '@stint/core/text.ts'
import { addDays, formatFullDate, formatFullDates, localDate } from '@stint/core/time/calendar.ts'
import { exactDuration } from '@stint/core/time/duration.ts'
import { periodDates, periodLabel, periodOf } from '@stint/core/time/period.ts'
import type { PeriodView } from '@stint/core/time/period.ts'
import { quickStats } from '@stint/core/reports/quick-stats.ts'
import type { ReportInput } from '@stint/core/reports/report-input.ts'
import { useFormats } from '#hooks/use-formats.ts'
import type { Question } from '#hooks/use-explain.ts'
import { useExplain } from '#hooks/use-explain.ts'
import { Figure, Figures } from './figures.tsx'
import { withRunning } from './with-running.ts'

/** The Quick Stats chips: four calendar periods, the streak, and the whole history. */
export function QuickStats({ input, pending }: { input: ReportInput; pending: boolean }) {
  const stats = useMemo(() => quickStats(input), [input])
  const explain = useExplain()
  const { duration } = useFormats()
  const { now, dayRule, weekStart, live } = input
  const today = localDate(now, dayRule)

  const time = (label: string, seconds: number, question: () => Omit<Question, 'title'>) => (
    <Figure
      label={label}
      value={duration(seconds)}
      exact={withRunning(exactDuration(seconds), live !== null)}
      pending={pending}
      onExplain={() => explain({ title: label, ...question() })}
    />
  )
  const current = (view: PeriodView) => () => {
    const period = periodOf(view, now, dayRule, weekStart)
    return { about: periodLabel(period), dates: periodDates(period) }
  }
  const isEmptyToday = stats.streakDays === 0
  const streakDays = isEmptyToday ? stats.streakDaysUpToYesterday : stats.streakDays
  const streak = () => {
    const to = isEmptyToday ? today : addDays(today, 1)
    const dates = { from: addDays(to, -streakDays), to }
    return { dates, about: streakDays === 0 ? null : formatFullDates(dates) }
  }

  return (
    <Figures label={t('Quick Stats')} layout="chips">
      {time(t('Today'), stats.todaySeconds, () => ({
        about: formatFullDate(today),
        dates: { from: today, to: addDays(today, 1) },
      }))}
      {time(t('This Week'), stats.weekSeconds, current('weekly'))}
      {time(t('This Month'), stats.monthSeconds, current('monthly'))}
      {time(t('This Year'), stats.yearSeconds, current('yearly'))}
      <Figure
        label={t('Daily Streak')}
        value={days(stats.streakDays)}
        exact={
          isEmptyToday && streakDays > 0
            ? t('{count, number}-day streak. Track today to keep it.', { count: streakDays })
            : undefined
        }
        note={isEmptyToday && streakDays > 0 ? upToYesterday(streakDays) : undefined}
        pending={pending}
        onExplain={() =>
          explain({
            title: t('Daily Streak'),
            ...streak(),
            figure: isEmptyToday && streakDays > 0 ? upToYesterday(streakDays) : days(streakDays),
          })
        }
      />
      <Figure
        label={t('Sessions')}
        value={String(stats.sessions)}
        pending={pending}
        onExplain={() => explain({ title: t('Sessions'), ...WHOLE_HISTORY, reading: 'count' })}
      />
      <Figure
        label={t('Avg Session')}
        value={duration(stats.averageSeconds)}
        exact={exactDuration(stats.averageSeconds)}
        pending={pending}
        onExplain={() => explain({ title: t('Avg Session'), ...WHOLE_HISTORY, reading: 'average' })}
      />
    </Figures>
  )
}

/** Sessions and Avg Session cover all saved sessions. */
const WHOLE_HISTORY = { about: t('All time'), dates: null, savedOnly: true } as const

function days(count: number): string {
  return t('{count, plural, one {{count} day} other {{count} days}}', { count })
}

function upToYesterday(count: number): string {
  return t(
    '{count, plural, one {{count} day through yesterday} other {{count} days through yesterday}}',
    { count },
  )
}
