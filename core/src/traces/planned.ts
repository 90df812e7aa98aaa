/** What calendars had planned: the events that take time of their owner, and how much of some days. */
import { intervalOfDates } from '#time/calendar.ts'
import type { DateRange } from '#time/calendar.ts'
import type { DayRule } from '#time/day-rule.ts'
import { clipIntervals, totalMilliseconds } from '#time/instant.ts'
import type { Interval } from '#time/instant.ts'
import { mergeIntervals } from '#timer/pauses.ts'
import { inOrder } from './trace.ts'
import type { Trace } from './trace.ts'

/** Returns the events that touch a stretch of time and take time of their owner, in order. */
export function plannedEvents(traces: readonly Trace[], span: Interval): readonly Trace[] {
  return traces
    .filter(
      ({ kind, from, to, aside }) =>
        kind === 'calendar' && aside === undefined && from < span.end && to > span.start,
    )
    .toSorted(inOrder)
}

/** Returns the planned time within a stretch, in order. Events at the same time count once. */
export function plannedTime(events: readonly Trace[], { start, end }: Interval): Interval[] {
  const times = events.map(({ from, to }) => ({ start: from, end: to }))
  return mergeIntervals(clipIntervals(times, start, end))
}

/** Returns the planned seconds of some days. */
export function plannedSeconds(
  events: readonly Trace[],
  dates: DateRange,
  dayRule: DayRule,
): number {
  return totalMilliseconds(plannedTime(events, intervalOfDates(dates, dayRule))) / 1000
}
