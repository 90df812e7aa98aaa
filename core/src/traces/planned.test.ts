import { expect, test } from 'vitest'
import { addDays } from '#time/calendar.ts'
import type { CalendarDate } from '#time/calendar.ts'
import { dayRuleOf } from '#time/day-rule.ts'
import { plannedEvents, plannedSeconds } from './planned.ts'
import { traceOf } from './trace.ts'
import type { Trace, TraceAside, TraceKind } from './trace.ts'

const HOURS = 3600
const MONDAY: CalendarDate = '2026-11-30'

/** Returns a trace of these times of Berlin, which is an hour ahead: '30 Nov 09:00', '30 Nov 10:00'. */
function event(
  from: string,
  to: string,
  more: { kind?: TraceKind; aside?: TraceAside } = {},
): Trace {
  const [start = 0, end = 0] = [from, to].map((time) => Date.parse(`${time} 2026 GMT+0100`))
  return traceOf({ kind: 'calendar', title: from, where: 'Work', from: start, to: end, ...more })
}

/** Returns the planned hours of Monday and of Tuesday. */
function hours(traces: readonly Trace[], startHour = 0): number[] {
  const rule = dayRuleOf('Europe/Berlin', startHour)
  const events = plannedEvents(traces, { start: -Infinity, end: Infinity })
  return [MONDAY, addDays(MONDAY, 1)].map(
    (from) => plannedSeconds(events, { from, to: addDays(from, 1) }, rule) / HOURS,
  )
}

test('Events at the same time count once', () => {
  const review = event('30 Nov 09:00', '30 Nov 11:00')
  expect(hours([review])).toEqual([2, 0])
  expect(hours([review, event('30 Nov 10:00', '30 Nov 12:00')])).toEqual([3, 0])
  expect(hours([review, event('30 Nov 09:30', '30 Nov 10:00'), review])).toEqual([2, 0])
})

test('An event counts on the days of its owner, each part on its own day', () => {
  const night = event('30 Nov 23:00', '1 Dec 05:00')
  expect(hours([night])).toEqual([1, 5])
  expect(hours([night], 4)).toEqual([5, 1])
})

test.each<TraceAside>(['all-day', 'declined', 'free', 'cancelled'])(
  'An event that is %s is not planned time',
  (aside) => {
    expect(hours([event('30 Nov 09:00', '30 Nov 11:00', { aside })])).toEqual([0, 0])
  },
)

test('What was measured is not planned', () => {
  expect(hours([event('30 Nov 09:00', '30 Nov 11:00', { kind: 'activity' })])).toEqual([0, 0])
})

test('Events come in order, and only those that touch the time', () => {
  const [late, early] = [
    event('30 Nov 10:00', '30 Nov 11:00'),
    event('30 Nov 08:00', '30 Nov 09:00'),
  ]
  const span = { start: early.to, end: late.to }
  expect(plannedEvents([late, early], { start: 0, end: Infinity })).toEqual([early, late])
  expect(plannedEvents([late, early], span)).toEqual([late])
})
