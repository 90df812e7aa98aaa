/**
 * Divides an entry's work by time. Every figure uses these functions, so that the parts of an entry
 * always sum to its `durationSeconds`.
 */
import type { DayTable } from '#time/calendar.ts'
import { dayIndexAt, nextMidnight, startOfDay } from '#time/calendar.ts'
import type { DayRule } from '#time/day-rule.ts'
import { MAX_DURATION_SECONDS } from '#collections.ts'
import { entryFromTimer } from '#record/time-entry.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import type { ActiveTimer } from '#timer/timer.ts'

/** The work of one entry on one local day. */
export interface DayPiece {
  /** The day's number. */
  readonly day: number
  /** Whole seconds, above 0. */
  readonly seconds: number
}

/** Returns the whole seconds of the entry's work within `[start, end)`. */
export function secondsWorkedWithin(entry: TimeEntry, start: number, end: number): number {
  return end > start ? secondsWorkedBy(entry, end) - secondsWorkedBy(entry, start) : 0
}

/** Returns the whole seconds of work on the timed task today, the timer included. */
export function secondsOfTaskToday(
  timer: ActiveTimer,
  entries: readonly TimeEntry[],
  dayRule: DayRule,
  now: number,
): number {
  const [start, end] = [startOfDay(now, dayRule), nextMidnight(now, dayRule)]
  return [...entries, entryFromTimer(timer, now)]
    .filter(({ taskId, endedAt }) => taskId === timer.taskId && endedAt > start)
    .reduce((sum, entry) => sum + secondsWorkedWithin(entry, start, end), 0)
}

/**
 * Returns the whole seconds of the entry's work before the instant. The result is exact where its
 * pauses are known, and otherwise in proportion to the time that is not known to be paused. It
 * rises from 0 to `durationSeconds` and is rounded down, so that the remainder of rounding falls to
 * the later part.
 */
export function secondsWorkedBy(entry: TimeEntry, instant: number): number {
  const { startedAt, durationSeconds } = entry
  if (instant <= startedAt) return 0
  const end = workedUntil(entry)
  if (instant >= end) return durationSeconds

  const worked = unpausedMilliseconds(entry, instant)
  const workedInAll = unpausedMilliseconds(entry, end)
  if (Math.floor(workedInAll / 1000) === durationSeconds) {
    return Math.min(durationSeconds, Math.floor(worked / 1000))
  }
  return workedInAll > 0
    ? Math.floor((durationSeconds * worked) / workedInAll)
    : Math.floor((durationSeconds * (instant - startedAt)) / (end - startedAt))
}

/**
 * Returns the entry's work by local day. Days without a whole second are left out. The table must
 * cover the days from its start to its end.
 */
export function piecesByDay(entry: TimeEntry, table: DayTable): DayPiece[] {
  const first = dayIndexAt(table, entry.startedAt)
  const last = dayIndexAt(table, workedUntil(entry))
  const pieces: DayPiece[] = []
  let before = 0
  for (let index = first; index <= last; index++) {
    const nextDay = table.starts[index + 1] ?? Number.POSITIVE_INFINITY
    const by = index === last ? entry.durationSeconds : secondsWorkedBy(entry, nextDay)
    if (by > before) pieces.push({ day: table.firstDay + index, seconds: by - before })
    before = by
  }
  return pieces
}

/**
 * Returns when the entry's work ends. A span over a year comes from a broken client; its work
 * counts where it began, instead of being spread over years.
 */
export function workedUntil(entry: TimeEntry): number {
  const { startedAt, endedAt } = entry
  return endedAt - startedAt > MAX_DURATION_SECONDS * 1000 ? startedAt : endedAt
}

/** Returns the entry's time before the instant, less the known pauses in it. */
function unpausedMilliseconds(entry: TimeEntry, instant: number): number {
  let milliseconds = instant - entry.startedAt
  for (const pause of entry.pauses.intervals) {
    milliseconds -= Math.max(
      0,
      Math.min(pause.end, instant) - Math.max(pause.start, entry.startedAt),
    )
  }
  return Math.max(0, milliseconds)
}
