/** Finds sessions and sums them up, with core's functions as the app calls them. */
import { filterText } from '@stint/core/record/saved-filters.ts'
import { parseFilter } from '@stint/core/record/session-filter.ts'
import type { SessionFilter } from '@stint/core/record/session-filter.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { entryList } from '@stint/core/reports/entry-list.ts'
import { filteredInput, findSessions } from '@stint/core/reports/found-sessions.ts'
import { groupTotals } from '@stint/core/reports/group-breakdown.ts'
import type { Group } from '@stint/core/reports/group-breakdown.ts'
import { nameInReports } from '@stint/core/record/task.ts'
import {
  liveSeconds,
  secondsByTaskWithin,
  secondsWithin,
  trackedTime,
} from '@stint/core/reports/report-input.ts'
import type { ReportInput } from '@stint/core/reports/report-input.ts'
import { ranked } from '@stint/core/reports/task-breakdown.ts'
import { secondsOfDays, sessionsWithin } from '@stint/core/reports/worked-days.ts'
import {
  addDays,
  dateOfDay,
  dayNumber,
  intervalOfDates,
  isCalendarDate,
  localDate,
} from '@stint/core/time/calendar.ts'
import type { CalendarDate, DateRange } from '@stint/core/time/calendar.ts'
import { FIRST_DAY, readDates } from '@stint/core/time/date-text.ts'
import { daysFromTo } from '@stint/core/time/day-text.ts'
import type { DatesProblem, DatesRead } from '@stint/core/time/day-text.ts'
import type { Static } from 'typebox'
import { apiError, description } from '#errors.ts'
import { invalidParam } from '#http/params.ts'
import { sessionAnswer, taskFinder } from './answers.ts'
import type { FOUND, TOTAL } from './answers.ts'
import { dayRuleFor } from './person.ts'
import type { Person } from './person.ts'

export const GROUPINGS = ['day', 'task', 'category', 'tag'] as const
type Grouping = (typeof GROUPINGS)[number]

/** A filter, and its text: that of the saved one if it was named. */
export interface TextFilter {
  readonly text: string
  readonly filter: SessionFilter
}

/**
 * Reads a filter, which is given as its text or as the name of a saved one.
 * @throws ApiError general_argument_invalid when it has too many parts, or dates in the wrong order;
 * stint_time_zone_missing.
 */
export function filterOf(nameOrText: string, person: Person): TextFilter {
  const { now, settings, filters, account } = person
  const text = filterText(nameOrText, filters)
  const filter = parseFilter(text, {
    now,
    dayRule: dayRuleFor(person),
    weekStart: settings.weekStart,
    unbilled: account.unbilled,
  })
  if (filter.problem !== null) throw invalidParam('filter', filter.problem)
  return { text, filter }
}

/** Returns the instant before which no session meets the filter; null: any may. */
export function earliestOf({ parts, dayRule }: SessionFilter): number | null {
  const starts = parts.flatMap(({ condition, excludes }) =>
    condition.kind === 'dates' && !excludes ? intervalOfDates(condition.dates, dayRule).start : [],
  )
  return starts.length === 0 ? null : Math.max(...starts)
}

/** A page of a list of sessions. */
export interface Page {
  readonly limit: number
  /** The `next` of the page before. */
  readonly cursor: string | null
}

/**
 * Returns a page of the sessions that meet the filter, newest first, and the sum of all of them. A session counts whole,
 * as in the app's list. @throws ApiError general_argument_invalid for a cursor that no page had.
 */
export function foundAnswer(
  input: ReportInput,
  filter: SessionFilter,
  { limit, cursor }: Page,
): Static<typeof FOUND> {
  const list = entryList(findSessions(filter, input.entries, input.tasks))
  const { entries } = list
  const first = cursor === null ? 0 : entries.findIndex(isAfter(cursor))
  const page = first < 0 ? [] : entries.slice(first, first + limit)
  const last = page.at(-1)
  const taskOf = taskFinder(input.tasks)
  return {
    filter: meanings(filter),
    sessions: page.map((entry) => sessionAnswer(entry, taskOf(entry.taskId))),
    total: { count: entries.length, seconds: list.seconds },
    next: last === undefined || last === entries.at(-1) ? null : `${last.startedAt}_${last.id}`,
  }
}

function isAfter(cursor: string): (entry: TimeEntry) => boolean {
  const [, startedAt = '', id = ''] = /^(-?\d{1,15})_(.+)$/.exec(cursor) ?? []
  if (id === '') throw invalidParam('cursor', description('cursor'))
  const start = Number(startedAt)
  return (entry) => entry.startedAt < start || (entry.startedAt === start && entry.id < id)
}

/** The days that a call names. */
export interface Days {
  readonly period: string | null
  /** The first and the last day. */
  readonly from: string | null
  readonly to: string | null
}

/**
 * Returns the days; null: the whole history. Without `to`, they end today, but not before `from`.
 * @throws ApiError general_argument_invalid when they are not understood or in the wrong order;
 * stint_time_zone_missing.
 */
export function datesOf({ period, from, to }: Days, person: Person): DateRange | null {
  const { weekStart } = person.settings
  const today = () => localDate(person.now, dayRuleFor(person))
  if (period !== null) {
    if (from !== null || to !== null)
      throw apiError('general_argument_invalid.one_param', { names: '`period` and `from`' })
    return datesRead('period', readDates(period, { today: today(), weekStart }))
  }
  if (from === null && to === null) return null
  const first = dateOf('from', from)
  if (to !== null) return datesRead('to', daysFromTo(first, dateOf('to', to)))
  const last = today()
  return { from: first, to: addDays(last < first ? first : last, 1) }
}

function datesRead(name: string, read: DatesRead | DatesProblem): DateRange {
  if (read.kind === 'problem') throw invalidParam(name, read.message)
  return read.dates
}

function dateOf(name: string, text: string | null): CalendarDate {
  if (text !== null && isCalendarDate(text)) return text
  throw invalidParam(name, description('date'))
}

/**
 * Returns the work on the days, each session cut at midnight, as the app's reports count it: the running timer included,
 * of all sessions or of those that meet the filter.
 * @param dates null: the whole history.
 * @param publicUrl the address of the app.
 */
export function totalAnswer(
  record: ReportInput,
  dates: DateRange | null,
  { filter, text }: TextFilter,
  by: Grouping | null,
  publicUrl: string,
): Static<typeof TOTAL> {
  const input = filteredInput(record, filter)
  const time = trackedTime(input)
  const days = begunDays(dates, input)
  const [first, end] = [dayNumber(days.from), dayNumber(days.to)]
  const last = addDays(days.to, -1)
  const query = new URLSearchParams({
    ...(text === '' ? {} : { q: text }),
    explain: `${days.from}..${last}`,
  })
  return {
    filter: meanings(filter),
    from: days.from,
    to: last,
    timeZone: input.dayRule.timeZone,
    seconds: secondsWithin(time)(days),
    sessions: {
      ...sessionsWithin(time.worked, days),
      running: liveSeconds(time, first, end) > 0,
    },
    ...bounded(by === null ? [] : groupsOf(input, days, by)),
    explain: `${publicUrl}/sessions?${query.toString()}`,
  }
}

/** Returns the days; of 'until 3 Nov' those from the first session on. */
function begunDays(dates: DateRange | null, input: ReportInput): DateRange {
  const all = allDays(input)
  if (dates?.from !== FIRST_DAY) return dates ?? all
  const last = addDays(dates.to, -1)
  return { from: all.from < last ? all.from : last, to: dates.to }
}

/** Returns the days from the first session until today, or until the last one by a clock that is ahead. */
function allDays({ entries, live, dayRule, now }: ReportInput): DateRange {
  let [first, last] = [live?.startedAt ?? now, now]
  for (const { startedAt, endedAt } of entries) {
    first = Math.min(first, startedAt)
    last = Math.max(last, endedAt)
  }
  return { from: localDate(first, dayRule), to: addDays(localDate(last, dayRule), 1) }
}

/** How many groups an answer has: fifty years of days. Sessions may be of any number of unknown tasks. */
const MAX_GROUPS = 20_000

/** Returns the first groups, which are the largest but for days, and how many are left out. */
function bounded(
  groups: Static<typeof TOTAL>['groups'],
): Pick<Static<typeof TOTAL>, 'groups' | 'groupsLeftOut'> {
  return {
    groups: groups.slice(0, MAX_GROUPS),
    groupsLeftOut: Math.max(0, groups.length - MAX_GROUPS),
  }
}

function groupsOf(
  input: ReportInput,
  days: DateRange,
  by: Grouping,
): Static<typeof TOTAL>['groups'] {
  if (by === 'day') {
    const { worked: saved, livePieces } = trackedTime(input)
    const live = new Map(livePieces.map(({ day, seconds }) => [day, seconds]))
    // Days without work have no group, and a caller may name ten thousand years of them.
    const worked = allDays(input)
    const first = Math.max(dayNumber(days.from), dayNumber(worked.from))
    const end = Math.min(dayNumber(days.to), dayNumber(worked.to))
    const groups = []
    for (let day = first; day < end; day++) {
      const seconds = secondsOfDays(saved.days, day, day + 1) + (live.get(day) ?? 0)
      if (seconds === 0) continue
      // Three centuries have a hundred thousand days, and few of them have work.
      const date = dateOfDay(day)
      groups.push({ key: date, name: date, seconds })
    }
    return groups
  }
  if (by !== 'task') return groupTotals(input, days, by satisfies Group)
  const taskOf = taskFinder(input.tasks)
  const { top, others } = ranked(secondsByTaskWithin(trackedTime(input), days))
  return [...top, ...others].map(([key, seconds]) => {
    return { key, name: nameInReports(taskOf(key)), seconds }
  })
}

/** Returns what each part of a filter means. */
export function meanings({ parts }: SessionFilter): string[] {
  return parts.map(({ meaning }) => meaning)
}
