/** The figures of a task's page. */
import { t } from '#text.ts'
import { dayRuleOf } from '#time/day-rule.ts'
import type { CalendarDate, HourCycle } from '#time/calendar.ts'
import {
  timeInRange,
  endClockTime,
  formatDate,
  intervalOfDates,
  localDate,
  relativeDay,
  sessionDay,
  spokenDate,
  wallClockStretches,
} from '#time/calendar.ts'
import type { WallClockStretch } from '#time/calendar.ts'
import type { Interval } from '#time/instant.ts'
import { clipIntervals } from '#time/instant.ts'
import type { Period } from '#time/period.ts'
import { periodBuckets, periodDates } from '#time/period.ts'
import type { ReportInput, TrackedTime } from './report-input.ts'
import { secondsWithin, trackedTime } from './report-input.ts'
import { average } from './quick-stats.ts'
import { todayOf } from './report-input.ts'
import type { Task } from '#record/task.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import type { WorkedDays } from './worked-days.ts'
import { secondsWorkedWithin } from './worked-time.ts'

export interface TaskStats {
  /** The running timer included. */
  readonly totalSeconds: number
  readonly todaySeconds: number
  /** The number of saved sessions. */
  readonly sessions: number
  readonly averageSeconds: number
  /** 'Created today', 'Created yesterday', 'Created 3 days ago'. */
  readonly createdLine: string
  /** 'Last worked on today' … or 'No sessions yet'. */
  readonly lastWorkedLine: string
}

/**
 * Returns the four stat cards and the two lines under the name. The input may contain entries of
 * other tasks.
 */
export function taskStats(input: ReportInput, task: Task): TaskStats {
  const { now, dayRule } = input
  const time = trackedTime(input)
  const { worked } = time
  const index = worked.taskIndexes.get(task.id) ?? -1
  const savedSeconds = worked.taskSeconds[index] ?? 0
  const sessions = worked.taskSessions[index] ?? 0
  const live = time.live?.taskId === task.id ? time.live : null
  const lastWorkedAt = lastEnd(time, task.id)
  return {
    totalSeconds: savedSeconds + (live?.durationSeconds ?? 0),
    todaySeconds: secondsWithin(time, task.id)(todayOf(input)),
    sessions,
    averageSeconds: average(savedSeconds, sessions),
    createdLine: t('Created {when}', { when: relativeDay(task.createdAt, now, dayRule) }),
    lastWorkedLine:
      lastWorkedAt === null
        ? t('No sessions yet')
        : t('Last worked on {when}', { when: relativeDay(lastWorkedAt, now, dayRule) }),
  }
}

/** The number of sessions that the page lists, and their names. */
export const RECENT_SESSIONS = 5
export const SESSION_LABEL: string = t('Active Work')

export interface RecentSession {
  readonly entry: TimeEntry
  /** 'Today', 'Yesterday', '26 Jul', '26 Jul 2025'. */
  readonly day: string
  /** '23:10'. */
  readonly startTime: string
  /** '23:50', or '00:40 +1' when it ended on a later day. */
  readonly endTime: string
  readonly durationSeconds: number
  readonly label: string
}

/** Returns the task's saved sessions that started last, newest first. */
export function recentSessions(
  input: ReportInput,
  taskId: string,
  limit: number = RECENT_SESSIONS,
): RecentSession[] {
  const { now, dayRule, hourCycle } = input
  return entriesOfTask(trackedTime(input), taskId)
    .newestFirst.slice(0, limit)
    .map((entry) => ({
      entry,
      day: sessionDay(entry.startedAt, now, dayRule),
      ...timesOf(entry, dayRule.timeZone, hourCycle),
      durationSeconds: entry.durationSeconds,
      label: SESSION_LABEL,
    }))
}

/** One day of the Daily Activity Pattern. */
export interface ActivityDay {
  readonly date: CalendarDate
  /** 'Sun'. */
  readonly label: string
  /** '15 Nov'; the accessible label has 'Sunday 15 November 2026'. */
  readonly shortDate: string
  readonly spokenDate: string
  readonly isToday: boolean
  readonly isFuture: boolean
  /**
   * One cell for each of the 24 hours on the wall clock. Both passes of a repeated hour share a
   * cell.
   */
  readonly cells: readonly ActivityCell[]
  /**
   * The sessions that touch the day, in the order of their start, each with its part of the day.
   */
  readonly sessions: readonly ActivitySession[]
}
export interface ActivityCell {
  readonly hour: number
  readonly segments: readonly ActivitySegment[]
}
/** A stretch of a session within one hour, in percent of the hour's width, 0 … 100. */
export interface ActivitySegment {
  readonly entryId: string
  readonly kind: 'work' | 'pause'
  readonly startPercent: number
  readonly durationPercent: number
  /** Start and end of the whole session: '23:10', '00:40 +1'. */
  readonly startTime: string
  readonly endTime: string
}
export interface ActivitySession {
  readonly entryId: string
  readonly startTime: string
  readonly endTime: string
  readonly durationSeconds: number
  readonly isLive: boolean
  /** The part of it that lies on the day: '00:00' to '00:40'. Midnight at its end is '00:00 +1'. */
  readonly part: {
    readonly startTime: string
    readonly endTime: string
    readonly seconds: number
  }
}

/**
 * Returns when in the period, whose bars are days, the task was worked on: its days of 24 hours, by
 * the wall clock. Pauses are segments of their own; pauses without known times are not shown.
 */
export function activityPattern(input: ReportInput, taskId: string, period: Period): ActivityDay[] {
  const { now, hourCycle } = input
  // The pattern goes from midnight to midnight, whenever the viewer's day begins.
  const { timeZone } = input.dayRule
  const midnights = dayRuleOf(timeZone)
  const time = trackedTime(input)
  const live = time.live?.taskId === taskId ? [time.live] : []
  const today = localDate(now, midnights)
  const whole = intervalOfDates(periodDates(period), midnights)
  const entries = [...entriesOfTask(time, taskId).newestFirst, ...live]
    .filter((entry) => entry.startedAt < whole.end && entry.endedAt > whole.start)
    .toSorted((a, b) => a.startedAt - b.startedAt)
  return periodBuckets(period).map(({ from, label }): ActivityDay => {
    const stretches = wallClockStretches(from, timeZone)
    const ofDay = entries.filter((entry) => touches(entry, stretches))
    return {
      date: from,
      label,
      shortDate: formatDate(from),
      spokenDate: spokenDate(from),
      isToday: from === today,
      isFuture: from > today,
      cells: cellsOf(ofDay, stretches, (entry) => timesOf(entry, timeZone, hourCycle)),
      sessions: ofDay.map((entry) => ({
        entryId: entry.id,
        ...timesOf(entry, timeZone, hourCycle),
        durationSeconds: entry.durationSeconds,
        isLive: entry === time.live,
        part: partOfDay(entry, stretches, (part) => timesOf(part, timeZone, hourCycle)),
      })),
    }
  })
}

/** A task's saved entries, and the latest of their ends. */
interface EntriesOfTask {
  readonly newestFirst: readonly TimeEntry[]
  readonly lastEnd: number | null
}

/** Cached with the prepared list they are derived from: they are read every second. */
const entriesByTask = new WeakMap<WorkedDays, Map<string, EntriesOfTask>>()

function entriesOfTask({ worked }: TrackedTime, taskId: string): EntriesOfTask {
  const byTask = entriesByTask.get(worked) ?? new Map<string, EntriesOfTask>()
  entriesByTask.set(worked, byTask)
  const kept = byTask.get(taskId) ?? cutEntriesOfTask(worked, taskId)
  byTask.set(taskId, kept)
  return kept
}

function cutEntriesOfTask(worked: WorkedDays, taskId: string): EntriesOfTask {
  const task = worked.taskIndexes.get(taskId) ?? -1
  const entries = worked.entries.filter((_, index) => worked.entryTasks[index] === task)
  return {
    newestFirst: entries.toSorted((a, b) => b.startedAt - a.startedAt || (a.id < b.id ? 1 : -1)),
    lastEnd: entries.reduce<number | null>(
      (latest, entry) => Math.max(latest ?? entry.endedAt, entry.endedAt),
      null,
    ),
  }
}

/** Returns the latest end of the task's sessions, the running one included; null if it has none. */
function lastEnd(time: TrackedTime, taskId: string): number | null {
  const saved = entriesOfTask(time, taskId).lastEnd
  if (time.live?.taskId !== taskId) return saved
  return Math.max(saved ?? time.live.endedAt, time.live.endedAt)
}

function touches(entry: TimeEntry, stretches: readonly WallClockStretch[]): boolean {
  return stretches.some(({ start, end }) => entry.startedAt < end && entry.endedAt > start)
}

/** Returns the part of the entry between the two midnights, divided as every figure is. */
function partOfDay(
  entry: TimeEntry,
  stretches: readonly WallClockStretch[],
  timesOfSpan: (span: Span) => { startTime: string; endTime: string },
): ActivitySession['part'] {
  const start = stretches[0]?.start ?? entry.startedAt
  const end = stretches.at(-1)?.end ?? entry.endedAt
  return {
    ...timesOfSpan({
      startedAt: Math.max(entry.startedAt, start),
      endedAt: Math.min(entry.endedAt, end),
    }),
    seconds: secondsWorkedWithin(entry, start, end),
  }
}

function cellsOf(
  entries: readonly TimeEntry[],
  stretches: readonly WallClockStretch[],
  timesOfEntry: (entry: TimeEntry) => { startTime: string; endTime: string },
): ActivityCell[] {
  const cells = Array.from({ length: 24 }, (_, hour) => ({
    hour,
    segments: Array<ActivitySegment>(),
  }))
  for (const entry of entries) {
    const times = timesOfEntry(entry)
    for (const { kind, interval } of partsOf(entry)) {
      for (const wall of onWallClock(interval, stretches)) {
        for (const { hour, startPercent, durationPercent } of hoursOf(wall)) {
          const segment = { entryId: entry.id, kind, startPercent, durationPercent, ...times }
          cells[hour]?.segments.push(segment)
        }
      }
    }
  }
  return cells
}

type Span = Pick<TimeEntry, 'startedAt' | 'endedAt'>

function timesOf(
  entry: Span,
  timeZone: string,
  hourCycle: HourCycle | undefined,
): { startTime: string; endTime: string } {
  return {
    startTime: timeInRange(entry.startedAt, timeZone, hourCycle),
    endTime: endClockTime(entry.startedAt, entry.endedAt, timeZone, hourCycle),
  }
}

/** Returns the stretches of work and pause of a session, in order. */
function partsOf(entry: TimeEntry): { kind: 'work' | 'pause'; interval: Interval }[] {
  const pauses = clipIntervals(entry.pauses.intervals, entry.startedAt, entry.endedAt)
  const starts = [entry.startedAt, ...pauses.map((pause) => pause.end)]
  const ends = [...pauses.map((pause) => pause.start), entry.endedAt]
  const work = starts.map((start, index) => ({ start, end: ends[index] ?? start }))
  return [
    ...work.map((interval) => ({ kind: 'work' as const, interval })),
    ...pauses.map((interval) => ({ kind: 'pause' as const, interval })),
  ].toSorted((a, b) => a.interval.start - b.interval.start)
}

/** Returns the interval as milliseconds of the day that the wall clock shows. */
function onWallClock(interval: Interval, stretches: readonly WallClockStretch[]): Interval[] {
  return stretches.flatMap(({ start, end, wallStart }) =>
    clipIntervals([interval], start, end).map((clipped) => ({
      start: clipped.start - start + wallStart,
      end: clipped.end - start + wallStart,
    })),
  )
}

const HOUR_MILLISECONDS = 3_600_000

function hoursOf(
  wall: Interval,
): { hour: number; startPercent: number; durationPercent: number }[] {
  const first = Math.floor(wall.start / HOUR_MILLISECONDS)
  const last = Math.ceil(wall.end / HOUR_MILLISECONDS)
  return Array.from({ length: last - first }, (_, index) => {
    const hour = first + index
    const from = Math.max(wall.start, hour * HOUR_MILLISECONDS)
    const to = Math.min(wall.end, (hour + 1) * HOUR_MILLISECONDS)
    return {
      hour,
      startPercent: (100 * (from - hour * HOUR_MILLISECONDS)) / HOUR_MILLISECONDS,
      durationPercent: (100 * (to - from)) / HOUR_MILLISECONDS,
    }
  })
}
