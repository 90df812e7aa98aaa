/** The input of every report. */
import type { DayRule } from '#time/day-rule.ts'
import type { DateRange, HourCycle } from '#time/calendar.ts'
import { addDays, dayNumber, dayTableCovering, localDate } from '#time/calendar.ts'
import type { CategoryColors } from '#record/category.ts'
import type { Task } from '#record/task.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import type { DaySums, WorkedDays } from './worked-days.ts'
import {
  daysOfTask,
  isSaved,
  prepareEntries,
  secondsByTask,
  secondsByTaskInEach,
  secondsOfDays,
} from './worked-days.ts'
import type { DayPiece } from './worked-time.ts'
import { piecesByDay } from './worked-time.ts'

export interface ReportInput {
  /**
   * In any order. Deleted ones are ignored. Pass the same list while nothing has changed: it is
   * prepared once (`prepareEntries`).
   */
  readonly entries: readonly TimeEntry[]
  /** The running or paused timer as the entry it would be now (`entryFromTimer`), or null. */
  readonly live: TimeEntry | null
  /** All tasks, deleted ones too: entries of deleted tasks are shown with their names. */
  readonly tasks: readonly Task[]
  /** The viewer's time zone and the hour at which their days begin; never the machine's. */
  readonly dayRule: DayRule
  /** The colours that were chosen for categories. Default: none. */
  readonly categoryColors?: CategoryColors
  /** The weekday that the viewer's weeks begin with. Default: Sunday. */
  readonly weekStart?: number
  /** The clock that times are written for. Default: 24 hours. */
  readonly hourCycle?: HourCycle
  /** Epoch milliseconds of server time. */
  readonly now: number
}

/** Saved work and that of the running timer, by day. */
export interface TrackedTime {
  readonly worked: WorkedDays
  /** Null also if the timer is saved already, so that its work counts once. */
  readonly live: TimeEntry | null
  readonly livePieces: readonly DayPiece[]
  /** The number of the viewer's today. */
  readonly today: number
}

/** Prepares the input. Repeated calls with the same entries reuse the prepared entries. */
export function trackedTime({ entries, live, dayRule, now }: ReportInput): TrackedTime {
  const worked = prepareEntries(entries, dayRule)
  const counted = live && !isSaved(worked, live) ? live : null
  return {
    worked,
    live: counted,
    livePieces: counted
      ? piecesByDay(counted, dayTableCovering(counted.startedAt, counted.endedAt, dayRule))
      : [],
    today: dayNumber(localDate(now, dayRule)),
  }
}

/**
 * Returns a function that sums the seconds of work on whole days, of one task or of all, the
 * running timer included.
 */
export function secondsWithin(time: TrackedTime, taskId?: string): (dates: DateRange) => number {
  const days: DaySums = taskId === undefined ? time.worked.days : daysOfTask(time.worked, taskId)
  const countsLive = taskId === undefined || time.live?.taskId === taskId
  return (dates) => {
    const from = dayNumber(dates.from)
    const to = dayNumber(dates.to)
    return secondsOfDays(days, from, to) + (countsLive ? liveSeconds(time, from, to) : 0)
  }
}

/** Returns the running timer's seconds on the days numbered `from … to − 1`. */
export function liveSeconds(time: TrackedTime, from: number, to: number): number {
  return time.livePieces.reduce(
    (sum, piece) => (piece.day >= from && piece.day < to ? sum + piece.seconds : sum),
    0,
  )
}

/** Returns the viewer's today as a range of one day. */
export function todayOf({ now, dayRule }: ReportInput): DateRange {
  const from = localDate(now, dayRule)
  return { from, to: addDays(from, 1) }
}

/** Returns the seconds of each task in a range of days, the running timer included. */
export function secondsByTaskWithin(time: TrackedTime, dates: DateRange): Map<string, number> {
  return withLive(time, dates, secondsByTask(time.worked, dates))
}

/** Returns the same for each of several ranges, which are in order and do not overlap. */
export function secondsByTaskWithinEach(
  time: TrackedTime,
  ranges: readonly DateRange[],
): Map<string, number>[] {
  const saved = secondsByTaskInEach(time.worked, ranges)
  return ranges.map((dates, index) => withLive(time, dates, saved[index]))
}

/** Returns the seconds by the id of the task, those of the running timer added. */
function withLive(
  time: TrackedTime,
  dates: DateRange,
  saved: Float64Array | undefined,
): Map<string, number> {
  const { worked, live } = time
  const byTask = new Map(worked.taskIds.map((taskId, task) => [taskId, saved?.[task] ?? 0]))
  if (live) {
    const lived = liveSeconds(time, dayNumber(dates.from), dayNumber(dates.to))
    byTask.set(live.taskId, (byTask.get(live.taskId) ?? 0) + lived)
  }
  return byTask
}
