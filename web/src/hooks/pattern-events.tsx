import { newEntry } from '@stint/core/record/entry-edit.ts'
import type { ReportInput } from '@stint/core/reports/report-input.ts'
import { activityPattern } from '@stint/core/reports/task-report.ts'
import type { ActivityDay } from '@stint/core/reports/task-report.ts'
import { t } from '@stint/core/text.ts'
import { dayRuleOf } from '@stint/core/time/day-rule.ts'
import { intervalOfDates } from '@stint/core/time/calendar.ts'
import { periodDates } from '@stint/core/time/period.ts'
import type { Period } from '@stint/core/time/period.ts'
import { useEffect, useMemo } from 'react'

import { EventsLegend } from './events-legend.tsx'
import { useShowsCalendar } from './has-traces.ts'
import { useCalendarEvents } from './use-calendar-events.ts'
import { BACKDROP } from '#ui/chart/marks.tsx'

/** The events of a day by the clock. */
export interface EventDay extends Pick<ActivityDay, 'date' | 'cells'> {
  /** What is on in each hour: 'Design review, 10:00 – 10:45'. */
  readonly hours: readonly (readonly string[])[]
}

/**
 * What the stretches behind the sessions of a pattern are. Calls `onEvents`, which must stay the same, with the events of
 * each day: of none while they are hidden, or where there are none.
 */
export function PatternEvents({
  input,
  period,
  onEvents,
}: {
  input: ReportInput
  period: Period
  onEvents: (days: readonly EventDay[]) => void
}) {
  const isShown = useShowsCalendar()
  const { timeZone } = input.dayRule
  const span = useMemo(
    () => intervalOfDates(periodDates(period), dayRuleOf(timeZone)),
    [period, timeZone],
  )
  const events = useCalendarEvents(span)
  useEffect(() => {
    if (isShown && events.length > 0) {
      const titles = new Map(events.map(({ id, title, where }) => [id, title || where]))
      // A pattern places sessions by the clock, so events are sessions of a task of their own.
      const entries = events.map(
        ({ id, from, to }) =>
          newEntry({ id, taskId: '', startedAt: from, endedAt: to, note: null }, 0).after,
      )
      const days = activityPattern({ ...input, entries, live: null }, '', period)
      onEvents(
        days.map(({ date, cells, sessions }) => ({
          date,
          cells,
          hours: cells.map(({ segments }) => {
            const said = sessions
              .filter(({ entryId }) => segments.some((segment) => segment.entryId === entryId))
              .map(({ entryId, startTime, endTime }) => {
                const title = titles.get(entryId) ?? ''
                return `${title}, ${startTime} – ${endTime}`
              })
            // Two calendars may have the same event.
            return [...new Set(said)]
          }),
        })),
      )
    }
    return () => onEvents([])
  }, [isShown, events, input, period, onEvents])
  return events.length > 0 && <EventsLegend name={t('Events')} swatch={BACKDROP} />
}
