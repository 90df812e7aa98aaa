/**
 * What is typed into the editor, and what it means. Texts are read as they are typed, so that the
 * editor says what it understood before anything is saved. What is left as it was stays exactly as it
 * was, to the millisecond.
 */
import { dayRuleOf } from '@stint/core/time/day-rule.ts'
import {
  addDays,
  clockSeconds,
  clockTime,
  isCalendarDate,
  localDate,
  localDateTime,
} from '@stint/core/time/calendar.ts'
import type { CalendarDate, HourCycle } from '@stint/core/time/calendar.ts'
import { entryProblem } from '@stint/core/record/entry-edit.ts'
import type { EntryProblem } from '@stint/core/record/entry-edit.ts'
import type { Interval } from '@stint/core/time/instant.ts'
import type { Pauses } from '@stint/core/timer/pauses.ts'
import { readDuration, readMoment, readSpan } from '@stint/core/time/time-span-input.ts'

export interface EntryDraft {
  /** The day it started. */
  readonly date: CalendarDate
  readonly start: string
  /** Empty: it still runs. */
  readonly end: string
  /** '12:00-12:30, 15:10-15:20'. */
  readonly pauses: string
  /** What `end` shows by the second, where a length was typed. */
  readonly exactEnd?: number
}

export interface DraftContext {
  readonly timeZone: string
  /** The clock that times are written for. */
  readonly hourCycle: HourCycle
  readonly now: number
  /** What is edited: texts that still say the same mean the very same. */
  readonly original: Times | null
}

type Clock = Pick<DraftContext, 'timeZone' | 'hourCycle'>

interface Times {
  readonly startedAt: number
  readonly endedAt: number | null
  readonly pauses: Pauses
}

export type DraftField = EntryProblem['field'] | 'date'

export interface DraftTimes {
  readonly startedAt: number
  /** Null: it still runs. */
  readonly endedAt: number | null
  readonly pauses: Pauses
}

export interface DraftReading {
  /** What was understood; null while something is missing or wrong. */
  readonly times: DraftTimes | null
  readonly problem: { readonly field: DraftField; readonly message: string } | null
}

/** The texts that say these times. */
export function draftOf({ startedAt, endedAt, pauses }: Times, context: Clock): EntryDraft {
  const { timeZone, hourCycle } = context
  return {
    date: localDate(startedAt, dayRuleOf(timeZone)),
    start: clockText(startedAt, timeZone, hourCycle),
    end: endedAt === null ? '' : endText(startedAt, endedAt, context),
    pauses: pausesText(pauses.intervals, timeZone, hourCycle),
  }
}

/** What the texts mean, or the first thing that is wrong with them. */
export function readDraft(draft: EntryDraft, context: DraftContext): DraftReading {
  const { timeZone, now, original } = context
  const { date } = draft
  if (!isCalendarDate(date)) return wrong('date', 'Pick the day it started.')
  const before = original && draftOf(original, context)
  const isSameDay = before?.date === date

  const start = startOf(draft, context)
  if (start === null) return wrong('start', 'Say when it started.')
  if (typeof start === 'string') return wrong('start', start)

  const day = { date: localDate(start, dayRuleOf(timeZone)), timeZone, now }
  const { exactEnd } = draft
  const end =
    original && isSameDay && draft.end === before.end
      ? original.endedAt
      : exactEnd !== undefined && endText(start, exactEnd, context) === draft.end
        ? exactEnd
        : endOf(draft.end, start, day)
  if (typeof end === 'string') return wrong('end', end)

  const keepsPauses = original && isSameDay && draft.pauses === before.pauses
  const intervals = keepsPauses ? original.pauses.intervals : pausesOf(draft.pauses, start, day)
  if (typeof intervals === 'string') return wrong('pauses', intervals)
  const unplacedSeconds = keepsPauses ? original.pauses.unplacedSeconds : 0
  const pauses = { intervals, unplacedSeconds }

  // A timer that still runs is checked as if it ended now.
  const problem = entryProblem({ startedAt: start, endedAt: end ?? now, pauses }, now)
  return { times: { startedAt: start, endedAt: end, pauses }, problem }
}

/**
 * The draft with what was typed in one go, '9-1030' or '1h15': a span sets start and end; a duration
 * moves the end, or, of what has none yet, lets it end now. Null while it is not understood.
 */
export function draftWithSpan(
  draft: EntryDraft,
  text: string,
  context: DraftContext,
): EntryDraft | null {
  const { read, startedAt } = spanOf(text, draft, context)
  switch (read.kind) {
    case 'span':
      return { ...draft, ...draftTexts(read.startedAt, read.endedAt, context) }
    case 'duration': {
      const from = startedAt ?? context.now - read.seconds * 1000
      const exactEnd = from + read.seconds * 1000
      return { ...draft, ...draftTexts(from, exactEnd, context), exactEnd }
    }
    default:
      return null
  }
}

/** What is wrong with the text in one go; null while there is nothing to say. */
export function spanProblem(text: string, draft: EntryDraft, context: DraftContext): string | null {
  const { read } = spanOf(text, draft, context)
  return read.kind === 'problem' ? read.message : null
}

/** What the text in one go means, and the start that a length is counted from. */
function spanOf(text: string, draft: EntryDraft, context: DraftContext) {
  const { timeZone, now } = context
  const date = isCalendarDate(draft.date) ? draft.date : localDate(now, dayRuleOf(timeZone))
  const start = startOf({ ...draft, date }, context)
  const startedAt = typeof start === 'number' ? start : undefined
  const read = readSpan(text, { date, timeZone, now, startedAt })
  // It ends now unless a start is said: of another day, nobody knows when it was.
  const isOpen =
    read.kind === 'duration' &&
    startedAt === undefined &&
    date !== localDate(now, dayRuleOf(timeZone))
  return { read: isOpen ? WHEN : read, startedAt }
}

const WHEN = { kind: 'problem', message: 'Say when it started, such as 9:30 for 1h.' } as const

/** When it starts: the very start it had while the texts say so; null without one, or a sentence. */
function startOf({ date, start }: EntryDraft, context: DraftContext): number | string | null {
  const { timeZone, now, original } = context
  const before = original && draftOf(original, context)
  return original && before?.date === date && before.start === start
    ? original.startedAt
    : momentOf(start, { date, timeZone, now })
}

function draftTexts(startedAt: number, endedAt: number, context: DraftContext) {
  const { date, start, end } = draftOf(
    { startedAt, endedAt, pauses: { intervals: [], unplacedSeconds: 0 } },
    context,
  )
  return { date, start, end }
}

function wrong(field: DraftField, message: string): DraftReading {
  return { times: null, problem: { field, message } }
}

interface Day {
  readonly date: CalendarDate
  readonly timeZone: string
  readonly now: number
}

/** The instant, null for an empty text, or a sentence. */
function momentOf(text: string, day: Day): number | string | null {
  const read = readMoment(text, day)
  if (read.kind === 'moment') return read.at
  return read.kind === 'empty' ? null : read.message
}

/** An end is on the day of the start, or, when that would be before it, on the next. */
function endOf(text: string, startedAt: number, day: Day): number | string | null {
  const moment = momentOf(text, day)
  if (moment === null) return null
  if (typeof moment === 'string') {
    const duration = readDuration(text)
    return duration.kind === 'duration' ? startedAt + duration.seconds * 1000 : moment
  }
  if (moment > startedAt) return moment
  // Of a time that the clock shows twice, the one after the start.
  const again = moment + 3_600_000
  const isTwice = clockSeconds(again, day.timeZone) === clockSeconds(moment, day.timeZone)
  if (isTwice && again > startedAt) return again
  const nextDay = momentOf(text, { ...day, date: addDays(day.date, 1) })
  return typeof nextDay === 'number' && nextDay > startedAt && nextDay <= day.now ? nextDay : moment
}

function pausesOf(text: string, startedAt: number, day: Day): Interval[] | string {
  const intervals: Interval[] = []
  for (const part of text.split(/[,;\n]/).filter((each) => each.trim() !== '')) {
    const read = readSpan(part, day)
    if (read.kind !== 'span') {
      return read.kind === 'problem' ? read.message : `Say from when to when: '12:00-12:30'.`
    }
    const late = read.startedAt < startedAt ? readSpan(part, nextDayOf(day)) : read
    const { startedAt: start, endedAt: end } = late.kind === 'span' ? late : read
    intervals.push({ start, end })
  }
  return intervals
}

function nextDayOf(day: Day): Day {
  return { ...day, date: addDays(day.date, 1) }
}

function pausesText(intervals: readonly Interval[], timeZone: string, cycle: HourCycle): string {
  return intervals
    .map(
      ({ start, end }) => `${clockText(start, timeZone, cycle)}-${clockText(end, timeZone, cycle)}`,
    )
    .join(', ')
}

/** '09:05', or '09:05:30' where there are seconds to lose. */
function clockText(instant: number, timeZone: string, cycle: HourCycle): string {
  const time = localDateTime(instant, timeZone).slice(11)
  return time.endsWith(':00') ? clockTime(instant, timeZone, cycle) : time
}

/** With its day where that is not the start's, or the one after. */
function endText(startedAt: number, endedAt: number, { timeZone, hourCycle }: Clock): string {
  const date = localDate(endedAt, dayRuleOf(timeZone))
  const isNear =
    date === localDate(startedAt, dayRuleOf(timeZone)) || endedAt - startedAt < 86_400_000
  const text = clockText(endedAt, timeZone, hourCycle)
  return isNear ? text : `${date} ${text}`
}
