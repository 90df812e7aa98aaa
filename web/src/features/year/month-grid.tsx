import { secondsWithin, trackedTime } from '@stint/core/reports/report-input.ts'
import type { ReportInput } from '@stint/core/reports/report-input.ts'
import { t } from '@stint/core/text.ts'
import {
  addDays,
  daysBetween,
  localDate,
  shortWeekdayName,
  spokenDate,
  startOfWeek,
} from '@stint/core/time/calendar.ts'
import type { CalendarDate, DateRange } from '@stint/core/time/calendar.ts'
import { hoursLabel, spokenDuration } from '@stint/core/time/duration.ts'

import { useFormats } from '#hooks/use-formats.ts'
import { classNames } from '#ui/class-names.ts'
import { Link } from '#ui/navigation.tsx'
import { pathOf, ROW_UNITS } from './use-day-rows.ts'
import type { DrawnTask } from './use-day-rows.ts'

/** The days of a month as a calendar, each with its 24 hours and its time. A press opens the day. */
export function MonthGrid({
  input,
  dates,
  tasks,
  dayPath,
}: {
  input: ReportInput
  dates: DateRange
  tasks: readonly DrawnTask[]
  dayPath: (date: CalendarDate) => string
}) {
  const { duration } = useFormats()
  const within = secondsWithin(trackedTime(input))
  const { from, to } = dates
  const first = startOfWeek(from, input.weekStart)
  const days = Array.from({ length: daysBetween(from, to) }, (_, day) => addDays(from, day))
  const today = localDate(input.now, input.dayRule)
  return (
    <div className="flex flex-col gap-1">
      <div aria-hidden="true" className="grid grid-cols-7 gap-1 text-center text-xs text-quiet">
        {Array.from({ length: 7 }, (_, day) => (
          <span key={day}>{shortWeekdayName(addDays(first, day))}</span>
        ))}
      </div>
      <ul aria-label={t('Days')} className="grid grid-cols-7 gap-1">
        {days.map((date, row) => {
          const seconds = within({ from: date, to: addDays(date, 1) })
          const said = seconds === 0 ? t('nothing') : spokenDuration(seconds)
          return (
            <li
              key={date}
              style={row === 0 ? { gridColumnStart: daysBetween(first, from) + 1 } : undefined}
              className="flex"
            >
              <Link
                to={dayPath(date)}
                aria-current={date === today ? 'date' : undefined}
                className={classNames(
                  'flex min-h-16 min-w-0 flex-1 flex-col justify-between gap-1 rounded-control border p-1.5 transition-colors duration-80 hover:border-edge md:min-h-22 md:p-2.5',
                  date === today ? 'border-edge' : 'border-line',
                  date > today && 'text-quiet',
                )}
              >
                <span className="sr-only">{`${spokenDate(date)}: ${said}`}</span>
                <span
                  aria-hidden="true"
                  className={classNames('figures text-xs', date === today && 'font-semibold')}
                >
                  {Number(date.slice(8))}
                </span>
                <svg
                  aria-hidden="true"
                  viewBox={`0 ${row} ${ROW_UNITS} 1`}
                  preserveAspectRatio="none"
                  className="h-3 w-full rounded-[3px] bg-wash md:h-5 rtl:-scale-x-100"
                >
                  {tasks.map(({ taskId, color, marks }) => (
                    <path
                      key={taskId}
                      d={pathOf(marks.filter((mark) => mark.row === row))}
                      fill={color}
                    />
                  ))}
                </svg>
                <span aria-hidden="true" className="figures min-h-[1lh] text-xs whitespace-nowrap">
                  {seconds > 0 && (
                    <>
                      <span className="max-md:hidden">{duration(seconds)}</span>
                      <span className="md:hidden">{hoursLabel(seconds)}</span>
                    </>
                  )}
                </span>
              </Link>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
