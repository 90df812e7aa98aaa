/** Reads the times of a row and finds its end. */
import { t } from '#text.ts'
import { addDays } from '#time/calendar.ts'
import type { CalendarDate, ZoneClock } from '#time/calendar.ts'
import { readDate } from './import-dates.ts'
import type { DateOrder } from './import-dates.ts'
import type { DurationUnit } from './import-durations.ts'
import { instantsOf, readTime, skippedReason } from './import-moments.ts'
import type { ImportedTime } from './import-moments.ts'
import type { ImportRow } from './import-table.ts'

const MINUTE_SECONDS = 60
/** How far a duration may deviate: other programs round to quarters of an hour. */
export const ROUNDING_SECONDS = 15 * MINUTE_SECONDS
/** How long a row without a duration may be if it ends on the next day; more is a mistake. */
const MAX_OVER_MIDNIGHT_SECONDS = 16 * 3600

export interface TimeContext {
  readonly order: DateOrder
  readonly unit: DurationUnit
  readonly clock: ZoneClock
  /** Returns the clocks of another zone. */
  readonly clockOf: (timeZone: string) => ZoneClock
  readonly now: number
  readonly today: CalendarDate
  /** True if durations are exact, so that what is missing from the times was a break. */
  readonly hasExactDurations: boolean
}

export function noDate(text: string): string {
  return t('“{text}” isn’t a date. Write it as 2026-03-09.', { text })
}

export function noTime(text: string): string {
  return t('“{text}” isn’t a time. Write it as 09:30.', { text })
}

export function noDuration(text: string): string {
  return t('“{text}” isn’t a duration. Write it as 1:30 or 1h 30m.', { text })
}

export function noZone(zone: string): string {
  return t(
    '“{zone}” isn’t a known time zone, or means several. Write an offset such as +01:00, or remove it.',
    { zone },
  )
}

export function readTimeOf(text: string, clock: ZoneClock): ImportedTime | string {
  const time = readTime(text, clock.timeZone)
  if (time === null) return noTime(text)
  return 'unknownZone' in time ? noZone(time.unknownZone) : time
}

export function clockOfTime(
  { zone }: ImportedTime,
  clock: ZoneClock,
  { clockOf }: TimeContext,
): ZoneClock {
  return zone && 'timeZone' in zone ? clockOf(zone.timeZone) : clock
}

/** The ends that a row may have. */
export interface Ends {
  readonly instants: readonly number[]
  /** True if they are on the day after, which the row does not say. */
  readonly isOverMidnight: boolean
}

export function endAfter(
  row: ImportRow,
  startedAt: number,
  [elapsed]: readonly number[],
): Ends | string {
  if (row.duration === '') return t('Has no end: it may still be running.')
  if (elapsed === undefined) return noDuration(row.duration)
  // A second is the least that is counted.
  return { instants: [startedAt + Math.round(elapsed * 1000)], isOverMidnight: false }
}

export function endsOf(
  row: ImportRow,
  start: {
    readonly date: CalendarDate
    readonly startedAt: number
    /** The seconds that the duration and the breaks may make; none without a duration. */
    readonly elapsed: readonly number[]
  },
  context: TimeContext,
): Ends | string {
  const time = readTimeOf(row.endTime, context.clock)
  if (typeof time === 'string') return time
  const date = row.endDate === '' ? start.date : readDate(row.endDate, context.order)
  if (date === null) return noDate(row.endDate)
  const clock = clockOfTime(time, context.clock, context)
  const { startedAt, elapsed } = start
  const instants = instantsOf(date, time, clock)
  if (instants.every((instant) => instant < startedAt)) {
    return endsNextDay(row, { ...start, date, time, clock })
  }
  const skipped = skippedReason(date, time, clock)
  if (skipped !== null) return skipped
  const [seconds] = elapsed
  // The row begins and ends in the same minute, on a clock without seconds.
  const isSameMinute =
    instants.includes(startedAt) && seconds !== undefined && seconds < MINUTE_SECONDS
  return {
    instants: isSameMinute ? [startedAt + Math.round(seconds) * 1000] : instants,
    isOverMidnight: false,
  }
}

/** Returns the ends of a row that seems to end before it starts. */
function endsNextDay(
  row: ImportRow,
  end: {
    readonly date: CalendarDate
    readonly time: ImportedTime
    readonly clock: ZoneClock
    readonly startedAt: number
    readonly elapsed: readonly number[]
  },
): Ends | string {
  const nextDate = addDays(end.date, 1)
  const instants = instantsOf(nextDate, end.time, end.clock)
  const [lasted = 0, ...longer] = instants.map((instant) => (instant - end.startedAt) / 1000)
  const isSameDay = row.endDate === '' || row.endDate === row.startDate
  const isConfirmed = end.elapsed.some((seconds) => {
    return [lasted, ...longer].some((each) => Math.abs(each - seconds) <= ROUNDING_SECONDS)
  })
  const isLikely =
    end.elapsed.length === 0 && row.endDate === '' && lasted <= MAX_OVER_MIDNIGHT_SECONDS
  if (!isSameDay || !(isConfirmed || isLikely)) return t('Ends before it starts.')
  return skippedReason(nextDate, end.time, end.clock) ?? { instants, isOverMidnight: !isConfirmed }
}
