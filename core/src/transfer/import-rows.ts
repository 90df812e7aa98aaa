/** Determines when the rows of a table were worked on. */
import { t } from '#text.ts'
import type { CalendarDate, ZoneClock } from '#time/calendar.ts'
import { exactDuration } from '#time/duration.ts'
import { addDays, zoneClock } from '#time/calendar.ts'
import type { Interval } from '#time/instant.ts'
import { readDate } from './import-dates.ts'
import { readBreak, readImportedDuration } from './import-durations.ts'
import {
  clockOfTime,
  endAfter,
  endsOf,
  noDate,
  noDuration,
  noZone,
  readTimeOf,
  ROUNDING_SECONDS,
} from './import-ends.ts'
import type { TimeContext } from './import-ends.ts'
import { instantsOf, skippedReason } from './import-moments.ts'
import type { ImportRow } from './import-table.ts'
import { readZone } from './import-zones.ts'

const MINUTE_SECONDS = 60
const DAY_SECONDS = 86_400
const MAX_MILLISECONDS = 31 * DAY_SECONDS * 1000
export interface Times {
  readonly kind: 'times'
  readonly startedAt: number
  readonly endedAt: number
  /** The breaks in all. */
  readonly pausedSeconds: number
  /** The break whose time is known. */
  readonly pause: Interval | null
  /** The seconds that the row itself states; null if it has times only. */
  readonly statedSeconds: number | null
  /** True if the end is on the day after, which the row does not say. */
  readonly isOverMidnight: boolean
  /** The later times that it may have as well: the clocks show one of them twice, and the row does
   * not say which is meant. Earliest first. */
  readonly others: readonly Times[]
}
/** A row without times: see `layOut`. */
export interface DayOnly {
  readonly kind: 'day'
  readonly date: CalendarDate
  /** The clocks of the row. */
  readonly clock: ZoneClock
  readonly seconds: number
}
export interface Unreadable {
  readonly kind: 'problem'
  readonly why: string
  /** The seconds that the row states, as far as it can be read. */
  readonly statedSeconds: number
  /** True if it is a break, a holiday or a sick day. */
  readonly isNoWork: boolean
}
export type Reading = Times | DayOnly | Unreadable

/** Returns a function that returns the clocks of a zone, each made once. */
export function clocks(): (timeZone: string) => ZoneClock {
  const made = new Map<string, ZoneClock>()
  return (timeZone) => {
    const known = made.get(timeZone)
    if (known) return known
    const clock = zoneClock(timeZone)
    made.set(timeZone, clock)
    return clock
  }
}

/** Returns when the row was worked on, or why that is unknown. */
export function whenWorked(row: ImportRow, context: TimeContext): Reading {
  const seconds = row.duration === '' ? null : readImportedDuration(row.duration, context.unit)
  const read = readRow(row, seconds, context)
  return typeof read === 'string'
    ? {
        kind: 'problem',
        why: read,
        statedSeconds: Math.max(0, seconds ?? statedByTimes(row, context)),
        isNoWork: row.passedOver !== null,
      }
    : read
}

function readRow(
  row: ImportRow,
  seconds: number | null,
  context: TimeContext,
): Times | DayOnly | string {
  if (row.passedOver !== null) return row.passedOver
  if (row.startDate === '') return t('Has no date.')
  const date = readDate(row.startDate, context.order)
  if (date === null) return noDate(row.startDate)
  if (seconds !== null && seconds < 0) return t('Its duration is below zero.')
  const clock = clockOfRow(row, context)
  if (typeof clock === 'string') return clock
  if (row.startTime === '') return dayOnly(row, date, seconds, { ...context, clock })

  const time = readTimeOf(row.startTime, clock)
  if (typeof time === 'string') return time
  const ownClock = clockOfTime(time, clock, context)
  const skipped = skippedReason(date, time, ownClock)
  if (skipped !== null) return skipped
  const spans: Span[] = []
  let why = ''
  for (const startedAt of instantsOf(date, time, ownClock)) {
    const found = spansFrom(row, { date, startedAt }, seconds, { ...context, clock })
    if (typeof found === 'string') why ||= found
    else spans.push(...found)
  }
  return spans.length === 0 ? why : timesOf(nearest(spans), seconds, context)
}

/** What a row may mean. Clocks that show a time twice give several. */
interface Span extends Interval {
  readonly pause: Interval | null
  /** The seconds that its breaks may be, the likeliest first. */
  readonly breaks: readonly number[]
  /** How many seconds it is longer or shorter than its duration says; 0 without a duration. */
  readonly offSeconds: number
  readonly isOverMidnight: boolean
}

/** Returns what a row with this start may mean, or why nothing. */
function spansFrom(
  row: ImportRow,
  at: { readonly date: CalendarDate; readonly startedAt: number },
  seconds: number | null,
  context: TimeContext,
): Span[] | string {
  const { startedAt } = at
  const pauses = pausesAfter(row, at, context)
  if (typeof pauses === 'string') return pauses
  const spans: Span[] = []
  for (const pause of pauses) {
    const breaks = breakReadings(row, pause)
    if (typeof breaks === 'string') return breaks
    const elapsed = seconds === null ? [] : breaks.map((paused) => seconds + paused)
    const ends =
      row.endTime === ''
        ? endAfter(row, startedAt, elapsed)
        : endsOf(row, { ...at, elapsed }, context)
    if (typeof ends === 'string') return ends
    const { instants, isOverMidnight } = ends
    // Without a duration, '01:30 – 01:30' is no hour.
    const isAtOnce = elapsed.length === 0 && instants.includes(startedAt)
    for (const end of isAtOnce ? [startedAt] : instants) {
      if (end < startedAt) continue
      const lasted = (end - startedAt) / 1000
      const off = elapsed.map((wanted) => Math.abs(lasted - wanted))
      const offSeconds = off.length === 0 ? 0 : Math.min(...off)
      spans.push({ start: startedAt, end, pause, breaks, offSeconds, isOverMidnight })
    }
  }
  return spans
}

/** Returns the spans that the duration of the row is for; all if it is for none. */
function nearest(spans: readonly Span[]): readonly Span[] {
  const least = Math.min(...spans.map(({ offSeconds }) => offSeconds))
  if (least > ROUNDING_SECONDS) return spans
  return spans.filter(({ offSeconds }) => offSeconds - least <= MINUTE_SECONDS)
}

/** Returns the first times that the row can have, with the others; or why it can have none. */
function timesOf(
  spans: readonly Span[],
  seconds: number | null,
  context: TimeContext,
): Times | string {
  const found: Times[] = []
  let why = ''
  for (const span of spans) {
    const read = checked(span, seconds, context)
    if (typeof read === 'string') why ||= read
    else found.push(read)
  }
  const [first, ...others] = found
  return first ? { ...first, others } : why
}

/** Returns the seconds between the times of a row that is no work, 0 if they cannot be read. */
function statedByTimes(row: ImportRow, context: TimeContext): number {
  if (row.passedOver === null) return 0
  const read = readRow({ ...row, passedOver: null }, null, context)
  return typeof read === 'string' || read.kind !== 'times'
    ? 0
    : (read.endedAt - read.startedAt) / 1000
}

function clockOfRow({ zone }: ImportRow, { clock, clockOf }: TimeContext): ZoneClock | string {
  if (zone === '') return clock
  const read = readZone(zone, clock.timeZone)
  if (read === null) return noZone(zone)
  return 'timeZone' in read ? clockOf(read.timeZone) : clockOf(offsetName(read.offset))
}

/** Returns '+05:30', which is a time zone. */
function offsetName(offset: number): string {
  const minutes = Math.abs(Math.round(offset / 60_000))
  const clock = [Math.floor(minutes / 60), minutes % 60].map((part) =>
    String(part).padStart(2, '0'),
  )
  return `${offset < 0 ? '-' : '+'}${clock.join(':')}`
}

/**
 * Returns what the breaks of a row may be in seconds, the likeliest first, or why they cannot be
 * read. A number without a unit may be in any: the duration of the row can tell.
 */
function breakReadings({ breaks }: ImportRow, pause: Interval | null): number[] | string {
  const readings: number[] = []
  const placed = pause ? (pause.end - pause.start) / 1000 : 0
  for (const unit of [null, 'hours', 'minutes', 'seconds'] as const) {
    let sum = 0
    for (const { text, unit: said } of breaks) {
      const seconds = readBreak(text, said ?? unit)
      if (seconds === null || seconds < 0) return noDuration(text)
      sum += Math.round(seconds)
    }
    // The length of the break may be written beside its times.
    const inAll = sum === placed ? placed : sum + placed
    if (!readings.includes(inAll)) readings.push(inAll)
  }
  return readings
}

/**
 * Returns the break whose times the row has, null without one, or why it cannot be. Clocks that show
 * one of its times twice give several, the earliest first.
 */
function pausesAfter(
  row: ImportRow,
  at: { readonly date: CalendarDate; readonly startedAt: number },
  context: TimeContext,
): readonly (Interval | null)[] | string {
  if (row.pauseStart === '' || row.pauseEnd === '') return [null]
  const starts = instantsAfter(row.pauseStart, at, context)
  if (typeof starts === 'string') return starts
  const ends = instantsAfter(row.pauseEnd, at, context)
  if (typeof ends === 'string') return ends
  if (starts[0] === ends[0]) return [null]
  const pauses = starts.flatMap((start) => ends.map((end) => ({ start, end })))
  const possible = pauses.filter(({ start, end }) => start < end)
  return possible.length > 0 ? possible : t('Its break isn’t within its times.')
}

/** Returns when the clocks show a time from the start of the row on, that day or the next. */
function instantsAfter(
  text: string,
  { date, startedAt }: { readonly date: CalendarDate; readonly startedAt: number },
  context: TimeContext,
): readonly number[] | string {
  const time = readTimeOf(text, context.clock)
  if (typeof time === 'string') return time
  const clock = clockOfTime(time, context.clock, context)
  const sameDay = instantsOf(date, time, clock).filter((instant) => instant >= startedAt)
  const day = sameDay.length > 0 ? date : addDays(date, 1)
  const skipped = skippedReason(day, time, clock)
  if (skipped !== null) return skipped
  return sameDay.length > 0 ? sameDay : instantsOf(day, time, clock)
}

function dayOnly(
  row: ImportRow,
  date: CalendarDate,
  seconds: number | null,
  { today, clock }: TimeContext,
): DayOnly | string {
  if (row.duration === '') return t('Has neither times nor a duration.')
  if (seconds === null) return noDuration(row.duration)
  if (Math.round(seconds) === 0) return t('Has no time: its duration is zero.')
  if (seconds * 1000 > MAX_MILLISECONDS) return t('Lasts longer than 31 days.')
  if (date > today) return t('Lies in the future.')
  return { kind: 'day', date, clock, seconds }
}

/** Returns whether two lengths in seconds are the same where clocks have no seconds. */
function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) <= MINUTE_SECONDS
}

/** Returns the times of a row, or why it cannot have them. */
function checked(
  { start: startedAt, end: endedAt, pause, breaks, isOverMidnight }: Span,
  seconds: number | null,
  { now, hasExactDurations }: TimeContext,
): Times | string {
  const lasted = (endedAt - startedAt) / 1000
  if (lasted < 1) return t('Has no time: it starts and ends at once.')
  if (lasted * 1000 > MAX_MILLISECONDS) return t('Lasts longer than 31 days.')
  if (endedAt > now) return t('Lies in the future.')
  const isSum = lasted > DAY_SECONDS && seconds !== null && seconds < lasted / 2
  if (isSum && !hasExactDurations) {
    return t('Its times are {apart} apart, but its duration is {duration}. It may be a sum.', {
      apart: exactDuration(lasted),
      duration: exactDuration(seconds),
    })
  }
  if (pause && pause.end > endedAt) return t('Its break isn’t within its times.')
  const [likeliest = 0] = breaks
  const missing = seconds === null ? 0 : Math.floor(lasted) - Math.round(seconds)
  const pausedSeconds =
    hasExactDurations && missing > 0
      ? missing
      : (breaks.find((paused) => seconds === null || isNear(lasted - paused, seconds)) ?? likeliest)
  if (lasted - pausedSeconds < 1) return t('Its break leaves no work.')
  return {
    kind: 'times',
    startedAt,
    endedAt,
    pausedSeconds,
    pause,
    statedSeconds: seconds,
    isOverMidnight,
    others: [],
  }
}
