/** Finds sessions and sums them up, with core's functions as the app calls them. */
import { parseFilter } from '@stint/core/record/session-filter.ts'
import type { SessionFilter } from '@stint/core/record/session-filter.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { entryList } from '@stint/core/reports/entry-list.ts'
import { findSessions } from '@stint/core/reports/found-sessions.ts'
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
import type { Static } from 'typebox'
import { apiError, description } from '#errors.ts'
import { invalidParam } from '#http/params.ts'
import { sessionAnswer, taskFinder } from './answers.ts'
import type { FOUND, TOTAL } from './answers.ts'
import { dayRuleFor } from './person.ts'
import type { Person } from './person.ts'

export const GROUPINGS = ['day', 'task', 'category', 'tag'] as const
type Grouping = (typeof GROUPINGS)[number]

/**
 * Returns what the text of a filter means.
 * @param name of the parameter, for the refusal.
 * @throws ApiError general_argument_invalid when it has too many parts; stint_time_zone_missing.
 */
export function filterOf(
  text: string,
  person: Person,
  name: 'filter' | 'period' = 'filter',
): SessionFilter {
  const { now, settings } = person
  const filter = parseFilter(text, {
    now,
    dayRule: dayRuleFor(person),
    weekStart: settings.weekStart,
  })
  if (filter.problem !== null) throw invalidParam(name, filter.problem)
  return filter
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
 * Returns the days; null: the whole history.
 * @throws ApiError general_argument_invalid when they are not understood; stint_time_zone_missing.
 */
export function datesOf({ period, from, to }: Days, person: Person): DateRange | null {
  if (period !== null) {
    if (from !== null || to !== null)
      throw apiError('general_argument_invalid.one_param', { names: '`period` and `from`' })
    const [part, ...others] = filterOf(period, person, 'period').parts
    if (part?.condition.kind === 'dates' && !part.excludes && others.length === 0)
      return part.condition.dates
    throw invalidParam('period', description('period'))
  }
  if (from === null && to === null) return null
  const first = dateOf('from', from)
  const last = to === null ? localDate(person.now, dayRuleFor(person)) : dateOf('to', to)
  return { from: first, to: addDays(last < first ? first : last, 1) }
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
  { filter, text }: { readonly filter: SessionFilter; readonly text: string },
  by: Grouping | null,
  publicUrl: string,
): Static<typeof TOTAL> {
  const input = filtered(record, filter)
  const time = trackedTime(input)
  const days = dates ?? allDays(input)
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

/** Leaves out what does not meet the filter. */
function filtered(input: ReportInput, filter: SessionFilter): ReportInput {
  if (filter.parts.length === 0) return input
  const { entries, live, tasks } = input
  return {
    ...input,
    entries: entryList(findSessions(filter, entries, tasks)).entries.toReversed(),
    live: live && findSessions(filter, [live], tasks).indexes.length > 0 ? live : null,
  }
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

function meanings({ parts }: SessionFilter): string[] {
  return parts.map(({ meaning }) => meaning)
}
