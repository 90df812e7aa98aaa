/**
 * Local days. Only this file does date arithmetic and calls Temporal.
 *
 * A day is a `CalendarDate`, 'YYYY-MM-DD', or its number: days since 1970-01-01. A local day is
 * [start of day, start of next day) in an IANA zone. It has 23, 24 or 25 hours, and starts at 01:00
 * where the clocks skip midnight. Arithmetic adds days, never milliseconds.
 *
 * Functions of days take a `DayRule`, which has the hour at which days begin. Functions of clocks
 * take a time zone, an IANA name.
 *
 * Dates in text are in the language of the build: see `date-words.ts`. In English the day is before
 * the month, without a comma: '26 Jul', '15–21 Nov 2026', '26 Jul – 1 Aug', 'August 2026'. An en
 * dash has no spaces between days of one month, and has spaces otherwise. The examples here are
 * English.
 */
import { LANGUAGE, t } from '#text.ts'
import { dateWords, datesWords, daysAgoWords } from './date-words.ts'
import { dayRuleOf } from './day-rule.ts'
import type { DayRule } from './day-rule.ts'
import type { Interval } from './instant.ts'

/**
 * 'YYYY-MM-DD', in any zone. The type checks the form only; `isCalendarDate` checks that the day
 * exists.
 */
export type CalendarDate = `${number}-${number}-${number}`

/** Whole days: `from` is the first, `to` the first one after the range. */
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

/** Returns the zone if this machine knows it, else 'UTC': some browsers report 'Etc/Unknown'. */
export function knownTimeZone(zone: string | null | undefined): string {
  return zoneId(zone) ?? 'UTC'
}

/** Returns the zone of this machine. */
export function browserTimeZone(): string {
  return knownTimeZone(Temporal.Now.timeZoneId())
}

/** Returns whether this machine knows the zone. */
export function isKnownTimeZone(zone: string): boolean {
  return zoneId(zone) !== null
}

/** Names and offsets. Temporal takes a date with a zone as well, which nothing else does. */
const ZONE = /^(?:[A-Za-z._][\w.+/-]*|[+-]\d\d(?::?\d\d)?)$/

function zoneId(zone: string | null | undefined): string | null {
  if (!zone || !ZONE.test(zone)) return null
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone).timeZoneId
  } catch {
    return null
  }
}

// Dates

/** Returns whether the text is an existing day in the form 'YYYY-MM-DD', in the years 1 … 9998. */
export function isCalendarDate(text: string): text is CalendarDate {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const day = dayNumber(asDate(text))
  return (
    Number.isFinite(day) && dateOfDay(day) === text && text >= '0001-01-01' && text < '9999-01-01'
  )
}

/** Returns the number of days since 1970-01-01. */
export function dayNumber(date: CalendarDate): number {
  return Date.parse(`${date}T00:00:00Z`) / DAY_MILLISECONDS
}

/** Returns the date with that number. */
export function dateOfDay(day: number): CalendarDate {
  return asDate(new Date(day * DAY_MILLISECONDS).toISOString().slice(0, 10))
}

export function addDays(date: CalendarDate, days: number): CalendarDate {
  return dateOfDay(dayNumber(date) + days)
}

/**
 * Adds months. The result has the same day of the month, or the month's last day if it is shorter.
 */
export function addMonths(date: CalendarDate, months: number): CalendarDate {
  return asDate(Temporal.PlainDate.from(date).add({ months }).toString())
}

/** Returns how many days `to` is after `from`; negative if it is before. */
export function daysBetween(from: CalendarDate, to: CalendarDate): number {
  return dayNumber(to) - dayNumber(from)
}

/** Returns how many months the month of `to` is after that of `from`; negative if it is before. */
export function monthsBetween(from: CalendarDate, to: CalendarDate): number {
  const months = (date: CalendarDate) => 12 * Number(yearOf(date)) + Number(date.slice(5, 7))
  return months(to) - months(from)
}

/** Returns the last day of the range. */
export function lastDay({ to }: DateRange): CalendarDate {
  return addDays(to, -1)
}

/** Returns 0 for Sunday … 6 for Saturday. */
export function weekday(date: CalendarDate): number {
  const thursdayFirst = dayNumber(date) + 4
  return ((thursdayFirst % 7) + 7) % 7
}

/** Returns the first day of the week that contains the date: a Sunday, or weekday `first`. */
export function startOfWeek(date: CalendarDate, first = 0): CalendarDate {
  return addDays(date, -((weekday(date) - first + 7) % 7))
}

/** Returns the number of the week in its year by ISO 8601, whose weeks begin on Monday: 1 … 53. */
export function isoWeek(date: CalendarDate): number {
  const thursday = addDays(startOfWeek(date, 1), 3)
  return 1 + Math.floor(daysBetween(startOfYear(thursday), thursday) / 7)
}

export function startOfMonth(date: CalendarDate): CalendarDate {
  return asDate(`${date.slice(0, 7)}-01`)
}

/** Returns 1 January, 1 April, 1 July or 1 October. */
export function startOfQuarter(date: CalendarDate): CalendarDate {
  const january = startOfYear(date)
  return addMonths(january, 3 * Math.floor(monthsBetween(january, date) / 3))
}

export function startOfYear(date: CalendarDate): CalendarDate {
  return asDate(`${date.slice(0, 4)}-01-01`)
}

/** Casts a text that this file has built in the form of a date. */
function asDate(text: string): CalendarDate {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the callers build the form
  return text as CalendarDate
}

// Instants and dates

/** Returns the day that the instant belongs to. */
export function localDate(instant: number, rule: DayRule): CalendarDate {
  let date = asDate(zoned(instant, rule.timeZone).toPlainDate().toString())
  if (rule.startHour === 0) return date
  // Before the hour, the instant belongs to the day before or, if the zone skipped that one, to an
  // earlier one.
  while (instant < startOfDate(date, rule)) date = addDays(date, -1)
  return date
}

/** Returns the first instant of the day, in epoch milliseconds. */
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
 * Returns when a clock in the zone shows so many seconds past 00:00 of the date. From 86,400 on,
 * they reach into the following days. Of a repeated time, the first is returned. A skipped time is
 * moved forward by the length of the gap.
 */
export function instantOfClock(date: CalendarDate, secondsOfDay: number, timeZone: string): number {
  return dateTimeOf(date, secondsOfDay).toZonedDateTime(timeZone).epochMilliseconds
}

/** As `instantOfClock`, but the second of a repeated time; null for any other time. */
export function secondInstantOfClock(
  date: CalendarDate,
  secondsOfDay: number,
  timeZone: string,
): number | null {
  const dateTime = dateTimeOf(date, secondsOfDay)
  const second = dateTime.toZonedDateTime(timeZone, { disambiguation: 'later' }).epochMilliseconds
  return second > dateTime.toZonedDateTime(timeZone).epochMilliseconds ? second : null
}

/**
 * Returns both instants at which the clocks of the zone show what they show at this one; null if that
 * is the only one.
 */
export function bothInstants(instant: number, timeZone: string): readonly [number, number] | null {
  const dateTime = zoned(instant, timeZone).toPlainDateTime()
  const [first, second] = (['earlier', 'later'] as const).map((disambiguation) => {
    return dateTime.toZonedDateTime(timeZone, { disambiguation }).epochMilliseconds
  })
  return first === undefined || second === undefined || first === second ? null : [first, second]
}

function dateTimeOf(date: CalendarDate, secondsOfDay: number): Temporal.PlainDateTime {
  const days = Math.floor(secondsOfDay / 86_400)
  const seconds = secondsOfDay - days * 86_400
  const plainTime = Temporal.PlainTime.from({
    hour: Math.floor(seconds / 3600),
    minute: Math.floor((seconds % 3600) / 60),
    second: seconds % 60,
  })
  return Temporal.PlainDate.from(addDays(date, days)).toPlainDateTime(plainTime)
}

/**
 * Returns the instant at which the clocks of the zone went forward over that time, so many seconds
 * past 00:00 of the date; null if they show it.
 */
export function skippedSince(
  date: CalendarDate,
  secondsOfDay: number,
  timeZone: string,
): number | null {
  const instant = instantOfClock(date, secondsOfDay, timeZone)
  const shown = instant + offsetMilliseconds(zoned(instant, timeZone))
  if (shown === dayNumber(date) * DAY_MILLISECONDS + secondsOfDay * 1000) return null
  return steadyStretch(instant, timeZone).start
}

/** Returns the seconds past 00:00 that a clock in the zone shows at the instant. */
export function clockSeconds(instant: number, timeZone: string): number {
  const { hour, minute, second } = zoned(instant, timeZone)
  return (hour * 60 + minute) * 60 + second
}

/** The clocks of a zone, for long tables: the calendar is used only near clock changes. */
export interface ZoneClock {
  readonly timeZone: string
  /**
   * Returns '2026-07-26 13:05:59+02:00', with milliseconds unless they are 0. The text names one
   * instant.
   */
  readonly exactTime: (instant: number) => string
  /** As `instantOfClock`. */
  readonly instantOf: (date: CalendarDate, secondsOfDay: number) => number
  /** As `skippedSince`. */
  readonly skippedSince: (date: CalendarDate, secondsOfDay: number) => number | null
  /** As `clockSeconds`. */
  readonly secondsOfDay: (instant: number) => number
}

/** Returns the clocks of the zone. Keep the object while a table is read or written. */
export function zoneClock(timeZone: string): ZoneClock {
  let stretch = steadyStretch(0, timeZone)
  const stretchAt = (instant: number) => {
    if (instant < stretch.start || instant >= stretch.end)
      stretch = steadyStretch(instant, timeZone)
    return stretch
  }
  // Most lines of a table have the date of the one before.
  let day = { date: asDate('1970-01-01'), clock: 0 }
  /** Returns null within a day of a clock change. */
  const steadyInstantOf = (date: CalendarDate, secondsOfDay: number) => {
    if (day.date !== date) day = { date, clock: dayNumber(date) * DAY_MILLISECONDS }
    const clock = day.clock + secondsOfDay * 1000
    const { start, end, offset } = stretchAt(clock - stretch.offset)
    const instant = clock - offset
    const isSteady = instant - DAY_MILLISECONDS >= start && instant + DAY_MILLISECONDS < end
    return isSteady ? instant : null
  }
  return {
    timeZone,
    exactTime: (instant) => {
      const { offset } = stretchAt(instant)
      const [date = '', time = ''] = new Date(instant + offset).toISOString().split('T')
      const shown = instant % 1000 === 0 ? time.slice(0, 8) : time.slice(0, 12)
      return `${date} ${shown}${offsetText(offset)}`
    },
    instantOf: (date, secondsOfDay) =>
      steadyInstantOf(date, secondsOfDay) ?? instantOfClock(date, secondsOfDay, timeZone),
    skippedSince: (date, secondsOfDay) =>
      steadyInstantOf(date, secondsOfDay) === null
        ? skippedSince(date, secondsOfDay, timeZone)
        : null,
    secondsOfDay: (instant) => {
      const clock = instant + stretchAt(instant).offset
      return Math.floor((clock - Math.floor(clock / DAY_MILLISECONDS) * DAY_MILLISECONDS) / 1000)
    },
  }
}

interface SteadyStretch extends Interval {
  /** How far the clocks are ahead of UTC, in milliseconds. */
  readonly offset: number
}

/** Returns the time from the last clock change at or before the instant to the next one. */
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

/** Returns '+02:00', or '-04:42:46' for the local mean time of earlier centuries. */
function offsetText(offset: number): string {
  const time = new Date(Math.abs(offset)).toISOString().slice(11, 19)
  return `${offset < 0 ? '-' : '+'}${time.endsWith(':00') ? time.slice(0, 5) : time}`
}

/** Returns the first instant of the local day that the instant is on. */
export function startOfDay(instant: number, rule: DayRule): number {
  return startOfDate(localDate(instant, rule), rule)
}

/**
 * Returns when the next local day begins, which is when figures about today must be recalculated.
 */
export function nextMidnight(instant: number, rule: DayRule): number {
  return startOfDate(addDays(localDate(instant, rule), 1), rule)
}

/** Returns the interval of whole days: [start of the first, start of the one after the last). */
export function intervalOfDates(dates: DateRange, rule: DayRule): Interval {
  return { start: startOfDate(dates.from, rule), end: startOfDate(dates.to, rule) }
}

// The table of days

/** The starts of consecutive local days, so that entries need no calendar calls. */
export interface DayTable {
  readonly rule: DayRule
  /** The number of the first day. */
  readonly firstDay: number
  /** The number of days. */
  readonly days: number
  /**
   * `days + 1` instants: day i is [starts[i], starts[i + 1]). A day that the zone skipped is empty.
   */
  readonly starts: Float64Array
}

/**
 * Returns the table of the days in the range. Between two clock changes, midnights are 24 hours
 * apart; the calendar is used only near a change. Ten years take less than a millisecond.
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
 * Returns a table that covers both instants. It is cached by rule and extended by whole years, so
 * that the calendar is not used for each figure.
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

const TABLES = new WeakMap<DayRule, DayTable>()

function holds(table: DayTable, instant: number): boolean {
  const index = dayIndexAt(table, instant)
  return index >= 0 && index < table.days
}

/**
 * Returns the index of the day that the instant is on: 0 … days − 1, −1 before the table and `days`
 * after it.
 */
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

/** Returns whether the zone skipped the day by moving across the date line. */
export function isSkippedDay(day: number, rule: DayRule): boolean {
  const { start, end } = intervalOfDates({ from: dateOfDay(day), to: dateOfDay(day + 1) }, rule)
  return start === end
}

/** A part of a local day between clock changes, with the wall clock at its start. */
export interface WallClockStretch extends Interval {
  /** The wall clock at `start`, in milliseconds since 00:00 of that day. */
  readonly wallStart: number
}

/**
 * Returns the date from midnight to midnight as stretches without a clock change: one on most days,
 * two on a day with a change. A repeated hour is in both.
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
 * Returns 'today', 'yesterday' or '3 days ago', counted in calendar days of the zone. An instant
 * after today reads 'today': it comes from a clock that is ahead.
 */
export function relativeDay(instant: number, now: number, rule: DayRule): string {
  const days = Math.max(0, daysBetween(localDate(instant, rule), localDate(now, rule)))
  if (LANGUAGE !== 'en') return daysAgoWords(days)
  if (days === 0) return 'today'
  return days === 1 ? 'yesterday' : `${days} days ago`
}

/** Returns a session's day: 'Today', 'Yesterday', '26 Jul', or '26 Jul 2025' in another year. */
export function sessionDay(instant: number, now: number, rule: DayRule): string {
  const date = localDate(instant, rule)
  const today = localDate(now, rule)
  if (date === today) return t('Today')
  if (date === addDays(today, -1)) return t('Yesterday')
  return date.slice(0, 4) === today.slice(0, 4) ? formatDate(date) : formatFullDate(date)
}

/** The clocks to choose from; the first is the default. */
export const HOUR_CYCLES = [24, 12] as const
export type HourCycle = (typeof HOUR_CYCLES)[number]

/** Returns the time on the 24-hour clock, '09:05', or on the 12-hour clock, '9:05 AM'. */
export function clockTime(instant: number, timeZone: string, cycle: HourCycle = 24): string {
  const { hour, minute } = zoned(instant, timeZone)
  return cycle === 24
    ? `${twoDigits(hour)}:${twoDigits(minute)}`
    : `${hour % 12 || 12}:${twoDigits(minute)} ${hour < 12 ? 'AM' : 'PM'}`
}

/** Returns the label of an hour: '09' or '9 AM'. */
export function hourLabel(hour: number, cycle: HourCycle = 24): string {
  if (cycle === 24) return twoDigits(hour % 24)
  return `${hour % 12 || 12} ${hour % 24 < 12 ? 'AM' : 'PM'}`
}

/** Returns a full hour as a time: '14:00' or '2 PM'. */
export function fullHour(hour: number, cycle: HourCycle): string {
  return cycle === 24 ? `${hourLabel(hour)}:00` : hourLabel(hour, cycle)
}

/** Returns '2026-07-26 13:05:59', for files that programs read. */
export function localDateTime(instant: number, timeZone: string): string {
  const clock = zoned(instant, timeZone)
  return `${clock.toPlainDate().toString()} ${clockTime(instant, timeZone)}:${twoDigits(clock.second)}`
}

/**
 * Returns the time as a range shows it: '01:20', or '01:20 (second)' if the clocks went back and
 * show it for the second time. Without the word it is the first, as in typed times.
 */
export function timeInRange(instant: number, timeZone: string, cycle: HourCycle = 24): string {
  const time = clockTime(instant, timeZone, cycle)
  const clock = zoned(instant, timeZone)
  const first = clock.toPlainDateTime().toZonedDateTime(timeZone)
  return first.epochMilliseconds < clock.epochMilliseconds ? t('{time} (second)', { time }) : time
}

/** Returns the time at which a session ended, with the number of days it ran over: '00:40 +1'. */
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
  if (LANGUAGE !== 'en') return dateWords(date, 'day')
  return `${Number(date.slice(8))} ${shortMonthName(date)}`
}

/** '26 July'. */
export function formatLongDate(date: CalendarDate): string {
  if (LANGUAGE !== 'en') return dateWords(date, 'longDay')
  return `${Number(date.slice(8))} ${monthName(date)}`
}

/** '26 Jul 2026'. */
export function formatFullDate(date: CalendarDate): string {
  if (LANGUAGE !== 'en') return dateWords(date, 'fullDay')
  return `${formatDate(date)} ${yearOf(date)}`
}

/** Returns 'Thu 19 Nov', or with its year 'Wed 19 Nov 2025'. */
export function formatWeekdayAndDate(date: CalendarDate, withYear: boolean): string {
  if (LANGUAGE !== 'en') return dateWords(date, withYear ? 'weekdayAndFullDay' : 'weekdayAndDay')
  return `${shortWeekdayName(date)} ${withYear ? formatFullDate(date) : formatDate(date)}`
}

/** Returns 'Sunday 26 July 2026', for accessible labels and tooltips. */
export function spokenDate(date: CalendarDate): string {
  if (LANGUAGE !== 'en') return dateWords(date, 'spoken')
  return `${weekdayName(date)} ${Number(date.slice(8))} ${monthAndYear(date)}`
}

/** '31 Aug', '30–31 Aug', '26 Jul – 1 Aug', '27 Dec – 2 Jan'. */
export function formatDates(dates: DateRange): string {
  const last = addDays(dates.to, -1)
  if (last <= dates.from) return formatDate(dates.from)
  if (LANGUAGE !== 'en') return datesWords(dates.from, last, 'day')
  return startOfMonth(last) === startOfMonth(dates.from)
    ? `${Number(dates.from.slice(8))}–${formatDate(last)}`
    : `${formatDate(dates.from)} – ${formatDate(last)}`
}

/** '15–21 Nov 2026', '26 Jul – 1 Aug 2026', '27 Dec 2026 – 2 Jan 2027'. */
export function formatFullDates(dates: DateRange): string {
  const last = addDays(dates.to, -1)
  if (LANGUAGE !== 'en')
    return last < dates.from ? formatFullDate(dates.from) : datesWords(dates.from, last, 'fullDay')
  return startOfYear(last) === startOfYear(dates.from) || last < dates.from
    ? `${formatDates(dates)} ${yearOf(dates.from)}`
    : `${formatFullDate(dates.from)} – ${formatFullDate(last)}`
}

/** 'Sunday'. */
export function weekdayName(date: CalendarDate): string {
  if (LANGUAGE !== 'en') return dateWords(date, 'weekday')
  return WEEKDAYS[weekday(date)] ?? ''
}

/** 'Sun'. */
export function shortWeekdayName(date: CalendarDate): string {
  if (LANGUAGE !== 'en') return dateWords(date, 'shortWeekday')
  return weekdayName(date).slice(0, 3)
}

/** 'August'. */
export function monthName(date: CalendarDate): string {
  if (LANGUAGE !== 'en') return dateWords(date, 'month')
  return MONTHS[Number(date.slice(5, 7)) - 1] ?? ''
}

/** 'Aug'. */
export function shortMonthName(date: CalendarDate): string {
  if (LANGUAGE !== 'en') return dateWords(date, 'shortMonth')
  return monthName(date).slice(0, 3)
}

/** 'August 2026'. */
export function monthAndYear(date: CalendarDate): string {
  if (LANGUAGE !== 'en') return dateWords(date, 'monthAndYear')
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
