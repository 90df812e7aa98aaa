/**
 * Reads times as people type them: '9-1030', '9.30am to 1pm', '1h15', '15 minutes ago'. The form
 * shows the reading before it is saved, so ambiguous input is accepted. Impossible input is refused
 * with a sentence for the form. Accepts 12- and 24-hour clocks, any dash and full-width digits, and
 * the common words of all languages, whatever the language of the build.
 */
import { t } from '#text.ts'
import { dayRuleOf } from './day-rule.ts'
import type { CalendarDate } from './calendar.ts'
import { clockSeconds, instantOfClock, localDate, secondInstantOfClock } from './calendar.ts'
import type { HourCycle } from './calendar.ts'
import { dayAtStart } from './day-text.ts'
import { skippedTime } from './skipped-time.ts'

export interface MomentContext {
  /** The date of a time that is typed without one. */
  readonly date: CalendarDate
  readonly timeZone: string
  /** Epoch milliseconds. */
  readonly now: number
  /** Whether '3/11' is in November. Default: true. */
  readonly isDayFirst?: boolean | undefined
  /** The clock that messages are written for. Default: 24 hours. */
  readonly hourCycle?: HourCycle
}
export interface SpanContext extends MomentContext {
  /** The known start, for a text that has only the end: 'until 11'. */
  readonly startedAt?: number | undefined
}

export interface NothingRead {
  readonly kind: 'empty'
}
export interface ReadingProblem {
  readonly kind: 'problem'
  /** A sentence for the form. */
  readonly message: string
  /**
   * When the text was understood, but the clocks of the zone skipped its time: the instant at which
   * they went forward, in epoch milliseconds. Else null.
   */
  readonly skippedSince: number | null
}
export interface DurationRead {
  readonly kind: 'duration'
  /** Whole seconds, 0 or more. */
  readonly seconds: number
}
export interface SpanRead {
  readonly kind: 'span'
  /** Epoch milliseconds, `startedAt < endedAt`. */
  readonly startedAt: number
  readonly endedAt: number
}
export interface MomentRead {
  readonly kind: 'moment'
  /** Epoch milliseconds. */
  readonly at: number
}

const DAY_SECONDS = 86_400
const HALF_DAY_SECONDS = 43_200
const MAX_DAYS = 31
const MAX_LENGTH = 100

// The words of English, German, French and Spanish, in lower case
const NOW = /^(?:now|jetzt|maintenant|ahora)$/
const AT = /^(?:at|um|à|a las?) /
const AGO = /^(?:-|vor |il y a |hace )\s?(.+)$|^(.+?) ago$/
const FROM = /^(?:from|since|von|ab|depuis|(?:de|desde)(?: las?)?) /
/** What says without doubt that a timer began then. 'From' and 'at' are often part of a name. */
const SINCE = /^(?:since|seit|ab|depuis|dès|desde)(?: las?)? /
/** Which of two equal times is meant, after it, as `timeInRange` says it. */
const FIRST_TIME = '1st|first|zum ersten mal|1re fois|première fois|primera vez'
const SECOND_TIME = '2nd|second|zum zweiten mal|2e fois|deuxième fois|segunda vez'
const OCCURRENCE = new RegExp(`^(.+?) \\(?(?:(${FIRST_TIME})|(?:${SECOND_TIME}))\\)?$`)
/** '2025', '2024-2025', '2024-25', '1-1' (a talk of two) and '1/2 9-10' are no times within another text. */
const NO_TIME = /^(?:(?:19|20)\d\d(?:-(?:19|20)?\d\d)?|(\d+)-\1|\d+\/\d+ .*)$/
const TO =
  / ?(?:-+|until|till|til|(?<!minu)to|bis|jusqu['’]à|hasta)(?: las?\b)? ?| (?:à|a)(?: las?)? (?=\d)/
const LASTING = /^(.+?) ?(?:\+|for|für|pendant|durante) ?(.+)$/
const HALF_HOUR = /^(?:half an hour|(?:eine )?halbe stunde|(?:une )?demi-heure|media hora)$/
/** Parts of patterns. */
export const HOUR = 'hours?|hrs?|h|stunden?|std|heures?|horas?'
export const MINUTE = 'minutes?|mins?|m|minuten?|minutos?'
export const SECOND = 'seconds?|secs?|s|sekunden?|sek|secondes?|segundos?|seg'
const AND = '(?:and|und|et|y)'
const EMPTY: NothingRead = { kind: 'empty' }

/**
 * Reads a start and an end, or a duration: '9-1030', '9:30 to 11', '9.30am – 1pm', '22-0130' (over
 * midnight), '9:30 - now', '9:30 for 1h', 'yesterday 9-10', 'until 11' (from `startedAt`), or
 * anything that `readDuration` reads. A time alone, '1:15', is a duration.
 *
 * If one side has am or pm, the other gets the one that makes the span shortest. If neither has,
 * '9-5' ends in the afternoon, but '22-5' and '09:00-05:00' on the next morning. Lengths are
 * elapsed time: over a clock change they differ from what the clock shows. A time that the clocks
 * skipped is a problem, here and in `readMoment`; it is never moved. Of a time that comes twice, the
 * first is read, or the second after '2:30 second'; an end is the first one after its start.
 */
export function readSpan(
  text: string,
  context: SpanContext,
): SpanRead | DurationRead | NothingRead | ReadingProblem {
  const typed = plain(text)
  if (typed === '') return EMPTY
  if (typed.length > MAX_LENGTH) return SPAN_NOT_UNDERSTOOD
  const dated = withoutDate(typed, context)
  const rest = dated.rest.replace(FROM, '')

  const [from, to, ...more] = rest.split(TO)
  if (from !== undefined && to !== undefined && more.length === 0) {
    return spanBetween(from, to, dated.date, context)
  }
  const lasting = LASTING.exec(rest)
  if (lasting) return spanLasting(lasting[1] ?? '', lasting[2] ?? '', dated.date, context)

  const duration = readDuration(rest)
  const hasDate = dated.rest !== typed
  if (duration.kind === 'duration' && !hasDate) return duration
  if (duration.kind === 'duration' || clockOf(rest)) {
    return problem(t('Enter a start and an end, such as 9:30 - 11.'))
  }
  const isSaid = duration.kind === 'problem' && duration !== DURATION_NOT_UNDERSTOOD
  return isSaid ? duration : SPAN_NOT_UNDERSTOOD
}

/**
 * Reads a point in time: '930', '9:30', '9.30am', '21:05:30', 'now', '15 minutes ago', '-15m',
 * 'yesterday 22:10', '2026-11-03 9:30', '3 Nov 9:30', with any day that `dayAtStart` reads. It may be
 * in the future; the form decides whether that is allowed.
 */
export function readMoment(
  text: string,
  context: MomentContext,
): MomentRead | NothingRead | ReadingProblem {
  const typed = plain(text)
  if (typed === '') return EMPTY
  if (typed.length > MAX_LENGTH) return MOMENT_NOT_UNDERSTOOD
  if (NOW.test(typed)) return { kind: 'moment', at: context.now }

  const ago = AGO.exec(typed)
  const before = ago?.[1] ?? ago?.[2]
  const duration = readDuration(before ?? '')
  if (duration.kind === 'duration') {
    return { kind: 'moment', at: context.now - duration.seconds * 1000 }
  }
  const { date, rest } = withoutDate(typed, context)
  if (rest === '') return problem(t('Add a time, such as {day} 9:30.', { day: typed }))
  const clock = clockOf(rest.replace(AT, ''))
  if (!clock) return MOMENT_NOT_UNDERSTOOD
  if (!isTime(clock)) return noSuchTime(clock)
  const at = instantAt(clock, asWritten(clock), date, context)
  return typeof at === 'number' ? { kind: 'moment', at } : at
}

/**
 * Reads a duration: '1h15', '1h 15m 30s', '2 hours', '45 min', '1:15', '1:15:30', '1.5' or '1,5'
 * (hours, with a fraction), '90' (minutes, without one), 'half an hour'.
 */
export function readDuration(
  text: string,
  maxDays = MAX_DAYS,
): DurationRead | NothingRead | ReadingProblem {
  const typed = plain(text)
  if (typed === '') return EMPTY
  if (typed.length > MAX_LENGTH) return DURATION_NOT_UNDERSTOOD
  if (typed.startsWith('-')) return problem(t('A duration cannot be below zero.'))
  const words = typed
    .replace(HALF_HOUR, '30m')
    .replace(ONE, '1 ')
    .replace(/^(?:about|for) /, '')
  const seconds = bareNumber(words) ?? clockDuration(words) ?? unitDuration(words)
  if (seconds === null) return DURATION_NOT_UNDERSTOOD
  if (seconds > maxDays * DAY_SECONDS)
    return problem(t('That is longer than {days} days.', { days: maxDays }))
  return { kind: 'duration', seconds: Math.round(seconds) }
}

/**
 * Reads a start or a span that is written inside another text, so only what is a time beyond doubt:
 * '10m ago', 'since 9:30', '9-10', 'yesterday 9-10'. Returns null for anything else, a clock time or
 * a duration without such a word included. A time that the clocks skipped is a problem.
 */
export function readTimeWords(
  text: string,
  context: MomentContext,
): MomentRead | SpanRead | ReadingProblem | null {
  const typed = plain(text)
  const since = typed.replace(SINCE, '')
  if (typed.length > MAX_LENGTH || NO_TIME.test(since) || LASTING.test(typed)) return null
  const isSince = since !== typed
  const ago = typed.startsWith('-') ? null : AGO.exec(typed)
  const before = ago?.[1] ?? ago?.[2] ?? ''
  // 'Vor 10' is more often a part of a name than ten minutes.
  const isAgo = /\p{L}|:/u.test(before)
  const read = isSince || isAgo ? readMoment(since, context) : readSpan(typed, context)
  const isTime = read.kind === 'moment' || read.kind === 'span'
  const isSkipped = read.kind === 'problem' && read.skippedSince !== null
  return isTime || isSkipped ? read : null
}

const SPAN_NOT_UNDERSTOOD = problem(t('Not understood. Try 9:30 - 11, or 1h 15m.'))
const MOMENT_NOT_UNDERSTOOD = problem(t('Not understood. Try 9:30, or 15m ago.'))
const DURATION_NOT_UNDERSTOOD = problem(t('Not understood. Try 1h 15m, 1:15 or 1.25.'))

function problem(message: string): ReadingProblem {
  return { kind: 'problem', message, skippedSince: null }
}

/**
 * Normalises the text: lower case, ASCII digits, single spaces, '-' for every dash, 'am' for
 * 'a.m.'.
 */
function plain(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[‐-―−]/g, '-')
    .replace(/[\p{Cf}]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/(\d) ?([ap])\.? ?m\b\.?/g, '$1$2m')
}

// Spans

function spanBetween(
  from: string,
  to: string,
  date: CalendarDate,
  context: SpanContext,
): SpanRead | ReadingProblem {
  const { timeZone, now, startedAt } = context
  const [, endText = to, laterDays] = /^(.+?) ?\+(\d{1,2})$/.exec(to) ?? []
  const end = clockOf(endText)
  if (from === '') {
    if (!end) return SPAN_NOT_UNDERSTOOD
    if (!isTime(end)) return noSuchTime(end)
    if (startedAt === undefined) return problem(t('Enter a start time, such as 9:30 - 11.'))
    const start = clockSeconds(startedAt, timeZone)
    const ends = bothHalves(end).map((seconds) =>
      seconds > start ? seconds : seconds + DAY_SECONDS,
    )
    const startDate = localDate(startedAt, dayRuleOf(timeZone))
    const seconds = end.occurrence === null ? Math.min(...ends) : asWritten(end)
    return span(startedAt, endAt(startedAt, end, seconds, startDate, context))
  }
  const start = clockOf(from)
  if (!start) return SPAN_NOT_UNDERSTOOD
  if (!isTime(start)) return noSuchTime(start)
  if (to === '') return problem(t('Say when it ended, such as 9:30 - 11.'))
  if (NOW.test(to)) return span(instantAt(start, asWritten(start), date, context), now)
  if (!end) return SPAN_NOT_UNDERSTOOD
  if (!isTime(end)) return noSuchTime(end)
  if (laterDays !== undefined) {
    const seconds = asWritten(end) + Number(laterDays) * DAY_SECONDS
    const startedAt = instantAt(start, asWritten(start), date, context)
    return span(startedAt, endAt(startedAt, end, seconds, date, context))
  }
  if (end.occurrence === 'second') {
    const startedAt = instantAt(start, asWritten(start), date, context)
    const read = span(startedAt, instantAt(end, asWritten(end), date, context))
    if (read.kind === 'span') return read
  }
  const [startSeconds, endSeconds] = secondsBetween(start, end)
  const isSameTime = endSeconds - startSeconds === DAY_SECONDS && asWritten(end) < DAY_SECONDS
  if (isSameTime) return END_NOT_AFTER_START
  const begin = instantAt(start, startSeconds, date, context)
  return span(begin, endAt(begin, end, endSeconds, date, context))
}

function spanLasting(
  from: string,
  lasting: string,
  date: CalendarDate,
  context: SpanContext,
): SpanRead | ReadingProblem {
  const start = clockOf(from)
  const duration = readDuration(lasting)
  if (!start || duration.kind !== 'duration') return SPAN_NOT_UNDERSTOOD
  if (!isTime(start)) return noSuchTime(start)
  const startedAt = instantAt(start, asWritten(start), date, context)
  if (typeof startedAt !== 'number') return startedAt
  return span(startedAt, startedAt + duration.seconds * 1000)
}

const END_NOT_AFTER_START = problem(t('The end must be after the start.'))

function span(
  startedAt: number | ReadingProblem,
  endedAt: number | ReadingProblem,
): SpanRead | ReadingProblem {
  if (typeof startedAt !== 'number') return startedAt
  if (typeof endedAt !== 'number') return endedAt
  return endedAt > startedAt ? { kind: 'span', startedAt, endedAt } : END_NOT_AFTER_START
}

/** Returns seconds past 00:00 of the first day. The end is after the start, by a day at most. */
function secondsBetween(start: Clock, end: Clock): readonly [number, number] {
  const readings =
    (start.half === null) === (end.half === null)
      ? [[asWritten(start), asWritten(end)] as const]
      : bothHalves(start).flatMap((from) => bothHalves(end).map((to) => [from, to] as const))
  const forward = readings.map(([from, to]) => [from, to > from ? to : to + DAY_SECONDS] as const)
  const [from, to] = forward.reduce((a, b) => (b[1] - b[0] < a[1] - a[0] ? b : a))
  const isAfternoon =
    start.half === null &&
    end.half === null &&
    start.isTwelveHour &&
    end.isTwelveHour &&
    to > DAY_SECONDS &&
    to - HALF_DAY_SECONDS > from
  return [from, isAfternoon ? to - HALF_DAY_SECONDS : to]
}

// Clocks

interface Clock {
  /** The typed text, for the message. */
  readonly text: string
  readonly hour: number
  readonly minute: number
  readonly second: number
  readonly half: 'am' | 'pm' | null
  /** True if it can be a time on a 12-hour clock: 1 … 12, without a leading zero. */
  readonly isTwelveHour: boolean
  /** Which of two equal times is meant; null if it is not said. */
  readonly occurrence: 'first' | 'second' | null
}

/**
 * Reads '9', '930', '0930', '9:30', '9.30', '9h30' or '21:05:30', with am or pm; 'noon',
 * 'midnight'; each with 'first' or 'second' after it.
 */
function clockOf(text: string): Clock | null {
  const said = OCCURRENCE.exec(text)
  if (said) {
    const clock = clockOf(said[1] ?? '')
    return clock && { ...clock, occurrence: said[2] === undefined ? 'second' : 'first' }
  }
  if (text === 'noon') return clockOf('12')
  if (text === 'midnight') return clockOf('0')
  const parts =
    /^(\d{1,2})(?:h|[:.h](\d{2})(?:[:.](\d{2}))?)?(?: ?([ap])m?)?$/.exec(text) ??
    /^(\d{1,2})(\d{2})()(?: ?([ap])m?)?$/.exec(text)
  if (!parts) return null
  const [, hour = '', minute = '0', second = '0', letter] = parts
  return {
    text,
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
    half: letter === undefined ? null : letter === 'a' ? 'am' : 'pm',
    isTwelveHour: /^(?:[1-9]|1[0-2])$/.test(hour),
    occurrence: null,
  }
}

function isTime({ hour, minute, second, half }: Clock): boolean {
  if (minute > 59 || second > 59) return false
  if (half !== null) return hour >= 1 && hour <= 12
  return hour < 24 || (hour === 24 && minute === 0 && second === 0)
}

function noSuchTime(clock: Clock): ReadingProblem {
  return problem(t('There is no time {time}.', { time: clock.text }))
}

/** Returns the seconds past 00:00. */
function asWritten({ hour, minute, second, half }: Clock): number {
  const hours = half === null ? hour : (hour % 12) + (half === 'pm' ? 12 : 0)
  return (hours * 60 + minute) * 60 + second
}

/**
 * Returns when the clocks show the time, so many seconds past 00:00 of the date, or that they skip
 * it. Every day has its end, 24:00.
 */
function instantAt(
  { hour, text, occurrence }: Clock,
  seconds: number,
  date: CalendarDate,
  { timeZone, hourCycle }: MomentContext,
): number | ReadingProblem {
  const skipped = hour === 24 ? null : skippedTime(date, seconds, timeZone, hourCycle)
  if (skipped) return { kind: 'problem', message: skipped.message, skippedSince: skipped.since }
  const first = instantOfClock(date, seconds, timeZone)
  if (occurrence === null) return first
  const second = secondInstantOfClock(date, seconds, timeZone)
  if (second === null) return problem(t('{time} comes only once that day.', { time: text }))
  return occurrence === 'first' ? first : second
}

/** As `instantAt`; of two equal times that are not told apart, the one after the start. */
function endAt(
  startedAt: number | ReadingProblem,
  clock: Clock,
  seconds: number,
  date: CalendarDate,
  context: MomentContext,
): number | ReadingProblem {
  const at = instantAt(clock, seconds, date, context)
  if (clock.occurrence !== null || typeof at !== 'number') return at
  if (typeof startedAt !== 'number' || startedAt < at) return at
  return secondInstantOfClock(date, seconds, context.timeZone) ?? at
}

function bothHalves(clock: Clock): number[] {
  if (clock.half !== null || !clock.isTwelveHour) return [asWritten(clock)]
  return [asWritten({ ...clock, half: 'am' }), asWritten({ ...clock, half: 'pm' })]
}

// Dates

/**
 * Returns the day that the text begins with and the rest of the text. The default is the context's
 * day.
 */
function withoutDate(
  typed: string,
  { date, timeZone, now, isDayFirst }: MomentContext,
): { readonly date: CalendarDate; readonly rest: string } {
  const today = localDate(now, dayRuleOf(timeZone))
  const words = typed.replace(/^([\d-]{10})[t,] ?/, '$1 ').split(' ')
  const found = dayAtStart(words, { today, isDayFirst })
  if (!found) return { date, rest: typed }
  return { date: found.read, rest: words.slice(found.taken).join(' ').replace(AT, '') }
}

// Durations

/** Reads a number without a unit: '90' is minutes, '1.5' and '1,5' are hours. */
function bareNumber(text: string): number | null {
  if (/^\d+$/.test(text)) return Number(text) * 60
  return /^\d*[.,]\d+$/.test(text) ? decimal(text) * 3600 : null
}

/** Reads '1:15' as hours and minutes. */
function clockDuration(text: string): number | null {
  const parts = /^(\d{1,4}):(\d{2})(?::(\d{2}))?$/.exec(text)
  if (!parts) return null
  const [, hours, minutes, seconds = 0] = parts
  return Number(minutes) > 59 || Number(seconds) > 59
    ? null
    : (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)
}

const UNIT = `(?:(?:(${HOUR})|(${MINUTE})|(${SECOND}))(?!\\p{L})(?:\\.(?!\\d))?)`
/** A number, with or without a unit, and what joins it to the next one. */
const PART = new RegExp(`(\\d+(?:[.,]\\d+)?|[.,]\\d+) ?${UNIT}?(?:,? ${AND} |, ?| )?`, 'uy')
/** 'An hour'. */
const ONE = new RegExp(`^(?:an?|eine|une?|una) (?=(?:${HOUR}|${MINUTE}|${SECOND})(?!\\p{L}))`, 'u')

/**
 * Reads '1h15m30s', '1 hour and 15 minutes' or '1 Std. 15 Min.'. A number without a unit has the
 * next smaller one.
 */
function unitDuration(text: string): number | null {
  PART.lastIndex = 0
  let seconds = 0
  let smallest: number | null = null
  while (PART.lastIndex < text.length) {
    const found = PART.exec(text)
    if (!found) return null
    const [, number = '', hour, minute, second] = found
    const named = hour ? 3600 : minute ? 60 : second ? 1 : null
    const unit: number = named ?? (smallest ?? 0) / 60
    if (unit < 1 || (smallest !== null && unit >= smallest)) return null
    seconds += decimal(number) * unit
    smallest = unit
  }
  return smallest === null ? null : seconds
}

function decimal(text: string): number {
  return Number(text.replace(',', '.'))
}
