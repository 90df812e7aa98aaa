import type { ReportInput } from '@stint/core/reports/report-input.ts'
import { t } from '@stint/core/text.ts'
import type { DateRange } from '@stint/core/time/calendar.ts'
import { intervalOfDates } from '@stint/core/time/calendar.ts'
import { clipIntervals, totalMilliseconds } from '@stint/core/time/instant.ts'
import { mergeIntervals } from '@stint/core/timer/pauses.ts'
import { plannedTime } from '@stint/core/traces/planned.ts'
import { useMemo } from 'react'

import { EventsSwitch } from './events-legend.tsx'
import { useFormats } from './use-formats.ts'
import { useCalendarEvents } from './use-calendar-events.ts'

/** How much of a week's events was worked, in a sentence, and what shows and hides events on the timeline. */
export function WeekEvents({ input, dates }: { input: ReportInput; dates: DateRange }) {
  const { entries, live, dayRule } = input
  const { duration } = useFormats()
  const week = useMemo(() => intervalOfDates(dates, dayRule), [dates, dayRule])
  const events = useCalendarEvents(week)
  if (events.length === 0) return null

  const planned = plannedTime(events, week)
  const tracked = mergeIntervals(
    [...entries, ...(live ? [live] : [])]
      .filter(
        ({ startedAt, endedAt, deletedAt }) =>
          deletedAt === null && startedAt < week.end && endedAt > week.start,
      )
      .map(({ startedAt, endedAt }) => ({ start: startedAt, end: endedAt })),
  )
  const worked = planned.flatMap(({ start, end }) => clipIntervals(tracked, start, end))
  return (
    <div className="flex flex-wrap items-center gap-x-2">
      <p className="figures text-quiet">
        {t('Events this week: {planned} planned, {worked} of it tracked', {
          planned: duration(totalMilliseconds(planned) / 1000),
          worked: duration(totalMilliseconds(worked) / 1000),
        })}
      </p>
      <EventsSwitch />
    </div>
  )
}
