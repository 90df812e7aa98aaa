/**
 * Local days. The only file with date arithmetic, and the only one that asks Temporal.
 *
 * A day is a `CalendarDate`, 'YYYY-MM-DD', or its number: days since 1970-01-01. A local day is
 * [start of day, start of next day) in an IANA zone: 23, 24 or 25 hours, and it starts at 01:00
 * where the clocks skip midnight. Days, never milliseconds, are added.
 *
 * Functions of days take a `DayRule`, which says at which hour they begin; functions of clocks take a
 * time zone, an IANA name.
 *
 * Dates in text are English, day before month, without a comma: '26 Jul', '15–21 Nov 2026',
 * '26 Jul – 1 Aug', 'August 2026'. An en dash joins the days of one month without spaces and
 * anything longer with spaces.
 */
import { dayRuleOf } from './day-rule.ts'
import type { DayRule } from './day-rule.ts'
import type { Interval } from './instant.ts'

/**
 * 'YYYY-MM-DD', of whatever zone the reader means. No other text fits the type; whether the day exists is
 * what `isCalendarDate` says.
 */
export type CalendarDate = `${number}-${number}-${number}`

/** Whole days, `from` the first, `to` the first one after. */
export interface DateRange {
  readonly from: CalendarDate
  readonly to: CalendarDate
}

const HOUR_MILLISECONDS = 3_600_000
const DAY_MILLISECONDS = 24 * HOUR_MILLISECONDS

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const

const WEEKDAYS = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
] as const

// Zones

/** The zone if this machine knows it, else 'UTC': some browsers report 'Etc/Unknown'. */
export function knownTimeZone(zone: string | null | undefined): string {
  return zoneId(zone) ?? 'UTC'
}

/** The zone of this machine. */
export function browserTimeZone(): string {
  return knownTimeZone(Temporal.Now.timeZoneId())
}

/** Whether this machine knows the zone. */
export function isKnownTimeZone(zone: string): boolean {
  return zoneId(zone) !== null
}

function zoneId(zone: string | null | undefined): string | null {
  if (!zone) return null
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone).timeZoneId
  } catch {
    return null
  }
}

// Dates

/** Whether the text is a day that exists, written 'YYYY-MM-DD', in the years 1 … 9998. */
export function isCalendarDate(text: string): text is CalendarDate {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const day = dayNumber(asDate(text))
  return (
    Number.isFinite(day) && dateOfDay(day) === text && text >= '0001-01-01' && text < '9999-01-01'
  )
}

/** Days since 1970-01-01. */
export function dayNumber(date: CalendarDate): number {
  return Date.parse(`${date}T00:00:00Z`) / DAY_MILLISECONDS
}

/** The date with that number. */
export function dateOfDay(day: number): CalendarDate {
  return asDate(new Date(day * DAY_MILLISECONDS).toISOString().slice(0, 10))
}

export function addDays(date: CalendarDate, days: number): CalendarDate {
  return dateOfDay(dayNumber(date) + days)
}

/** Months later, on the same day of the month or the last one it has. */
export function addMonths(date: CalendarDate, months: number): CalendarDate {
  return asDate(Temporal.PlainDate.from(date).add({ months }).toString())
}

/** How many days `to` is after `from`; negative when it is before. */
export function daysBetween(from: CalendarDate, to: CalendarDate): number {
  return dayNumber(to) - dayNumber(from)
}

/** 0 for Sunday … 6 for Saturday. */
export function weekday(date: CalendarDate): number {
  const thursdayFirst = dayNumber(date) + 4
  return ((thursdayFirst % 7) + 7) % 7
}

/** The first day of a week on or before the date: a Sunday, or weekday `first`. */
export function startOfWeek(date: CalendarDate, first = 0): CalendarDate {
  return addDays(date, -((weekday(date) - first + 7) % 7))
}

export function startOfMonth(date: CalendarDate): CalendarDate {
  return asDate(`${date.slice(0, 7)}-01`)
}

export function startOfYear(date: CalendarDate): CalendarDate {
  return asDate(`${date.slice(0, 4)}-01-01`)
}

/** For texts that are made here, and have the form. */
function asDate(text: string): CalendarDate {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one place that says so
  return text as CalendarDate
}

// Instants and dates

/** The day that the instant belongs to. */
export function localDate(instant: number, rule: DayRule): CalendarDate {
  let date = asDate(zoned(instant, rule.timeZone).toPlainDate().toString())
  if (rule.startHour === 0) return date
  // Before the hour it is still the day before, or, where that was skipped, the one before that.
  while (instant < startOfDate(date, rule)) date = addDays(date, -1)
  return date
}

/** The first instant of the day, epoch milliseconds. */
export function startOfDate(date: CalendarDate, rule: DayRule): number {
  const day = Temporal.PlainDate.from(date)
  const { timeZone, startHour } = rule
  const start =
    startHour === 0
      ? day.toZonedDateTime(timeZone)
      : day.toZonedDateTime({ timeZone, plainTime: `${twoDigits(startHour)}:00` })
  return start.epochMilliseconds
}

/**
 * When a clock in the zone shows so many seconds past 00:00 of the date (from 86,400 on, of the
 * days after it). Of a time that comes twice the first; one that the clocks skip is moved forward
 * by what they skip.
 */
export function instantOfClock(date: CalendarDate, secondsOfDay: number, timeZone: string): number {
  const days = Math.floor(secondsOfDay / 86_400)
  const seconds = secondsOfDay - days * 86_400
  const plainTime = Temporal.PlainTime.from({
    hour: Math.floor(seconds / 3600),
    minute: Math.floor((seconds % 3600) / 60),
    second: seconds % 60,
  })
  return Temporal.PlainDate.from(addDays(date, days)).toZonedDateTime({
    timeZone: timeZone,
    plainTime,
  }).epochMilliseconds
}

/** Seconds past 00:00 that a clock in the zone shows at the instant. */
export function clockSeconds(instant: number, timeZone: string): number {
  const { hour, minute, second } = zoned(instant, timeZone)
  return (hour * 60 + minute) * 60 + second
}

/** The clocks of a zone, for long tables: asks the calendar only where the clocks change. */
export interface ZoneClock {
  /** '2026-07-26 13:05:59+02:00', with milliseconds where there are some: names one instant. */
  readonly exactTime: (instant: number) => string
  /** `instantOfClock` of the zone. */
  readonly instantOf: (date: CalendarDate, secondsOfDay: number) => number
}

/** The clocks of the zone; keep it while a table is read or written. */
export function zoneClock(timeZone: string): ZoneClock {
  let stretch = steadyStretch(0, timeZone)
  const stretchAt = (instant: number) => {
    if (instant < stretch.start || instant >= stretch.end)
      stretch = steadyStretch(instant, timeZone)
    return stretch
  }
  return {
    exactTime: (instant) => {
      const { offset } = stretchAt(instant)
      const [date = '', time = ''] = new Date(instant + offset).toISOString().split('T')
      const shown = instant % 1000 === 0 ? time.slice(0, 8) : time.slice(0, 12)
      return `${date} ${shown}${offsetText(offset)}`
    },
    instantOf: (date, secondsOfDay) => {
      const clock = dayNumber(date) * DAY_MILLISECONDS + secondsOfDay * 1000
      const { start, end, offset } = stretchAt(clock - stretch.offset)
      const instant = clock - offset
      const isSteady = instant - DAY_MILLISECONDS >= start && instant + DAY_MILLISECONDS < end
      return isSteady ? instant : instantOfClock(date, secondsOfDay, timeZone)
    },
  }
}

interface SteadyStretch extends Interval {
  /** Milliseconds that the clocks are ahead of UTC. */
  readonly offset: number
}

/** From the clock change at or before the instant to the next. */
function steadyStretch(instant: number, timeZone: string): SteadyStretch {
  const clock = zoned(instant, timeZone)
  const change = zoned(instant + 1, timeZone).getTimeZoneTransition('previous')
  const next = clock.getTimeZoneTransition('next')
  return {
    start: change?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    end: next?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offset: offsetMilliseconds(clock),
  }
}

/** '+02:00'; '-04:42:46' where clocks still went by the sun. */
function offsetText(offset: number): string {
  const time = new Date(Math.abs(offset)).toISOString().slice(11, 19)
  return `${offset < 0 ? '-' : '+'}${time.endsWith(':00') ? time.slice(0, 5) : time}`
}

/** The first instant of the local day the instant falls on. */
export function startOfDay(instant: number, rule: DayRule): number {
  return startOfDate(localDate(instant, rule), rule)
}

/** The next local midnight after the instant: when what is shown about today must be redrawn. */
export function nextMidnight(instant: number, rule: DayRule): number {
  return startOfDate(addDays(localDate(instant, rule), 1), rule)
}

/** The instants of whole days: [start of the first, start of the one after the last). */
export function intervalOfDates(dates: DateRange, rule: DayRule): Interval {
  return { start: startOfDate(dates.from, rule), end: startOfDate(dates.to, rule) }
}

// The table of days

/** Where each of a run of local days starts, so that no calendar is asked per entry. */
export interface DayTable {
  readonly rule: DayRule
  /** The number of the first day. */
  readonly firstDay: number
  /** How many days. */
  readonly days: number
  /** `days + 1` instants: day i is [starts[i], starts[i + 1]). A day the zone skipped is empty. */
  readonly starts: Float64Array
}

/**
 * The table of the days in the range. Between two clock changes midnight is plain arithmetic; only
 * near a change is the calendar asked, which keeps ten years under a millisecond.
 */
export function dayTable(dates: DateRange, rule: DayRule): DayTable {
  const firstDay = dayNumber(dates.from)
  const days = Math.max(0, dayNumber(dates.to) - firstDay)
  const starts = new Float64Array(days + 1)
  const near = 2 * DAY_MILLISECONDS
  const afterMidnight = rule.startHour * HOUR_MILLISECONDS
  let clock = zoned(startOfDate(dates.from, rule) - near, rule.timeZone)
  let offset = offsetMilliseconds(clock) - afterMidnight
  let change = clock.getTimeZoneTransition('next')
  for (let index = 0; index <= days; index++) {
    const day = firstDay + index
    let midnight = day * DAY_MILLISECONDS - offset
    while (change && midnight >= change.epochMilliseconds + near) {
      clock = change
      offset = offsetMilliseconds(clock) - afterMidnight
      change = clock.getTimeZoneTransition('next')
      midnight = day * DAY_MILLISECONDS - offset
    }
    const isNearChange = change !== null && midnight > change.epochMilliseconds - near
    starts[index] = isNearChange ? startOfDate(dateOfDay(day), rule) : midnight
  }
  return { rule, firstDay, days, starts }
}

/**
 * A table that holds the days of both instants and of all between. Kept per rule and grown when
 * needed, in whole years: the calendar is asked once, not per figure.
 */
export function dayTableCovering(start: number, end: number, rule: DayRule): DayTable {
  const kept = TABLES.get(rule)
  if (kept && holds(kept, start) && holds(kept, end)) return kept
  const from = localDate(Math.min(start, kept?.starts[0] ?? start), rule)
  const lastKept = kept?.starts[kept.days - 1] ?? end
  const last = localDate(Math.max(end, lastKept), rule)
  const to = addMonths(startOfYear(last), 12)
  const table = dayTable({ from: startOfYear(from), to }, rule)
  TABLES.set(rule, table)
  return table
}

const TABLES = new Map<DayRule, DayTable>()

function holds(table: DayTable, instant: number): boolean {
  const index = dayIndexAt(table, instant)
  return index >= 0 && index < table.days
}

/** Which day of the table the instant falls on: 0 … days − 1, or −1 before and `days` after it. */
export function dayIndexAt(table: DayTable, instant: number): number {
  const { starts, days } = table
  const first = starts[0] ?? 0
  if (instant < first) return -1
  if (instant >= (starts[days] ?? first)) return days
  let index = Math.min(days - 1, Math.floor((instant - first) / DAY_MILLISECONDS))
  while (instant < (starts[index] ?? first)) index--
  while (instant >= (starts[index + 1] ?? first)) index++
  return index
}

/** Whether the day does not exist in the zone: it went from one side of the date line to the other. */
export function isSkippedDay(day: number, rule: DayRule): boolean {
  const { start, end } = intervalOfDates({ from: dateOfDay(day), to: dateOfDay(day + 1) }, rule)
  return start === end
}

/** A part of a local day between clock changes: instants, and the wall clock where it begins. */
export interface WallClockStretch extends Interval {
  /** What the clock shows at `start`, in milliseconds since 00:00 of that day. */
  readonly wallStart: number
}

/**
 * The date from midnight to midnight as stretches of steady clock: one on most days, two on a day
 * the clocks change, and then the hour that comes twice is in both.
 */
export function wallClockStretches(date: CalendarDate, timeZone: string): WallClockStretch[] {
  const midnights = dayRuleOf(timeZone)
  const end = startOfDate(addDays(date, 1), midnights)
  const stretches: WallClockStretch[] = []
  let from = zoned(startOfDate(date, midnights), timeZone)
  while (from.epochMilliseconds < end) {
    const change = from.getTimeZoneTransition('next')
    const next = change !== null && change.epochMilliseconds < end ? change : null
    stretches.push({
      start: from.epochMilliseconds,
      end: next?.epochMilliseconds ?? end,
      wallStart: ((from.hour * 60 + from.minute) * 60 + from.second) * 1000 + from.millisecond,
    })
    if (next === null) break
    from = next
  }
  return stretches
}

// Days and times as text

/**
 * 'today', 'yesterday', '3 days ago': calendar days in the zone, not stretches of 24 hours.
 * An instant after today reads 'today' as well: it can only come from a clock that runs ahead.
 */
export function relativeDay(instant: number, now: number, rule: DayRule): string {
  const days = daysBetween(localDate(instant, rule), localDate(now, rule))
  if (days <= 0) return 'today'
  return days === 1 ? 'yesterday' : `${days} days ago`
}

/** A session's day: 'Today', 'Yesterday', '26 Jul', or '26 Jul 2025' of another year. */
export function sessionDay(instant: number, now: number, rule: DayRule): string {
  const date = localDate(instant, rule)
  const today = localDate(now, rule)
  if (date === today) return 'Today'
  if (date === addDays(today, -1)) return 'Yesterday'
  return date.slice(0, 4) === today.slice(0, 4) ? formatDate(date) : formatFullDate(date)
}

/** The clocks people read; the first is the default. */
export const HOUR_CYCLES = [24, 12] as const
export type HourCycle = (typeof HOUR_CYCLES)[number]

/** The 24-hour clock, '09:05', or the one of 12 hours, '9:05 AM'. */
export function clockTime(instant: number, timeZone: string, cycle: HourCycle = 24): string {
  const { hour, minute } = zoned(instant, timeZone)
  return cycle === 24
    ? `${twoDigits(hour)}:${twoDigits(minute)}`
    : `${hour % 12 || 12}:${twoDigits(minute)} ${hour < 12 ? 'AM' : 'PM'}`
}

/** An hour of the clock as its label: '09' or '9 AM'. */
export function hourLabel(hour: number, cycle: HourCycle = 24): string {
  if (cycle === 24) return twoDigits(hour % 24)
  return `${hour % 12 || 12} ${hour % 24 < 12 ? 'AM' : 'PM'}`
}

/** A full hour as a clock shows it: '14:00' or '2 PM'. */
export function fullHour(hour: number, cycle: HourCycle): string {
  return cycle === 24 ? `${hourLabel(hour)}:00` : hourLabel(hour, cycle)
}

/** '2026-07-26 13:05:59', for tables that machines read. */
export function localDateTime(instant: number, timeZone: string): string {
  const clock = zoned(instant, timeZone)
  return `${clock.toPlainDate().toString()} ${clockTime(instant, timeZone)}:${twoDigits(clock.second)}`
}

/**
 * The instant at which a clock in the zone shows '2026-07-26T13:05'; null for what is no date and
 * time. Of an hour that comes twice the first; of one that is skipped, as long after the skip.
 */
export function instantOfLocalDateTime(text: string, timeZone: string): number | null {
  try {
    return Temporal.PlainDateTime.from(text).toZonedDateTime(timeZone).epochMilliseconds
  } catch {
    return null
  }
}

/**
 * The clock's time as a range shows it: '01:20', and '01:20 (second)' where the clocks went back and show
 * it for the second time. Without the word it is the first, as in what people type.
 */
export function timeInRange(instant: number, timeZone: string, cycle: HourCycle = 24): string {
  const time = clockTime(instant, timeZone, cycle)
  const clock = zoned(instant, timeZone)
  const first = clock.toPlainDateTime().toZonedDateTime(timeZone)
  return first.epochMilliseconds < clock.epochMilliseconds ? `${time} (second)` : time
}

/** When a session ended, with the days it ran over: '00:40 +1'. */
export function endClockTime(
  startedAt: number,
  endedAt: number,
  timeZone: string,
  cycle: HourCycle = 24,
): string {
  const midnights = dayRuleOf(timeZone)
  const days = daysBetween(localDate(startedAt, midnights), localDate(endedAt, midnights))
  const time = timeInRange(endedAt, timeZone, cycle)
  return days > 0 ? `${time} +${days}` : time
}

/** '26 Jul'. */
export function formatDate(date: CalendarDate): string {
  return `${Number(date.slice(8))} ${shortMonthName(date)}`
}

/** '26 Jul 2026'. */
export function formatFullDate(date: CalendarDate): string {
  return `${formatDate(date)} ${yearOf(date)}`
}

/** For accessible labels and tooltips: 'Sunday 26 July 2026'. */
export function spokenDate(date: CalendarDate): string {
  return `${weekdayName(date)} ${Number(date.slice(8))} ${monthAndYear(date)}`
}

/** '31 Aug', '30–31 Aug', '26 Jul – 1 Aug', '27 Dec – 2 Jan'. */
export function formatDates(dates: DateRange): string {
  const last = addDays(dates.to, -1)
  if (last <= dates.from) return formatDate(dates.from)
  return startOfMonth(last) === startOfMonth(dates.from)
    ? `${Number(dates.from.slice(8))}–${formatDate(last)}`
    : `${formatDate(dates.from)} – ${formatDate(last)}`
}

/** '15–21 Nov 2026', '26 Jul – 1 Aug 2026', '27 Dec 2026 – 2 Jan 2027'. */
export function formatFullDates(dates: DateRange): string {
  const last = addDays(dates.to, -1)
  return startOfYear(last) === startOfYear(dates.from) || last < dates.from
    ? `${formatDates(dates)} ${yearOf(dates.from)}`
    : `${formatFullDate(dates.from)} – ${formatFullDate(last)}`
}

/** 'Sunday'. */
export function weekdayName(date: CalendarDate): string {
  return WEEKDAYS[weekday(date)] ?? ''
}

/** 'Sun'. */
export function shortWeekdayName(date: CalendarDate): string {
  return weekdayName(date).slice(0, 3)
}

/** 'August'. */
export function monthName(date: CalendarDate): string {
  return MONTHS[Number(date.slice(5, 7)) - 1] ?? ''
}

/** 'Aug'. */
export function shortMonthName(date: CalendarDate): string {
  return monthName(date).slice(0, 3)
}

/** 'August 2026'. */
export function monthAndYear(date: CalendarDate): string {
  return `${monthName(date)} ${yearOf(date)}`
}

/** '2026'. */
export function yearOf(date: CalendarDate): string {
  return String(Number(date.slice(0, 4)))
}

function zoned(instant: number, timeZone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(Math.floor(instant)).toZonedDateTimeISO(timeZone)
}

function offsetMilliseconds(clock: Temporal.ZonedDateTime): number {
  return clock.offsetNanoseconds / 1_000_000
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}
