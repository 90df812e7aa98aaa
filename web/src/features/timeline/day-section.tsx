import { ChevronLeft, ChevronRight, Plus } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { Link, useLocation } from '#ui/navigation.tsx'
import { t } from '@stint/core/text.ts'
import {
  addDays,
  formatDates,
  intervalOfDates,
  localDate,
  spokenDate,
} from '@stint/core/time/calendar.ts'
import type { CalendarDate, DateRange } from '@stint/core/time/calendar.ts'
import { untrackedGaps } from '@stint/core/reports/day-gaps.ts'
import { dayLabel, dayTimeline, pressedSpan } from '@stint/core/reports/day-timeline.ts'
import type { DayTimeline } from '@stint/core/reports/day-timeline.ts'
import { gapRows } from '@stint/core/record/decided-gaps.ts'
import type { DecidedGap } from '@stint/core/record/decided-gaps.ts'
import { formatParts } from '@stint/core/time/duration-sum.ts'
import { exactDuration } from '@stint/core/time/duration.ts'
import { totalMilliseconds } from '@stint/core/time/instant.ts'
import type { Interval } from '@stint/core/time/instant.ts'
import { isCurrentPeriod, periodContaining, periodDates } from '@stint/core/time/period.ts'
import type { Period } from '@stint/core/time/period.ts'
import { secondsWithin, trackedTime } from '@stint/core/reports/report-input.ts'
import type { ReportInput } from '@stint/core/reports/report-input.ts'
import { entriesTouching, prepareEntries } from '@stint/core/reports/worked-days.ts'
import { Quiet } from '#ui/quiet.tsx'
import { Icon } from '#ui/icon.tsx'
import { Button } from '#ui/button.tsx'
import { RichText } from '#ui/rich-text.tsx'
import { IconButton } from '#ui/icon-button.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { openEditor } from '#hooks/requests.ts'
import { ChartSection, FigureButton } from '#ui/chart-section.tsx'
import { DataTable } from '#ui/data-table.tsx'
import { DAY_TIMELINE, goToDayTimeline, useDay, usualDay } from '#hooks/use-day.ts'
import { useExplain } from '#hooks/use-explain.ts'
import { useMinuteInput } from '#hooks/use-report.ts'
import { useFormats } from '#hooks/use-formats.ts'
import { useSettings } from '#hooks/use-settings.ts'
import { hasTraces } from '#hooks/has-traces.ts'
import { later } from '#ui/later.tsx'
import { DayView } from './day-view.tsx'
import { useDecidedGaps } from './use-decided-gaps.ts'
import { useTickingInput } from './use-ticking-input.ts'

const TITLE = t('Day Timeline')
const WeekEvents = later(async () => (await import('#hooks/week-events.tsx')).WeekEvents)
const DayLayer = later(async () => (await import('#hooks/day-layer.tsx')).DayLayer)

/** One day by the hour, to view and edit. With `taskId`, the sessions of other tasks are muted. */
export function DaySection({
  input: given,
  period,
  taskId,
  pending,
}: {
  input: ReportInput
  /** The period of the page. The day of a past one is its last with work. */
  period: Period
  taskId?: string
  pending: boolean
}) {
  const input = useMinuteInput(useTickingInput(given))
  const { dayRule, now } = input
  const today = localDate(now, dayRule)
  const usual = useMemo(() => usualDay(input, period, taskId), [input, period, taskId])
  const { date: wanted, show: showDay } = useDay()
  const date = wanted ?? usual
  const show = (date: CalendarDate) => showDay(date, usual)
  const [isWhole, setIsWhole] = useState(false)
  const timeline = useMemo(() => dayTimeline(input, date, isWhole), [input, date, isWhole])
  const gaps = useDecidedGaps()
  const rows = useMemo(
    () => gapRows(untrackedGaps(input.entries, input.live, date, dayRule, now), gaps.decided),
    [input, date, dayRule, now, gaps.decided],
  )
  const week = useMemo(
    () => untrackedInWeek(input, date, gaps.decided),
    [input, date, gaps.decided],
  )
  const { duration } = useFormats()
  const { durationFormat } = useSettings()
  const explain = useExplain()
  const label = dayLabel(date, now, dayRule)
  const dates = { from: date, to: addDays(date, 1) }
  const ofTask = taskId === undefined ? {} : { taskIds: [taskId] }
  // Calculated to the second, as the other figures are.
  const totalSeconds = secondsWithin(trackedTime(given), taskId)(dates)
  const untracked = duration(week.seconds)

  const { hash } = useLocation()
  useEffect(() => {
    if (!pending && hash === `#${DAY_TIMELINE}`) goToDayTimeline()
  }, [pending, hash])

  if (pending) {
    return (
      <ChartSection title={TITLE} table={null}>
        <Skeleton className="h-[34rem] w-full" />
      </ChartSection>
    )
  }
  const isOfAll = taskId === undefined
  // Those of other tasks are no part of the total.
  const counted = blocksOf(timeline, taskId)
  const parts = formatParts(
    counted.map(({ seconds }) => seconds),
    durationFormat,
    counted.findIndex(({ isLive }) => isLive),
  )
  const durations = timeline.blocks.map(
    (block) => parts[counted.indexOf(block)] ?? duration(block.seconds),
  )
  const add = (span: Interval | null) => {
    const times = span && { startedAt: span.start, endedAt: span.end }
    openEditor({ kind: 'add', ...times, ...(isOfAll ? {} : { taskId }) })
  }

  const nav = (
    <div className="-my-1 -ms-2 flex flex-wrap items-center gap-x-3">
      <div className="flex items-center">
        <IconButton
          icon={ChevronLeft}
          label={t('Day before')}
          onClick={() => show(addDays(date, -1))}
          className="print:hidden"
        />
        <IconButton
          icon={ChevronRight}
          label={t('Day after')}
          onClick={() => show(addDays(date, 1))}
          className="print:hidden"
        />
      </div>
      <output title={spokenDate(date)} className="figures font-semibold whitespace-nowrap">
        {label}
      </output>
      <span className="text-sm text-quiet">
        <FigureButton
          title={exactDuration(totalSeconds)}
          onExplain={() => explain({ title: label, about: null, dates, ...ofTask })}
        >
          {duration(totalSeconds)}
        </FigureButton>
      </span>
      {date !== today && (
        <Button
          variant="quiet"
          size="small"
          onClick={() => show(today)}
          aria-keyshortcuts="T"
          className="print:hidden"
        >
          {t('Current day')}
        </Button>
      )}
      <Button
        variant="quiet"
        size="small"
        onClick={() => add(freeSpan(timeline, now))}
        className="-me-2.5 ms-auto print:hidden"
      >
        <Icon of={Plus} />
        <span>
          <RichText
            text={t('Add<day> to this day</day>')}
            tags={{ day: (words) => <span className="max-md:sr-only">{words}</span> }}
          />
        </span>
      </Button>
    </div>
  )
  const layer = (at: (instant: number) => number) => (
    <DayLayer input={input} date={date} shown={timeline.shown} at={at} />
  )
  return (
    <ChartSection
      id={DAY_TIMELINE}
      title={TITLE}
      table={
        <>
          {nav}
          <DayTable input={given} date={date} taskId={taskId} label={label} total={totalSeconds} />
        </>
      }
    >
      {nav}
      <DayView
        timeline={timeline}
        gaps={isOfAll ? rows : []}
        dayRule={dayRule}
        label={`${TITLE}, ${spokenDate(date)}`}
        durations={durations}
        onAdd={add}
        decide={gaps}
        taskId={taskId}
        {...(isOfAll && hasTraces() && { renderLayer: layer })}
      />
      <footer className="-mb-1 flex min-h-8 flex-wrap items-center justify-between gap-x-4 text-sm print:hidden">
        {isOfAll && (
          <div className="flex flex-wrap gap-x-2">
            <h3 className="font-semibold">{t('Untracked')}</h3>
            <p className="figures text-quiet">
              {week.dates === null
                ? t('{duration} this week', { duration: untracked })
                : `${untracked}, ${week.dates}`}
            </p>
            <Link to="/rebuild" className="font-semibold text-quiet hover:text-ink hover:underline">
              {t('Rebuild')}
            </Link>
          </div>
        )}
        {isOfAll && hasTraces() && <WeekEvents input={input} dates={week.range} />}
        {(isWhole || isCut(timeline)) && (
          <Button
            variant="quiet"
            size="small"
            onClick={() => setIsWhole(!isWhole)}
            className="-me-2.5 ms-auto"
          >
            {isWhole ? t('Show worked hours') : t('Show whole day')}
          </Button>
        )}
      </footer>
    </ChartSection>
  )
}

/**
 * Returns a default interval to add: after the last session of the day, or from one hour after the
 * start of the shown hours.
 */
function freeSpan(timeline: DayTimeline, now: number): Interval | null {
  const { blocks, shown } = timeline
  const lastEnd = Math.max(...blocks.map(({ interval }) => interval.end))
  const first = (shown[0] ?? timeline.day).start
  return pressedSpan(timeline, blocks.length > 0 ? lastEnd : first + 3_600_000, now)
}

/** Returns whether hours of the day are left out. */
function isCut({ day, shown }: DayTimeline): boolean {
  return totalMilliseconds(shown) < day.end - day.start
}

/**
 * Returns the untracked seconds of the day's week, the week's days, and their text ('15–21 Nov'), null for this week.
 */
function untrackedInWeek(
  { entries, live, dayRule, now, weekStart }: ReportInput,
  date: CalendarDate,
  decided: readonly DecidedGap[],
): { seconds: number; range: DateRange; dates: string | null } {
  const week = periodContaining('weekly', date, weekStart)
  const dates = periodDates(week)
  const ofWeek = entriesTouching(prepareEntries(entries, dayRule), intervalOfDates(dates, dayRule))
  const untracked = Array.from({ length: 7 }, (_, index) => {
    const gaps = untrackedGaps(ofWeek, live, addDays(dates.from, index), dayRule, now)
    return gapRows(gaps, decided).flatMap((row) => (row.decided ? [] : [row.interval]))
  })
  return {
    seconds: totalMilliseconds(untracked.flat()) / 1000,
    range: dates,
    dates: isCurrentPeriod(week, now, dayRule) ? null : formatDates(dates),
  }
}

/** Returns the sessions of all tasks, or of one. */
function blocksOf({ blocks }: DayTimeline, taskId: string | undefined): DayTimeline['blocks'] {
  return taskId === undefined ? blocks : blocks.filter(({ entry }) => entry.taskId === taskId)
}

/** The day's sessions and their sum as a table. */
function DayTable({
  input,
  date,
  taskId,
  label,
  total,
}: {
  input: ReportInput
  date: CalendarDate
  taskId: string | undefined
  label: string
  total: number
}) {
  const blocks = blocksOf(dayTimeline(input, date), taskId)
  if (blocks.length === 0) return <Quiet>{t('No sessions on this day')}</Quiet>
  return (
    <DataTable
      caption={`${TITLE}, ${label}`}
      columns={[
        { name: t('Task'), isFigure: false },
        { name: t('field|Start'), isFigure: true },
        { name: t('field|End'), isFigure: true },
        { name: t('Worked'), isFigure: true },
      ]}
      rows={blocks.map(({ taskName, startTime, endTime, isLive, seconds }) => [
        taskName,
        startTime,
        isLive ? t('now') : endTime,
        exactDuration(seconds),
      ])}
      sum={[label, '', '', exactDuration(total)]}
    />
  )
}
