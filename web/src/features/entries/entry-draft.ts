/**
 * What is typed into the editor, and what it means. Texts are read as they are typed, so that the
 * editor says what it understood before anything is saved. What is left as it was stays exactly as it
 * was, to the millisecond.
 */
import {
  addDays,
  clockTime,
  isCalendarDate,
  localDate,
  localDateTime,
} from '@stint/core/calendar.ts'
import type { CalendarDate, HourCycle } from '@stint/core/calendar.ts'
import { entryProblem } from '@stint/core/entry-edit.ts'
import type { EntryProblem } from '@stint/core/entry-edit.ts'
import type { Interval } from '@stint/core/instant.ts'
import type { Pauses } from '@stint/core/pauses.ts'
import { readDuration, readMoment, readSpan } from '@stint/core/time-span-input.ts'

export interface EntryDraft {
  /** The day it started. */
  readonly date: CalendarDate
  readonly start: string
  /** Empty: it still runs. */
  readonly end: string
  /** '12:00-12:30, 15:10-15:20'. */
  readonly pauses: string
}

export interface DraftContext {
  readonly zone: string
  /** The clock that times are written for. */
  readonly hourCycle: HourCycle
  readonly now: number
  /** What is edited: texts that still say the same mean the very same. */
  readonly original: Times | null
}

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
export function draftOf(
  { startedAt, endedAt, pauses }: Times,
  { zone, hourCycle }: Pick<DraftContext, 'zone' | 'hourCycle'>,
): EntryDraft {
  return {
    date: localDate(startedAt, zone),
    start: clockText(startedAt, zone, hourCycle),
    end: endedAt === null ? '' : endText(startedAt, endedAt, zone, hourCycle),
    pauses: pausesText(pauses.intervals, zone, hourCycle),
  }
}

/** What the texts mean, or the first thing that is wrong with them. */
export function readDraft(draft: EntryDraft, context: DraftContext): DraftReading {
  const { zone, now, original } = context
  const { date } = draft
  if (!isCalendarDate(date)) return wrong('date', 'Pick the day it started.')
  const before = original && draftOf(original, context)
  const isSameDay = before?.date === date

  const start =
    original && isSameDay && draft.start === before.start
      ? original.startedAt
      : momentOf(draft.start, { date, zone, now })
  if (start === null) return wrong('start', 'Say when it started.')
  if (typeof start === 'string') return wrong('start', start)

  const end =
    original && isSameDay && draft.end === before.end
      ? original.endedAt
      : endOf(draft.end, start, { date: localDate(start, zone), zone, now })
  if (typeof end === 'string') return wrong('end', end)

  const keepsPauses = original && isSameDay && draft.pauses === before.pauses
  const intervals = keepsPauses
    ? original.pauses.intervals
    : pausesOf(draft.pauses, start, { date: localDate(start, zone), zone, now })
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
  const { zone, now } = context
  const date = isCalendarDate(draft.date) ? draft.date : localDate(now, zone)
  const start = momentOf(draft.start, { date, zone, now })
  const startedAt = typeof start === 'number' ? start : undefined
  const read = readSpan(text, {
    date,
    zone,
    now,
    ...(startedAt === undefined ? {} : { startedAt }),
  })
  switch (read.kind) {
    case 'span':
      return { ...draft, ...draftTexts(read.startedAt, read.endedAt, context) }
    case 'duration': {
      const from = startedAt ?? now - read.seconds * 1000
      return { ...draft, ...draftTexts(from, from + read.seconds * 1000, context) }
    }
    default:
      return null
  }
}

/** What is wrong with the text in one go; null while there is nothing to say. */
export function spanProblem(text: string, draft: EntryDraft, context: DraftContext): string | null {
  const { zone, now } = context
  const date = isCalendarDate(draft.date) ? draft.date : localDate(now, zone)
  const read = readSpan(text, { date, zone, now })
  return read.kind === 'problem' ? read.message : null
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
  readonly zone: string
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

function pausesText(intervals: readonly Interval[], zone: string, cycle: HourCycle): string {
  return intervals
    .map(({ start, end }) => `${clockText(start, zone, cycle)}-${clockText(end, zone, cycle)}`)
    .join(', ')
}

/** '09:05', or '09:05:30' where there are seconds to lose. */
function clockText(instant: number, zone: string, cycle: HourCycle): string {
  const time = localDateTime(instant, zone).slice(11)
  return time.endsWith(':00') ? clockTime(instant, zone, cycle) : time
}

/** With its day where that is not the start's, or the one after. */
function endText(startedAt: number, endedAt: number, zone: string, cycle: HourCycle): string {
  const date = localDate(endedAt, zone)
  const isNear = date === localDate(startedAt, zone) || endedAt - startedAt < 86_400_000
  const text = clockText(endedAt, zone, cycle)
  return isNear ? text : `${date} ${text}`
}
