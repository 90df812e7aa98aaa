import { t } from '@stint/core/text.ts'
import type { DayRule } from '@stint/core/time/day-rule.ts'
import { useMemo, useState } from 'react'
import { addDays, clockTime } from '@stint/core/time/calendar.ts'
import { exactDuration } from '@stint/core/time/duration.ts'
import { periodLabel } from '@stint/core/time/period.ts'
import type { Period } from '@stint/core/time/period.ts'
import type { ReportInput } from '@stint/core/reports/report-input.ts'
import type { TaskColor } from '@stint/core/record/task.ts'
import { activityPattern } from '@stint/core/reports/task-report.ts'
import type { ActivityDay } from '@stint/core/reports/task-report.ts'
import { Quiet } from '#ui/quiet.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { hasTraces } from '#hooks/has-traces.ts'
import type { EventDay } from '#hooks/pattern-events.tsx'
import { later } from '#ui/later.tsx'
import { ActivityPattern } from './activity-pattern.tsx'
import { ChartSection } from '#ui/chart-section.tsx'
import { DataTable } from '#ui/data-table.tsx'
import { useExplain } from '#hooks/use-explain.ts'
import { useMinuteInput } from '#hooks/use-report.ts'

const TITLE = t('Daily Activity Pattern')
const PatternEvents = later(async () => (await import('#hooks/pattern-events.tsx')).PatternEvents)

/** The activity pattern of a task, of a period whose bars are days. */
export function ActivitySection({
  input,
  taskId,
  period,
  color,
  pending,
}: {
  input: ReportInput
  taskId: string
  period: Period
  color: TaskColor
  pending: boolean
}) {
  const steady = useMinuteInput(input)
  const days = useMemo(() => activityPattern(steady, taskId, period), [steady, taskId, period])
  const [events, setEvents] = useState<readonly EventDay[]>([])
  const explain = useExplain()
  const label = `${TITLE}, ${periodLabel(period)}`
  const { now, dayRule } = input

  if (pending) {
    return (
      <ChartSection title={TITLE} table={null}>
        <Skeleton className="h-64 w-full" />
      </ChartSection>
    )
  }
  return (
    <ChartSection
      title={TITLE}
      figure={hasTraces() && <PatternEvents input={steady} period={period} onEvents={setEvents} />}
      table={<ActivityTable days={days} caption={label} />}
    >
      <ActivityPattern
        days={days}
        events={events}
        color={color}
        nowPercent={percentOfDay(now, dayRule)}
        label={label}
        onExplain={({ spokenDate, date }) =>
          explain({
            title: spokenDate,
            about: null,
            dates: { from: date, to: addDays(date, 1) },
            taskIds: [taskId],
          })
        }
      />
    </ChartSection>
  )
}

/** Returns how much of the day has passed on the wall clock, in percent, to the minute. */
function percentOfDay(now: number, dayRule: DayRule): number {
  const [hours = 0, minutes = 0] = clockTime(now, dayRule.timeZone).split(':').map(Number)
  return Math.round(((hours * 60 + minutes) / 1440) * 10_000) / 100
}

/** The pattern as a table. A session past midnight is split between both days, as in the pattern. */
function ActivityTable({ days, caption }: { days: readonly ActivityDay[]; caption: string }) {
  const rows = days.flatMap((day) =>
    day.sessions.map(({ part: { startTime, endTime, seconds }, isLive }) => [
      `${day.label} ${day.shortDate}`,
      startTime,
      isLive && day.isToday ? t('now') : endTime,
      exactDuration(seconds),
    ]),
  )
  if (rows.length === 0) return <Quiet>{t('No sessions in these days')}</Quiet>
  return (
    <DataTable
      caption={caption}
      columns={[
        { name: t('Day'), isFigure: false },
        { name: t('field|Start'), isFigure: true },
        { name: t('field|End'), isFigure: true },
        { name: t('Worked'), isFigure: true },
      ]}
      rows={rows}
    />
  )
}
