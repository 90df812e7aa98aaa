import { secondsWithin, trackedTime } from '@stint/core/reports/report-input.ts'
import type { ReportInput } from '@stint/core/reports/report-input.ts'
import { sessionCount } from '@stint/core/reports/period-bars.ts'
import { sessionCountText } from '@stint/core/reports/session-count.ts'
import { t } from '@stint/core/text.ts'
import {
  addDays,
  addMonths,
  daysBetween,
  formatWeekdayAndDate,
  monthAndYear,
  startOfMonth,
  startOfYear,
  yearOf,
} from '@stint/core/time/calendar.ts'
import type { CalendarDate } from '@stint/core/time/calendar.ts'
import { exactDuration } from '@stint/core/time/duration.ts'
import { periodDates, periodLabel } from '@stint/core/time/period.ts'
import type { Period } from '@stint/core/time/period.ts'
import { Download, Printer } from 'lucide-react'
import { useRef } from 'react'

import { DAY_TIMELINE } from '#hooks/use-day.ts'
import { useExplain } from '#hooks/use-explain.ts'
import { useFormats } from '#hooks/use-formats.ts'
import { useSettings } from '#hooks/use-settings.ts'
import { Button } from '#ui/button.tsx'
import { ChartSection, FigureButton } from '#ui/chart-section.tsx'
import { DataTable } from '#ui/data-table.tsx'
import { Icon } from '#ui/icon.tsx'
import { Link, navigate } from '#ui/navigation.tsx'
import { showToast } from '#ui/toast.tsx'
import { MonthGrid } from './month-grid.tsx'
import { Poster } from './poster.tsx'
import { savePoster } from './save-poster.ts'
import { useDayRows } from './use-day-rows.ts'
import type { DrawnTask } from './use-day-rows.ts'
import { YearPicture } from './year-picture.tsx'

/** A year as one picture, or a month as a calendar, with what each task has in it. */
export function Year({ input, period }: { input: ReportInput; period: Period }) {
  const dates = periodDates(period)
  const tasks = useDayRows(input, dates)
  const explain = useExplain()
  const { duration } = useFormats()
  const { hourCycle } = useSettings()
  const poster = useRef<SVGSVGElement>(null)
  const isYear = period.view === 'yearly'
  const total = tasks.reduce((sum, { seconds }) => sum + seconds, 0)
  const label = periodLabel(period)
  const sessions = sessionCountText(sessionCount(trackedTime(input), dates))
  const save = () => {
    if (!poster.current) return
    const name = `stint-${label}.svg`
    savePoster(poster.current, name)
    showToast({ text: t('Downloaded {name}', { name }) })
  }
  return (
    <>
      <ChartSection
        title={label}
        figure={
          <>
            <FigureButton
              title={exactDuration(total)}
              onExplain={() => explain({ title: label, about: null, dates })}
            >
              {duration(total)}
            </FigureButton>{' '}
            <span className="figures">{t('in {sessions}', { sessions })}</span>
          </>
        }
        table={<PartsTable input={input} period={period} total={total} />}
        action={
          isYear ? (
            <div className="flex">
              <Button variant="quiet" size="small" onClick={save}>
                <Icon of={Download} />
                {/* not translated: a format */}
                SVG
              </Button>
              <Button variant="quiet" size="small" onClick={() => window.print()}>
                <Icon of={Printer} />
                {t('Print')}
              </Button>
            </div>
          ) : (
            <Link
              to={yearPath(dates.from)}
              className="px-3 text-sm text-quiet underline decoration-line decoration-1 underline-offset-4 hover:text-ink"
            >
              {yearOf(dates.from)}
            </Link>
          )
        }
      >
        {isYear ? (
          <YearPicture
            input={input}
            from={dates.from}
            tasks={tasks}
            monthPath={monthPath}
            onOpenDay={(date) => navigate(dayPath(date))}
          />
        ) : (
          <MonthGrid input={input} dates={dates} tasks={tasks} dayPath={dayPath} />
        )}
        <Legend tasks={tasks} />
      </ChartSection>
      {isYear && (
        <Poster
          ref={poster}
          from={dates.from}
          title={label}
          subtitle={`${duration(total)} ${t('in {sessions}', { sessions })}`}
          tasks={tasks}
          startHour={input.dayRule.startHour}
          hourCycle={hourCycle}
          write={duration}
        />
      )}
    </>
  )
}

/** The tasks with their colours and times. A press on a task opens its page. */
function Legend({ tasks }: { tasks: readonly DrawnTask[] }) {
  const { duration } = useFormats()
  return (
    <ul className="grid grid-cols-1 gap-x-8 gap-y-1 text-sm sm:grid-cols-2 lg:grid-cols-3">
      {tasks.map(({ taskId, name, color, seconds }) => (
        <li key={taskId} className="flex min-h-7 items-center gap-2">
          <span
            aria-hidden="true"
            style={{ backgroundColor: color }}
            className="size-2.5 shrink-0 rounded-full"
          />
          <Link to={`/tasks/${taskId}`} className="min-w-0 flex-1 truncate hover:underline">
            <bdi>{name}</bdi>
          </Link>
          <span className="figures text-quiet">{duration(seconds)}</span>
        </li>
      ))}
    </ul>
  )
}

/** The months of a year, or the days of a month, with their times. */
function PartsTable({
  input,
  period,
  total,
}: {
  input: ReportInput
  period: Period
  total: number
}) {
  const explain = useExplain()
  const within = secondsWithin(trackedTime(input))
  const { from, to } = periodDates(period)
  const isYear = period.view === 'yearly'
  const parts = isYear
    ? Array.from({ length: 12 }, (_, month) => {
        const first = addMonths(from, month)
        return { name: monthAndYear(first), from: first, to: addMonths(first, 1) }
      })
    : Array.from({ length: daysBetween(from, to) }, (_, day) => {
        const date = addDays(from, day)
        return { name: formatWeekdayAndDate(date, true), from: date, to: addDays(date, 1) }
      })
  return (
    <DataTable
      caption={periodLabel(period)}
      columns={[
        { name: isYear ? t('Month') : t('Day'), isFigure: false },
        { name: t('Time'), isFigure: true },
      ]}
      rows={parts.map(({ name, ...dates }) => {
        const text = exactDuration(within(dates))
        const onExplain = () => explain({ title: name, about: null, dates })
        return [name, within(dates) === 0 ? text : { text, onExplain }]
      })}
      sum={[periodLabel(period), exactDuration(total)]}
    />
  )
}

function yearPath(date: CalendarDate): string {
  return `/year?view=yearly&from=${startOfYear(date)}`
}

function monthPath(month: CalendarDate): string {
  return `/year?view=monthly&from=${startOfMonth(month)}`
}

/** Returns the address of the day timeline of a date. */
function dayPath(date: CalendarDate): string {
  return `/reports?view=weekly&from=${date}&day=${date}#${DAY_TIMELINE}`
}
