import { useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { Link, useSearchParams } from '#ui/navigation.tsx'
import { t } from '@stint/core/text.ts'
import type { CalendarDate } from '@stint/core/time/calendar.ts'
import { exactDuration } from '@stint/core/time/duration.ts'
import { breakdownTitle, periodDates, periodLabel, stepPeriod } from '@stint/core/time/period.ts'
import type { Period } from '@stint/core/time/period.ts'
import { barParts } from '@stint/core/reports/bar-parts.ts'
import type { BarPart } from '@stint/core/reports/bar-parts.ts'
import { firstWorkedDay, ghostBars, periodBars } from '@stint/core/reports/period-bars.ts'
import type { PeriodBars as Bars } from '@stint/core/reports/period-bars.ts'
import type { ReportInput } from '@stint/core/reports/report-input.ts'
import { sessionCountText } from '@stint/core/reports/session-count.ts'
import type { Task, TaskColor } from '@stint/core/record/task.ts'
import { useFormats } from '#hooks/use-formats.ts'
import { buttonClasses } from '#ui/button.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { ChartSection, FigureButton } from '#ui/chart-section.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { TableCell } from '#ui/data-table.tsx'
import { useExplain } from '#hooks/use-explain.ts'
import type { Question } from '#hooks/use-explain.ts'
import { hasTraces } from '#hooks/has-traces.ts'
import { later } from '#ui/later.tsx'
import { LeftoverLine, nameOfPart, PeriodBars } from './period-bars.tsx'
import { goToDayTimeline, useDay, usualDay } from '#hooks/use-day.ts'
import { periodPath } from './use-period.ts'

const PlannedDays = later(async () => (await import('#hooks/planned-days.tsx')).PlannedDays)

/** The bar chart of the period, for one task or for all. */
export function PeriodBarsSection({
  input,
  period,
  task = null,
  color,
  pending,
}: {
  input: ReportInput
  period: Period
  task?: Task | null
  color?: TaskColor
  pending: boolean
}) {
  const [planned, setPlanned] = useState<ReadonlyMap<CalendarDate, number>>()
  const figures = useMemo(
    () => periodBars(input, period, task?.id, planned),
    [input, period, task?.id, planned],
  )
  const before = stepPeriod(period, -1)
  const ghosts = useMemo(
    () => ghostBars(input, period, figures.bars, task?.id),
    [input, period, figures, task],
  )
  const parts = useMemo(() => (task ? [] : barParts(input, period)), [input, period, task])
  const explain = useExplain()
  const { show: showDay } = useDay()
  const [parameters] = useSearchParams()
  const { duration } = useFormats()
  const about = periodLabel(period)
  const { title, bars, totalSeconds, count, leftover } = figures
  const ofTask = task ? { taskIds: [task.id] } : {}
  const isLive = input.live !== null && (task === null || input.live.taskId === task.id)

  if (pending) return <PendingBars period={period} />
  return (
    <ChartSection
      title={title}
      figure={
        <div className="flex flex-wrap items-center gap-x-4">
          {task && (
            <span>
              <FigureButton
                title={exactDuration(totalSeconds)}
                onExplain={() =>
                  explain({ title: about, about: null, dates: periodDates(period), ...ofTask })
                }
              >
                {duration(totalSeconds)}
              </FigureButton>{' '}
              <span className="figures">
                {t('in {sessions}', { sessions: sessionCountText(count) })}
              </span>
            </span>
          )}
          {ghosts.some(({ seconds }) => seconds > 0) && (
            <span className="figures inline-flex items-center gap-1.5">
              <span aria-hidden="true" className="h-3 w-5 rounded-e-[3px] bg-line" />
              {periodLabel(before)}
            </span>
          )}
          {task === null && bars[0]?.unit === 'day' && hasTraces() && (
            <PlannedDays
              dates={periodDates(period)}
              dayRule={input.dayRule}
              onPlanned={setPlanned}
            />
          )}
        </div>
      }
      action={task === null && onAPage(period)}
      table={
        <BarsTable
          figures={figures}
          parts={parts}
          about={about}
          onExplain={(question) => explain({ ...ofTask, ...question })}
        />
      }
    >
      <PeriodBars
        bars={bars}
        ghosts={ghosts}
        color={color}
        parts={parts}
        liveTaskId={isLive ? (input.live?.taskId ?? null) : null}
        onPress={(bar, isGlance) => {
          showDay(firstWorkedDay(input, bar, task?.id), usualDay(input, period, task?.id))
          if (!isGlance) goToDayTimeline()
        }}
      />
      {leftover && (
        <LeftoverLine
          leftover={leftover}
          figure={
            <FigureButton
              title={exactDuration(leftover.seconds)}
              onExplain={() =>
                explain({ title: leftover.dates, about: null, dates: leftover, ...ofTask })
              }
            >
              {duration(leftover.seconds)}
            </FigureButton>
          }
          nextMonth={(words) => (
            <Link
              to={periodPath(stepPeriod(period, 1), parameters)}
              className="text-ink underline decoration-1 underline-offset-4"
            >
              {words}
            </Link>
          )}
        />
      )}
    </ChartSection>
  )
}

/** Returns a link to the picture of a year or of a month. */
function onAPage(period: Period): ReactNode {
  if (period.view !== 'yearly' && period.view !== 'monthly') return null
  return (
    <Link
      to={`/year${periodPath(period, new URLSearchParams())}`}
      className={buttonClasses('quiet', 'small')}
    >
      {period.view === 'yearly' ? t('Year on a page') : t('Month on a page')}
    </Link>
  )
}

/** The bars and their tasks. Every figure shows its sessions when it is pressed. */
function BarsTable({
  figures: { title, bars, leftover, totalSeconds },
  parts,
  about,
  onExplain,
}: {
  figures: Bars
  parts: readonly (readonly BarPart[])[]
  about: string
  onExplain: (question: Question) => void
}) {
  const isMonth = bars.some((bar) => bar.neighbour !== null) || leftover !== null
  const hasParts = parts.length > 0
  const isPlanned = bars.some((bar) => bar.planned !== null)
  const figure = (seconds: number, question: Question): TableCell =>
    seconds === 0
      ? exactDuration(seconds)
      : { text: exactDuration(seconds), onExplain: () => onExplain(question) }
  const row = (
    name: string,
    seconds: number,
    inPeriodSeconds: number,
    question: Question,
    planned = 0,
  ) => [
    name,
    figure(seconds, question),
    ...(isPlanned ? [exactDuration(planned)] : []),
    ...(isMonth ? [exactDuration(inPeriodSeconds)] : []),
    ...(hasParts ? [''] : []),
  ]
  const rowOf = (part: BarPart, dates: string): TableCell[] => {
    const { days, taskIds, seconds, percentLabel } = part
    const name = nameOfPart(part)
    const time = figure(seconds, { title: name, about: dates, dates: days, taskIds })
    return [
      `– ${name}`,
      ...(isMonth ? ['', time] : [time]),
      ...(isPlanned ? [''] : []),
      percentLabel,
    ]
  }
  return (
    <DataTable
      caption={`${title}, ${about}`}
      columns={[
        { name: t('Dates'), isFigure: false },
        { name: t('Time'), isFigure: true },
        ...(isPlanned ? [{ name: t('Planned'), isFigure: true }] : []),
        ...(isMonth ? [{ name: t('In {period}', { period: about }), isFigure: true }] : []),
        ...(hasParts ? [{ name: t('column|Share'), isFigure: true }] : []),
      ]}
      rows={[
        ...bars.flatMap((bar, index) => [
          row(
            `${bar.label}, ${bar.dates}`,
            bar.seconds,
            bar.inPeriodSeconds,
            { title: bar.dates, about: null, dates: bar },
            bar.planned?.seconds,
          ),
          ...(parts[index] ?? []).map((part) => rowOf(part, bar.dates)),
        ]),
        ...(leftover
          ? [
              row(
                t("{dates}, in next month's first week", { dates: leftover.dates }),
                leftover.seconds,
                leftover.seconds,
                { title: leftover.dates, about: null, dates: leftover },
              ),
            ]
          : []),
      ]}
      sum={[
        about,
        ...(isMonth ? [''] : []),
        exactDuration(totalSeconds),
        ...(isPlanned ? [exactDuration(sumOf(bars))] : []),
        ...(hasParts ? [''] : []),
      ]}
    />
  )
}

/** Returns the planned seconds of the bars. */
function sumOf(bars: Bars['bars']): number {
  return bars.reduce((sum, { planned }) => sum + (planned?.seconds ?? 0), 0)
}

/** The placeholder of the chart. */
function PendingBars({ period }: { period: Period }) {
  return (
    <ChartSection title={breakdownTitle(period)} table={null}>
      <div aria-hidden="true" className="flex flex-col gap-5 py-2">
        {['w-3/5', 'w-4/5', 'w-1/2', 'w-2/3', 'w-1/3'].map((width) => (
          <div key={width} className="flex gap-6">
            <Skeleton className="h-4 w-12" />
            <Skeleton className={`h-4 ${width}`} />
          </div>
        ))}
      </div>
    </ChartSection>
  )
}
