/** Reads the events of a calendar file as traces. */
import { t } from '#text.ts'
import type { CsvProblem } from '#csv.ts'
import { zoneClock } from '#time/calendar.ts'
import type { ZoneClock } from '#time/calendar.ts'
import type { Interval } from '#time/instant.ts'
import {
  calendarsOf,
  ICAL,
  instantOfWall,
  isFloating,
  recurrences,
  replacedTimes,
  uidOf,
  unknownZone,
  wallSeconds,
} from '#transfer/formats/calendar-file.ts'
import { Problems } from './problems.ts'
import { keptRange, MAX_TRACE_MILLISECONDS, traceOf } from './trace.ts'
import type { Trace, TraceAside, TraceOptions, TraceReading } from './trace.ts'

/** How many times of one event, and of all events of a file, are looked at. */
const MAX_TIMES_OF_EVENT = 20_000
const MAX_TIMES = 1_000_000

/**
 * Returns the events of a calendar, from a year before now until four weeks after it, each time of
 * one that recurs. Whole days, cancelled and declined events, and those during which their owner is
 * free, are marked as such. Times without a zone are in that of the options. Events of a zone that
 * nobody knows are left out.
 *
 * @param text which `isCalendar`
 */
export function readCalendarTraces(text: string, options: TraceOptions): TraceReading {
  const problems = new Problems()
  const broken: CsvProblem[] = []
  const calendars = calendarsOf(text, broken)
  for (const { line, text: found, why } of broken) problems.add(line, found, why)
  const known = {
    clock: zoneClock(options.timeZone),
    range: keptRange(options.now),
    strange: new Set<string>(),
  }
  const traces: Trace[] = []
  let name = ''
  let number = 0
  let looked = 0
  for (const calendar of calendars) {
    const calendarName = textOf(calendar.head, 'x-wr-calname') || textOf(calendar.head, 'name')
    name ||= calendarName
    const ofCalendar = {
      ...known,
      isReplaced: replacedTimes(calendar),
      where: calendarName || options.name,
      // The calendar of a person often has their address as its name.
      owner: new Set([...options.addresses, calendarName].map((each) => each.toLowerCase())),
    }
    for (const component of calendar.events) {
      number += 1
      const report = (why: string): void =>
        problems.add(number, textOf(component, 'summary') || 'VEVENT', why)
      try {
        const { traces: found, steps, why } = tracesOf(component, ofCalendar)
        for (const trace of found) traces.push(trace)
        if (why !== null) report(why)
        looked += steps
      } catch {
        report(t('This event cannot be read.'))
      }
      if (looked > MAX_TIMES) {
        report(t('The events recur too often. Those after this one are left out.'))
        return { name, traces, problems: problems.list }
      }
    }
  }
  return { name, traces, problems: problems.list }
}

/** What is known of the calendar of an event. */
interface OfCalendar {
  readonly clock: ZoneClock
  readonly range: Interval
  readonly isReplaced: ReturnType<typeof replacedTimes>
  readonly where: string
  /** Addresses in small letters. */
  readonly owner: ReadonlySet<string>
  /** The zones that are not known; those of the event are added. */
  readonly strange: Set<string>
}

/** Returns the traces of an event, how many of its times were looked at, and why some are left out. */
function tracesOf(
  component: ICAL.Component,
  { clock, range, isReplaced, where, owner, strange }: OfCalendar,
): { readonly traces: readonly Trace[]; readonly steps: number; readonly why: string | null } {
  const event = new ICAL.Event(component)
  const zone = unknownZone(component, event.startDate)
  if (zone !== '') {
    const why = t('The zone “{zone}” is not known. Its events are left out.', { zone })
    const isNew = !strange.has(zone)
    strange.add(zone)
    return { traces: [], steps: 1, why: isNew ? why : null }
  }
  const { times, steps } = timesOf(event, isReplaced, clock, range)
  const [title, detail] = [textOf(component, 'summary'), textOf(component, 'location')]
  const noWork = asideOf(component, owner)
  const traces = times.map(([from, to]) => {
    const isOfDays = event.startDate.isDate || to - from > MAX_TRACE_MILLISECONDS
    const aside = noWork ?? (isOfDays ? 'all-day' : undefined)
    return traceOf({ kind: 'calendar', from, to, title, where, detail, ...(aside && { aside }) })
  })
  const why = steps > MAX_TIMES_OF_EVENT ? t('Recurs too often. Later times are left out.') : null
  return { traces, steps, why }
}

type Times = readonly (readonly [from: number, to: number])[]

/** Returns the times of an event within a range, and how many were looked at. */
function timesOf(
  event: ICAL.Event,
  isReplaced: ReturnType<typeof replacedTimes>,
  clock: ZoneClock,
  range: Interval,
): { readonly times: Times; readonly steps: number } {
  const { component, startDate } = event
  const start = instantOf(startDate, clock)
  const length = Math.max(0, instantOf(event.endDate, clock) - start)
  const isOneOfSeries = component.getFirstPropertyValue('recurrence-id') !== null
  if (isOneOfSeries || !event.isRecurring()) {
    const isKept = start < range.end && start + length >= range.start
    return { times: isKept ? [[start, start + length]] : [], steps: 1 }
  }
  if (endOfSeries(component, clock) < range.start - length) return { times: [], steps: 1 }
  const times: [number, number][] = []
  const uid = uidOf(component)
  let steps = 0
  for (const time of recurrences(event)) {
    steps += 1
    const from = instantOf(time, clock)
    if (from >= range.end || steps > MAX_TIMES_OF_EVENT) break
    if (from + length < range.start || isReplaced(uid, time)) continue
    times.push([from, from + length])
  }
  return { times, steps }
}

/** Returns a moment before which the last time of a series begins; Infinity if that is not written. */
function endOfSeries(component: ICAL.Component, clock: ZoneClock): number {
  if (component.hasProperty('rdate')) return Infinity
  const ends = component.getAllProperties('rrule').map((property) => {
    const rule = property.getFirstValue()
    return rule instanceof ICAL.Recur && rule.until
      ? instantOf(rule.until, clock) + MAX_TRACE_MILLISECONDS
      : Infinity
  })
  return Math.max(...ends)
}

/** Returns the instant of a time in epoch milliseconds; that of a day is its start by the clock. */
function instantOf(time: ICAL.Time, clock: ZoneClock): number {
  return time.isDate || isFloating(time)
    ? instantOfWall(wallSeconds(time), clock)
    : time.toUnixTime() * 1000
}

/** Returns why the event is no work of its owner, who is known by addresses in small letters. */
function asideOf(component: ICAL.Component, owner: ReadonlySet<string>): TraceAside | undefined {
  if (textOf(component, 'status').toUpperCase() === 'CANCELLED') return 'cancelled'
  const hasDeclined = component.getAllProperties('attendee').some(
    (attendee) =>
      String(attendee.getParameter('partstat')).toUpperCase() === 'DECLINED' &&
      owner.has(
        String(attendee.getFirstValue())
          .replace(/^mailto:/i, '')
          .toLowerCase(),
      ),
  )
  if (hasDeclined) return 'declined'
  const isFree =
    textOf(component, 'transp').toUpperCase() === 'TRANSPARENT' ||
    textOf(component, 'x-microsoft-cdo-busystatus').toUpperCase() === 'FREE'
  return isFree ? 'free' : undefined
}

function textOf(component: ICAL.Component, property: string): string {
  const value = component.getFirstPropertyValue(property)
  return typeof value === 'string' ? value.trim() : ''
}
