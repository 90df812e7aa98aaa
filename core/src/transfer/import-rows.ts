/** Determines when the rows of a table were worked on. */
import { t } from '#text.ts'
import type { CalendarDate, ZoneClock } from '#time/calendar.ts'
import { addDays } from '#time/calendar.ts'
import type { ImportRow } from './import-table.ts'
import type { DateOrder, DurationUnit } from './import-times.ts'
import {
  instantOf,
  readBreak,
  readDate,
  readImportedDuration,
  readTime,
  skippedReason,
} from './import-times.ts'

const MINUTE_SECONDS = 60
const DAY_SECONDS = 86_400
const MAX_MILLISECONDS = 31 * DAY_SECONDS * 1000
/** The time of day from which entries without times are laid out. */
const LAYOUT_START_SECONDS = 9 * 3600
/** How far a duration may deviate: other programs round to quarters of an hour. */
const OVER_MIDNIGHT_TOLERANCE_SECONDS = 15 * MINUTE_SECONDS

export interface Times {
  readonly kind: 'times'
  readonly startedAt: number
  readonly endedAt: number
  /** The breaks, at an unknown time. */
  readonly pausedSeconds: number
  /** True if the duration differs from the times without breaks by more than a minute. */
  readonly disagrees: boolean
}
/** A row without times: see `layOut`. */
export interface DayOnly {
  readonly kind: 'day'
  readonly date: CalendarDate
  readonly seconds: number
}
export interface Unreadable {
  readonly kind: 'problem'
  readonly why: string
}
export interface TimeContext {
  readonly order: DateOrder
  readonly unit: DurationUnit
  readonly clock: ZoneClock
  readonly now: number
  readonly today: CalendarDate
}

/** Returns when the row was worked on, or why that is unknown. */
export function whenWorked(row: ImportRow, context: TimeContext): Times | DayOnly | Unreadable {
  if (row.passedOver !== null) return problem(row.passedOver)
  if (row.startDate === '') return problem(t('Has no date.'))
  const date = readDate(row.startDate, context.order)
  if (date === null) return problem(t('“{text}” isn’t a valid date.', { text: row.startDate }))
  const seconds = row.duration === '' ? null : readImportedDuration(row.duration, context.unit)
  if (seconds !== null && seconds < 0) return problem(t('Its duration is below zero.'))
  if (row.startTime === '') return dayOnly(row, date, seconds, context)

  const time = readTime(row.startTime)
  if (!time) return problem(t('“{text}” isn’t a time.', { text: row.startTime }))
  const skipped = skippedReason(date, time, context.clock)
  if (skipped !== null) return problem(skipped)
  const breaks = breakReadings(row)
  if (typeof breaks === 'string') return problem(breaks)
  const startedAt = instantOf(date, time, context.clock)
  const elapsed = seconds === null ? [] : breaks.map((paused) => seconds + paused)
  const endedAt =
    row.endTime === ''
      ? endAfter(row, startedAt, elapsed)
      : endOf(row, { date, startedAt, elapsed }, context)
  if (typeof endedAt === 'string') return problem(endedAt)
  return checked({ startedAt, endedAt, seconds, breaks }, context)
}

/**
 * Returns what the breaks of a row may be in seconds, the likeliest first, or why they cannot be
 * read. A number without a unit may be in any: the duration of the row can tell.
 */
function breakReadings({ breaks }: ImportRow): number[] | string {
  const readings: number[] = []
  for (const unit of [null, 'hours', 'minutes', 'seconds'] as const) {
    let sum = 0
    for (const { text, unit: said } of breaks) {
      const seconds = readBreak(text, said ?? unit)
      if (seconds === null || seconds < 0) return t('“{text}” isn’t a duration.', { text })
      sum += Math.round(seconds)
    }
    if (!readings.includes(sum)) readings.push(sum)
  }
  return readings
}

function problem(why: string): Unreadable {
  return { kind: 'problem', why }
}

function dayOnly(
  row: ImportRow,
  date: CalendarDate,
  seconds: number | null,
  { today }: TimeContext,
): DayOnly | Unreadable {
  if (row.duration === '') return problem(t('Has neither times nor a duration.'))
  if (seconds === null) return problem(t('“{text}” isn’t a duration.', { text: row.duration }))
  if (Math.round(seconds) === 0) return problem(t('Has no time: its duration is zero.'))
  if (seconds * 1000 > MAX_MILLISECONDS) return problem(t('Lasts longer than 31 days.'))
  if (date > today) return problem(t('Lies in the future.'))
  return { kind: 'day', date, seconds: Math.round(seconds) }
}

function endAfter(
  row: ImportRow,
  startedAt: number,
  [elapsed]: readonly number[],
): number | string {
  if (row.duration === '') return t('Has no end: it may still be running.')
  if (elapsed === undefined) return t('“{text}” isn’t a duration.', { text: row.duration })
  return startedAt + Math.round(elapsed) * 1000
}

function endOf(
  row: ImportRow,
  start: {
    readonly date: CalendarDate
    readonly startedAt: number
    /** The seconds that the duration and the breaks may make; none without a duration. */
    readonly elapsed: readonly number[]
  },
  { order, clock }: TimeContext,
): number | string {
  const time = readTime(row.endTime)
  if (!time) return t('“{text}” isn’t a time.', { text: row.endTime })
  const date = row.endDate === '' ? start.date : readDate(row.endDate, order)
  if (date === null) return t('“{text}” isn’t a valid date.', { text: row.endDate })
  const { startedAt, elapsed } = start
  const endedAt = instantOf(date, time, clock)
  if (endedAt < startedAt) {
    const nextDate = addDays(date, 1)
    const nextDay = instantOf(nextDate, time, clock)
    const lasted = (nextDay - startedAt) / 1000
    const isNextDay =
      date === start.date &&
      elapsed.some((seconds) => Math.abs(lasted - seconds) <= OVER_MIDNIGHT_TOLERANCE_SECONDS)
    if (!isNextDay) return t('Ends before it starts.')
    return skippedReason(nextDate, time, clock) ?? nextDay
  }
  const skipped = skippedReason(date, time, clock)
  if (skipped !== null) return skipped
  const [seconds] = elapsed
  // The row begins and ends in the same minute, on a clock without seconds.
  if (endedAt === startedAt && seconds !== undefined && seconds < MINUTE_SECONDS)
    return endedAt + Math.round(seconds) * 1000
  return secondOfTwo(startedAt, endedAt, elapsed, clock)
}

/** Returns the second of two instants of a repeated end time if the duration requires it. */
function secondOfTwo(
  startedAt: number,
  endedAt: number,
  elapsed: readonly number[],
  { exactTime }: ZoneClock,
): number {
  const others = elapsed.map((seconds) => startedAt + Math.round(seconds) * 1000)
  const second = others.find((other) => {
    const differs = other - endedAt > MINUTE_SECONDS * 1000
    return differs && exactTime(other).slice(0, 16) === exactTime(endedAt).slice(0, 16)
  })
  return second ?? endedAt
}

function checked(
  {
    startedAt,
    endedAt,
    seconds,
    breaks,
  }: {
    readonly startedAt: number
    readonly endedAt: number
    readonly seconds: number | null
    readonly breaks: readonly number[]
  },
  { now }: TimeContext,
): Times | Unreadable {
  const lasted = endedAt - startedAt
  if (lasted < 1000) return problem(t('Has no time: it starts and ends at once.'))
  if (lasted > MAX_MILLISECONDS) return problem(t('Lasts longer than 31 days.'))
  if (endedAt > now) return problem(t('Lies in the future.'))
  const agrees = (paused: number) =>
    seconds === null || Math.abs(lasted / 1000 - paused - seconds) <= MINUTE_SECONDS
  const pausedSeconds = breaks.find(agrees) ?? breaks[0] ?? 0
  if (lasted - pausedSeconds * 1000 < 1000) return problem(t('Its break leaves no work.'))
  return { kind: 'times', startedAt, endedAt, pausedSeconds, disagrees: !agrees(pausedSeconds) }
}

/**
 * Lays out the rows without times, by their index: those of each day one after the other from
 * 09:00, or from earlier if they would not fit.
 */
export function layOut(
  read: readonly (Times | DayOnly | Unreadable)[],
  clock: ZoneClock,
): Map<number, { readonly startedAt: number; readonly endedAt: number }> {
  const secondsOfDays = new Map<CalendarDate, number>()
  for (const when of read) {
    if (when.kind !== 'day') continue
    secondsOfDays.set(when.date, (secondsOfDays.get(when.date) ?? 0) + when.seconds)
  }
  const nextStarts = new Map<CalendarDate, number>()
  for (const [date, seconds] of secondsOfDays) {
    const start = Math.max(0, Math.min(LAYOUT_START_SECONDS, DAY_SECONDS - seconds))
    nextStarts.set(date, clock.instantOf(date, start))
  }
  const places = new Map<number, { readonly startedAt: number; readonly endedAt: number }>()
  for (const [index, when] of read.entries()) {
    if (when.kind !== 'day') continue
    const startedAt = nextStarts.get(when.date) ?? 0
    const endedAt = startedAt + when.seconds * 1000
    nextStarts.set(when.date, endedAt)
    places.set(index, { startedAt, endedAt })
  }
  return places
}
