import { secondsWithin, trackedTime } from '@stint/core/reports/report-input.ts'
import type { ReportInput } from '@stint/core/reports/report-input.ts'
import { dayRows } from '@stint/core/reports/day-rows.ts'
import { t } from '@stint/core/text.ts'
import {
  addDays,
  addMonths,
  daysBetween,
  formatWeekdayAndDate,
  hourLabel,
  localDate,
  monthName,
  shortMonthName,
  spokenDate,
} from '@stint/core/time/calendar.ts'
import type { CalendarDate } from '@stint/core/time/calendar.ts'
import { spokenDuration } from '@stint/core/time/duration.ts'
import { useState } from 'react'
import type { KeyboardEvent, PointerEvent } from 'react'

import { useFormats } from '#hooks/use-formats.ts'
import { useSettings } from '#hooks/use-settings.ts'
import { placeAfter } from '#ui/chart/place-after.ts'
import { percent } from '#ui/chart/time-scale.ts'
import { Link } from '#ui/navigation.tsx'
import { pathOf, ROW_UNITS } from './use-day-rows.ts'
import type { DrawnTask } from './use-day-rows.ts'

/** The height of a day, in CSS pixels. */
const ROW_PIXELS = 2
/** More tasks of a day are not named. */
const MAX_NAMED = 3

/**
 * The days of a year below each other, with 24 hours from left to right. It is one image to assistive
 * technology; the table has the same figures. Pointer and arrow keys say what a day has, a press opens it.
 */
export function YearPicture({
  input,
  from,
  tasks,
  monthPath,
  onOpenDay,
}: {
  input: ReportInput
  /** The 1st of January. */
  from: CalendarDate
  tasks: readonly DrawnTask[]
  /** Returns the address of a month's page. */
  monthPath: (month: CalendarDate) => string
  onOpenDay: (date: CalendarDate) => void
}) {
  const [active, setActive] = useState<number | null>(null)
  const { hourCycle } = useSettings()
  const { dayRule, now } = input
  const months = Array.from({ length: 12 }, (_, month) => addMonths(from, month))
  const days = daysBetween(from, addMonths(from, 12))
  const today = daysBetween(from, localDate(now, dayRule))
  const place = Math.min(active ?? today, days - 1)

  const onKeyDown = (event: KeyboardEvent) => {
    const to = moved(event.key, Math.max(0, place), from, days)
    if (to !== null) setActive(to)
    else if (event.key === 'Enter' || event.key === ' ')
      onOpenDay(addDays(from, Math.max(0, place)))
    else return
    event.preventDefault()
  }
  const rowAt = ({ currentTarget, clientY }: PointerEvent<HTMLElement>) => {
    const { top, height } = currentTarget.getBoundingClientRect()
    return Math.min(days - 1, Math.max(0, Math.floor(((clientY - top) / height) * days)))
  }

  return (
    <figure className="flex flex-col gap-3">
      <figcaption
        aria-live={active === null ? 'off' : 'polite'}
        className="figures min-h-[2lh] text-sm text-quiet sm:min-h-[1lh]"
      >
        {active === null ? (
          t('Each row is a day. Press one to open it, or a month to see its days.')
        ) : (
          <DayInWords input={input} date={addDays(from, place)} tasks={tasks} />
        )}
      </figcaption>
      <div className="grid grid-cols-[2.75rem_minmax(0,1fr)] gap-y-1 text-xs text-quiet">
        <div aria-hidden="true" className="figures relative col-start-2 h-4">
          {[0, 6, 12, 18].map((hour) => (
            <span
              key={hour}
              className="absolute"
              style={{ insetInlineStart: percent((100 * hour) / 24) }}
            >
              {hourLabel((hour + dayRule.startHour) % 24, hourCycle)}
            </span>
          ))}
        </div>
        <ul aria-label={t('Months')} className="flex flex-col">
          {months.map((month) => (
            <li
              key={month}
              className="flex"
              style={{ height: daysBetween(month, addMonths(month, 1)) * ROW_PIXELS }}
            >
              <Link
                to={monthPath(month)}
                className="flex-1 rounded-control ps-1 hover:bg-wash hover:text-ink"
              >
                <span aria-hidden="true">{shortMonthName(month)}</span>
                <span className="sr-only">{monthName(month)}</span>
              </Link>
            </li>
          ))}
        </ul>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the table of the chart has the same content */}
        <div
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the picture is drawn here, so there is no image file
          role="img"
          aria-label={summaryOf(input, from, tasks)}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- arrow keys move from day to day
          tabIndex={0}
          style={{ height: days * ROW_PIXELS }}
          className="relative cursor-pointer touch-pan-y overflow-hidden rounded-[3px] bg-wash"
          onKeyDown={onKeyDown}
          onPointerMove={(event) => setActive(rowAt(event))}
          onPointerLeave={() => setActive(null)}
          onBlur={() => setActive(null)}
          onClick={() => onOpenDay(addDays(from, Math.max(0, place)))}
        >
          <svg
            aria-hidden="true"
            viewBox={`0 0 ${ROW_UNITS} ${days}`}
            preserveAspectRatio="none"
            shapeRendering="crispEdges"
            className="absolute inset-0 size-full rtl:-scale-x-100"
          >
            <path d={lines(from, days)} vectorEffect="non-scaling-stroke" className="stroke-line" />
            {tasks.map(({ taskId, color, marks }) => (
              <path key={taskId} d={pathOf(marks)} fill={color} />
            ))}
          </svg>
          {place >= 0 && (active !== null || today < days) && (
            <span
              aria-hidden="true"
              style={{ top: place * ROW_PIXELS, height: ROW_PIXELS }}
              className="pointer-events-none absolute inset-x-0 outline outline-ink"
            />
          )}
        </div>
      </div>
    </figure>
  )
}

/** Returns the row that a key moves to; null for another key. */
function moved(key: string, place: number, from: CalendarDate, days: number): number | null {
  const date = addDays(from, place)
  const months = key === 'PageDown' ? 1 : key === 'PageUp' ? -1 : 0
  if (months !== 0) {
    return Math.min(days - 1, Math.max(0, daysBetween(from, addMonths(date, months))))
  }
  if (key === 'Home') return 0
  if (key === 'End') return days - 1
  return placeAfter(key, place, days - 1, 'down')
}

/** Returns the line above each month but the first, and those of 6, 12 and 18 hours. */
function lines(from: CalendarDate, days: number): string {
  const across = Array.from({ length: 11 }, (_, month) => {
    return `M0 ${daysBetween(from, addMonths(from, month + 1))}h${ROW_UNITS}`
  })
  const down = [6, 12, 18].map((hour) => `M${hour * 60} 0v${days}`)
  return [...across, ...down].join('')
}

function DayInWords({
  input,
  date,
  tasks,
}: {
  input: ReportInput
  date: CalendarDate
  tasks: readonly DrawnTask[]
}) {
  const { duration } = useFormats()
  const worked = dayRows(input, { from: date, to: addDays(date, 1) })
  const seconds = worked.reduce((sum, each) => sum + each.seconds, 0)
  const others = worked.length - MAX_NAMED
  return (
    <>
      <span className="font-semibold text-ink">{formatWeekdayAndDate(date, true)}</span>
      {': '}
      {seconds === 0 ? t('nothing') : duration(seconds)}
      {worked.slice(0, MAX_NAMED).map(({ taskId, seconds: ofTask }) => (
        <span key={taskId}>
          {' · '}
          <bdi>{tasks.find((task) => task.taskId === taskId)?.name}</bdi> {duration(ofTask)}
        </span>
      ))}
      {others > 0 && ` · +${others}`}
    </>
  )
}

/** Returns the picture in one sentence: '2026: 1735 hours 20 minutes on 240 days, most on 3 March 2026'. */
function summaryOf(input: ReportInput, from: CalendarDate, tasks: readonly DrawnTask[]): string {
  const within = secondsWithin(trackedTime(input))
  const days = daysBetween(from, addMonths(from, 12))
  const dates = Array.from({ length: days }, (_, day) => addDays(from, day))
  const worked = dates
    .map((date) => ({ date, seconds: within({ from: date, to: addDays(date, 1) }) }))
    .filter(({ seconds }) => seconds > 0)
  const [most] = worked.toSorted((a, b) => b.seconds - a.seconds)
  const time = spokenDuration(tasks.reduce((sum, { seconds }) => sum + seconds, 0))
  return most
    ? t('{time} on {count, plural, one {{count} day} other {{count} days}}, most on {date}', {
        time,
        count: worked.length,
        date: spokenDate(most.date),
      })
    : t('no sessions')
}
