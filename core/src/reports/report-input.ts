/** What every report is made from: the saved entries, the running timer, the tasks, a rule of days, a now. */
import type { DayRule } from '#time/day-rule.ts'
import type { DateRange, HourCycle } from '#time/calendar.ts'
import { dayNumber, dayTableCovering, localDate } from '#time/calendar.ts'
import type { Task } from '#record/task.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import type { DaySums, WorkedDays } from './worked-days.ts'
import { daysOfTask, isSaved, prepareEntries, secondsOfDays } from './worked-days.ts'
import type { DayPiece } from './worked-time.ts'
import { piecesByDay } from './worked-time.ts'

export interface ReportInput {
  /** In any order; deleted ones count nowhere. Pass the same list while nothing changed: it is
   * prepared once (`prepareEntries`). */
  readonly entries: readonly TimeEntry[]
  /** The running or paused timer as the entry it would be now (`entryFromTimer`), or null. */
  readonly live: TimeEntry | null
  /** All tasks, deleted ones too: they name what was worked on. */
  readonly tasks: readonly Task[]
  /** The viewer's time zone, and when their days begin ; never the machine's. */
  readonly dayRule: DayRule
  /** The weekday that the viewer's weeks begin with; Sunday without one. */
  readonly weekStart?: number
  /** The clock that times are written for; 24 hours without one. */
  readonly hourCycle?: HourCycle
  /** Epoch milliseconds of server time. */
  readonly now: number
}

/** Saved work and the running timer's, by day. */
export interface TrackedTime {
  readonly worked: WorkedDays
  /** Null as well when it is saved already: work counts once. */
  readonly live: TimeEntry | null
  readonly livePieces: readonly DayPiece[]
  /** The number of the viewer's today. */
  readonly today: number
}

/** Prepares the input; repeated with the same entries it costs next to nothing. */
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

/** Returns how many seconds were worked on whole days, of one task or of all, live included. */
export function secondsWithin(time: TrackedTime, taskId?: string): (dates: DateRange) => number {
  const days: DaySums = taskId === undefined ? time.worked.days : daysOfTask(time.worked, taskId)
  const countsLive = taskId === undefined || time.live?.taskId === taskId
  return (dates) => {
    const from = dayNumber(dates.from)
    const to = dayNumber(dates.to)
    return secondsOfDays(days, from, to) + (countsLive ? liveSeconds(time, from, to) : 0)
  }
}

/** The running timer's seconds on the days numbered `from … to − 1`. */
export function liveSeconds(time: TrackedTime, from: number, to: number): number {
  return time.livePieces.reduce(
    (sum, piece) => (piece.day >= from && piece.day < to ? sum + piece.seconds : sum),
    0,
  )
}
