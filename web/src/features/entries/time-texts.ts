/**
 * The times of an entry as form texts, and how they are parsed. They are parsed while they are typed,
 * so that the form shows the result before it is saved. An unchanged text keeps its value to the
 * millisecond.
 */
import { t } from '@stint/core/text.ts'
import { dayRuleOf } from '@stint/core/time/day-rule.ts'
import {
  addDays,
  bothInstants,
  formatDate,
  formatFullDate,
  isCalendarDate,
  localDate,
  localDateTime,
  timeInRange,
} from '@stint/core/time/calendar.ts'
import type { CalendarDate, HourCycle } from '@stint/core/time/calendar.ts'
import { entryProblem } from '@stint/core/record/entry-edit.ts'
import type { EntryProblem } from '@stint/core/record/entry-edit.ts'
import { sessionTimes } from '@stint/core/reports/explanation.ts'
import type { Interval } from '@stint/core/time/instant.ts'
import { NO_PAUSES } from '@stint/core/timer/pauses.ts'
import type { Pauses } from '@stint/core/timer/pauses.ts'
import {
  readDuration,
  readMoment,
  readSpan,
  readTimeWords,
} from '@stint/core/time/time-span-input.ts'
import type { MomentContext } from '@stint/core/time/time-span-input.ts'

export interface TimeTexts {
  /** The day of the start. */
  readonly date: CalendarDate
  readonly start: string
  /** Empty while the timer runs. */
  readonly end: string
  /** As in '12:00-12:30, 15:10-15:20'. */
  readonly pauses: string
  /** The exact end in epoch milliseconds when a duration was typed; `end` shows it to the second. */
  readonly exactEnd?: number
}

/** How dates and clock times are written. */
export interface Clock {
  readonly timeZone: string
  readonly hourCycle: HourCycle
  /** Whether '3/11' is in November. Default: true. */
  readonly isDayFirst?: boolean
}

export interface TextsContext extends Clock {
  /** Epoch milliseconds; the reference of '15m ago'. */
  readonly now: number
  /** The times when the form opened. */
  readonly original: Times | null
}

export interface Times {
  readonly startedAt: number
  /** Null while the timer runs. */
  readonly endedAt: number | null
  readonly pauses: Pauses
}

export type TimeField = EntryProblem['field'] | 'date'

/** Returns the form texts of these times. */
export function textsOf({ startedAt, endedAt, pauses }: Times, clock: Clock): TimeTexts {
  return {
    date: dateOf(startedAt, clock),
    start: clockText(startedAt, clock),
    end: endedAt === null ? '' : endText(startedAt, endedAt, clock),
    pauses: pauses.intervals
      .map(({ start, end }) => `${clockText(start, clock)}-${clockText(end, clock)}`)
      .join(', '),
  }
}

/**
 * Returns the times as one text that `readSpanText` reads: '27 Nov 09:04 – 10:01', or 'since 09:04'.
 * It has no date today, and no seconds.
 */
export function sentenceOf(
  { startedAt, endedAt }: Times,
  { now, timeZone, hourCycle }: TextsContext,
): string {
  const date = dateOf(startedAt, { timeZone, hourCycle })
  const today = dateOf(now, { timeZone, hourCycle })
  const isThisYear = date.slice(0, 4) === today.slice(0, 4)
  const day = date === today ? '' : `${isThisYear ? formatDate(date) : formatFullDate(date)} `
  if (endedAt === null) {
    return t('since {time}', { time: `${day}${timeInRange(startedAt, timeZone, hourCycle)}` })
  }
  return `${day}${sessionTimes({ startedAt, endedAt }, timeZone, hourCycle)}`
}

/** Returns the parsed times, or null while one is missing or invalid, and the first problem. */
export function readTexts(texts: TimeTexts, context: TextsContext) {
  const { now, original } = context
  const { date, exactEnd } = texts
  if (!isCalendarDate(date)) return wrong('date', t('Enter a start date.'))
  const before = original && textsOf(original, context)
  const isSameDay = before?.date === date

  const start = startOf(texts, context)
  if (start === null) return wrong('start', t('Enter a start time.'))
  if (typeof start === 'string') return wrong('start', start)

  const day = { ...context, date: dateOf(start, context) }
  const end =
    original && isSameDay && texts.end === before.end
      ? original.endedAt
      : exactEnd !== undefined && endText(start, exactEnd, context) === texts.end
        ? exactEnd
        : endOf(texts.end, start, day)
  if (typeof end === 'string') return wrong('end', end)

  const keepsPauses = original && isSameDay && texts.pauses === before.pauses
  const intervals = keepsPauses ? original.pauses.intervals : pausesOf(texts.pauses, start, day)
  if (typeof intervals === 'string') return wrong('pauses', intervals)
  const pauses = keepsPauses ? original.pauses : { ...NO_PAUSES, intervals }

  // A running timer is validated as if it ended now.
  const problem = entryProblem({ startedAt: start, endedAt: end ?? now, pauses }, now)
  return { times: { startedAt: start, endedAt: end, pauses }, problem }
}

/**
 * Parses a span ('9-1030'), a duration ('1h15') or a start ('since 9:30', '10m ago') that is typed
 * beside the other texts. A span sets start and end; a time whose minute stays keeps its seconds. A
 * duration moves the end, or ends now when there is no start. The result has no pauses. `texts` is
 * null for an empty or invalid span.
 */
export function readSpanText(span: string, beside: TimeTexts, context: TextsContext) {
  const today = dateOf(context.now, context)
  const date = isCalendarDate(beside.date) ? beside.date : today
  const start = startOf({ ...beside, date }, context)
  const startedAt = typeof start === 'number' ? start : undefined
  const { times: before } = readTexts({ ...beside, date, pauses: '' }, context)
  const begin = readTimeWords(span, { ...context, date })
  if (begin?.kind === 'moment') {
    const from = sameMinute(begin.at, before?.startedAt)
    const times = { startedAt: from, endedAt: before?.endedAt ?? null, pauses: NO_PAUSES }
    return { texts: textsOf(times, context), problem: null }
  }
  const read = readSpan(span, { ...context, date, startedAt })
  if (read.kind === 'span') {
    const times = {
      startedAt: sameMinute(read.startedAt, before?.startedAt),
      endedAt: sameMinute(read.endedAt, before?.endedAt),
      pauses: NO_PAUSES,
    }
    return { texts: textsOf(times, context), problem: null }
  }
  if (read.kind !== 'duration') {
    return { texts: null, problem: read.kind === 'problem' ? read.message : null }
  }
  if (typeof start === 'string') return { texts: null, problem: start }
  // Without a start the duration would end now, which is not on the chosen day.
  if (startedAt === undefined && date !== today) {
    return { texts: null, problem: t('Enter a start time, such as 9:30 for 1h.') }
  }
  const from = startedAt ?? context.now - read.seconds * 1000
  const exactEnd = from + read.seconds * 1000
  const times = { startedAt: from, endedAt: exactEnd, pauses: NO_PAUSES }
  return { texts: { ...textsOf(times, context), exactEnd }, problem: null }
}

/** Returns `before` if it is within the minute that was read. */
function sameMinute(read: number, before: number | null | undefined): number {
  return typeof before === 'number' && before >= read && before < read + 60_000 ? before : read
}

/**
 * Returns the start, or null without one, or a problem as a text. Unchanged texts keep the original
 * start.
 */
function startOf({ date, start }: TimeTexts, context: TextsContext): number | string | null {
  const { original } = context
  const before = original && textsOf(original, context)
  return original && before?.date === date && before.start === start
    ? original.startedAt
    : momentOf(start, { ...context, date })
}

function wrong(field: TimeField, message: string) {
  return { times: null, problem: { field, message } }
}

/** Returns the instant, null for an empty text, or a problem as a text. */
function momentOf(text: string, day: MomentContext): number | string | null {
  const read = readMoment(text, day)
  if (read.kind === 'moment') return read.at
  return read.kind === 'empty' ? null : read.message
}

/** Returns the end: on the day of the start, or on the next day when it would be before the start. */
function endOf(text: string, startedAt: number, day: MomentContext): number | string | null {
  const read = readMoment(text, day)
  if (read.kind === 'empty') return null
  if (read.kind === 'problem') {
    const { skippedSince, message } = read
    // A time that was skipped before the start is the next day's.
    if (skippedSince !== null)
      return skippedSince <= startedAt ? momentOf(text, nextDayOf(day)) : message
    const duration = readDuration(text)
    return duration.kind === 'duration' ? startedAt + duration.seconds * 1000 : message
  }
  const { at } = read
  if (at > startedAt) return at
  // In the hour that a clock change repeats, the end is the occurrence after the start.
  const again = bothInstants(at, day.timeZone)?.[1] ?? at
  if (again > startedAt) return again
  const isSameTime = at === Math.floor(startedAt / 1000) * 1000
  if (isSameTime) return at
  const nextDay = momentOf(text, nextDayOf(day))
  if (typeof nextDay === 'string') return nextDay
  return nextDay !== null && nextDay > startedAt && nextDay <= day.now ? nextDay : at
}

/** Returns the pauses, each on the day of the start or on the next, or a problem as a text. */
function pausesOf(text: string, startedAt: number, day: MomentContext): Interval[] | string {
  const intervals: Interval[] = []
  for (const part of text.split(/[,;\n]/).filter((each) => each.trim() !== '')) {
    const onDay = readSpan(part, day)
    const isBefore = onDay.kind === 'span' && onDay.startedAt < startedAt
    const isSkippedBefore =
      onDay.kind === 'problem' && onDay.skippedSince !== null && onDay.skippedSince <= startedAt
    const read = isBefore || isSkippedBefore ? readSpan(part, nextDayOf(day)) : onDay
    if (read.kind !== 'span') {
      return read.kind === 'problem' ? read.message : t('Enter a time range, such as 12:00-12:30.')
    }
    intervals.push({ start: read.startedAt, end: read.endedAt })
  }
  return intervals
}

function nextDayOf(day: MomentContext): MomentContext {
  return { ...day, date: addDays(day.date, 1) }
}

function dateOf(instant: number, { timeZone }: Clock): CalendarDate {
  return localDate(instant, dayRuleOf(timeZone))
}

/** Returns '09:05', '09:05:30' for an instant with seconds, or '02:30 (second)'. */
export function clockText(instant: number, { timeZone, hourCycle }: Clock): string {
  const time = localDateTime(instant, timeZone).slice(11)
  if (time.endsWith(':00')) return timeInRange(instant, timeZone, hourCycle)
  const isSecond = bothInstants(instant, timeZone)?.[1] === instant
  return isSecond ? t('{time} (second)', { time }) : time
}

/** Returns the end, with its date when it is neither on the day of the start nor within 24 hours. */
function endText(startedAt: number, endedAt: number, clock: Clock): string {
  const date = dateOf(endedAt, clock)
  const isNear = date === dateOf(startedAt, clock) || endedAt - startedAt < 86_400_000
  const text = clockText(endedAt, clock)
  return isNear ? text : `${date} ${text}`
}
