/** The figures of the chips above the reports. */
import { dayNumber, isSkippedDay, localDate } from '#time/calendar.ts'
import { periodDates, periodOf } from '#time/period.ts'
import type { ReportInput, TrackedTime } from './report-input.ts'
import { liveSeconds, secondsWithin, todayOf, trackedTime } from './report-input.ts'
import { secondsOfDays } from './worked-days.ts'

/** The chips above the reports. All but the last two cover the current calendar period. */
export interface QuickStats {
  readonly todaySeconds: number
  readonly weekSeconds: number
  readonly monthSeconds: number
  readonly yearSeconds: number
  /** Consecutive days with work, up to today; 0 while today is empty. */
  readonly streakDays: number
  /** Consecutive days with work up to yesterday, shown in the second line while today is empty. */
  readonly streakDaysUpToYesterday: number
  /** The number of saved sessions in the whole history. */
  readonly sessions: number
  /** Whole seconds; 0 without sessions. */
  readonly averageSeconds: number
}

/** Returns the figures of the chips. The running timer counts in the times, not in the sessions. */
export function quickStats(input: ReportInput): QuickStats {
  const { now, dayRule, weekStart } = input
  const time = trackedTime(input)
  const seconds = secondsWithin(time)
  const { worked, today } = time
  const sessions = worked.entries.length
  const upToYesterday = streakUpTo(time, today - 1)
  return {
    todaySeconds: seconds(todayOf(input)),
    weekSeconds: seconds(periodDates(periodOf('weekly', now, dayRule, weekStart))),
    monthSeconds: seconds(periodDates(periodOf('monthly', now, dayRule))),
    yearSeconds: seconds(periodDates(periodOf('yearly', now, dayRule))),
    streakDays: isWorkedDay(time, today) ? upToYesterday + 1 : 0,
    streakDaysUpToYesterday: upToYesterday,
    sessions,
    averageSeconds: average(worked.totalSeconds, sessions),
  }
}

/** Returns the average length of a session in whole seconds; 0 without sessions, never NaN. */
export function average(totalSeconds: number, sessions: number): number {
  return sessions === 0 ? 0 : Math.floor(totalSeconds / sessions)
}

/**
 * Returns the number of consecutive days with work up to the given day. A day that the zone skipped
 * breaks no streak.
 */
function streakUpTo(time: TrackedTime, lastDay: number): number {
  let days = 0
  for (let day = lastDay; ; day--) {
    if (isWorkedDay(time, day)) days++
    else if (!isSkippedDay(day, time.worked.dayRule)) return days
  }
}

/** Returns whether there is work on the day. A timer counts before its first second. */
function isWorkedDay(time: TrackedTime, day: number): boolean {
  const { worked, live, today } = time
  if (secondsOfDays(worked.days, day, day + 1) > 0 || liveSeconds(time, day, day + 1) > 0)
    return true
  return (
    live !== null && day === today && dayNumber(localDate(live.startedAt, worked.dayRule)) === today
  )
}
