import { t } from '@stint/core/text.ts'
import { addDays, intervalOfDates } from '@stint/core/time/calendar.ts'
import type { CalendarDate, DateRange } from '@stint/core/time/calendar.ts'
import type { DayRule } from '@stint/core/time/day-rule.ts'
import { plannedSeconds } from '@stint/core/traces/planned.ts'
import { useEffect, useMemo } from 'react'

import { EventsLegend } from './events-legend.tsx'
import { useShowsCalendar } from './has-traces.ts'
import { useCalendarEvents } from './use-calendar-events.ts'
import { OUTLINE } from '#ui/chart/divided-bar.tsx'

/**
 * What the outlines behind the bars of days are. Calls `onPlanned`, which must stay the same, with the planned seconds of
 * each day: of none while events are hidden, or where there are none.
 */
export function PlannedDays({
  dates: { from, to },
  dayRule,
  onPlanned,
}: {
  dates: DateRange
  dayRule: DayRule
  onPlanned: (seconds: ReadonlyMap<CalendarDate, number>) => void
}) {
  const isShown = useShowsCalendar()
  const span = useMemo(() => intervalOfDates({ from, to }, dayRule), [from, to, dayRule])
  const events = useCalendarEvents(span)
  useEffect(() => {
    const seconds = new Map<CalendarDate, number>()
    if (isShown && events.length > 0)
      for (let date = from; date < to; date = addDays(date, 1))
        seconds.set(date, plannedSeconds(events, { from: date, to: addDays(date, 1) }, dayRule))
    onPlanned(seconds)
    return () => onPlanned(new Map())
  }, [isShown, events, from, to, dayRule, onPlanned])
  return events.length > 0 && <EventsLegend name={t('Planned')} swatch={`${OUTLINE} border-s!`} />
}
