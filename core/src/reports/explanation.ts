/** Explains a total: the sessions it is made of, with the exact part of each that counts. */
import { endClockTime, timeInRange } from '#time/calendar.ts'
import type { HourCycle } from '#time/calendar.ts'
import type { Interval } from '#time/instant.ts'
import type { ReportInput } from './report-input.ts'
import { trackedTime } from './report-input.ts'
import type { SessionCount } from './session-count.ts'
import { tagKeysOf } from '#record/tags.ts'
import { nameInReports } from '#record/task.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import { entriesTouching } from './worked-days.ts'
import { secondsWorkedWithin } from './worked-time.ts'

export interface Explanation {
  /** Newest first. */
  readonly rows: readonly Contribution[]
  /** The sum of the rows: the figure itself. */
  readonly totalSeconds: number
  /** How many of the rows are sessions of the period, and how many started earlier. */
  readonly count: SessionCount
}
export interface Contribution {
  readonly entry: TimeEntry
  /** 'Name', 'Name (deleted)' or 'Unknown task'. */
  readonly taskName: string
  /** The part of its `durationSeconds` that counts here; 0 only for a session that starts here. */
  readonly countedSeconds: number
  /** True if it starts here, which makes it one of the sessions of the period. */
  readonly startsHere: boolean
  /** True for the running timer. */
  readonly isLive: boolean
}

/** All time. Explains totals of the whole history. */
export const ALL_TIME: readonly Interval[] = [{ start: -Infinity, end: Infinity }]

/**
 * Returns the sessions that a figure over these intervals is made of, of the given tasks or of all.
 * `tags` are keys of tags, '' for sessions without one; all sessions count when they are missing.
 * `intervalOfDates` returns the intervals of whole days. Included are the sessions that start
 * there, even without a whole second of work, and those that have time there. The counted parts sum
 * to the figure.
 */
export function explain(
  input: ReportInput,
  intervals: readonly Interval[],
  taskIds?: readonly string[],
  tags?: readonly string[],
): Explanation {
  const { worked, live } = trackedTime(input)
  const wanted = taskIds && new Set(taskIds)
  const wantedTags = tags && new Set(tags)
  const names = new Map(input.tasks.map((task) => [task.id, nameInReports(task)]))
  const saved = entriesTouching(worked, {
    start: Math.min(...intervals.map((interval) => interval.start)),
    end: Math.max(...intervals.map((interval) => interval.end)),
  })
  const rows: Contribution[] = []
  for (const entry of live ? [...saved, live] : saved) {
    if (wanted && !wanted.has(entry.taskId)) continue
    if (wantedTags && !tagKeysOf(entry.note).some((key) => wantedTags.has(key))) continue
    const countedSeconds = secondsCounted(entry, intervals)
    const startsHere = intervals.some(
      ({ start, end }) => entry.startedAt >= start && entry.startedAt < end,
    )
    if (countedSeconds === 0 && !startsHere) continue
    const taskName = names.get(entry.taskId) ?? nameInReports(undefined)
    rows.push({ entry, taskName, countedSeconds, startsHere, isLive: entry === live })
  }
  return {
    rows: rows.sort((a, b) => newestFirst(a.entry, b.entry)),
    totalSeconds: rows.reduce((sum, row) => sum + row.countedSeconds, 0),
    count: countOf(rows),
  }
}

/** Counts the contributions that are sessions of the period. */
export function countOf(rows: readonly Contribution[]): SessionCount {
  const saved = rows.filter((row) => !row.isLive)
  const begun = saved.filter((row) => row.startsHere).length
  return { begun, earlier: saved.length - begun, hasLive: saved.length < rows.length }
}

/** Returns the times of a session in the zone: '23:10 – 00:40 +1'. */
export function sessionTimes(
  session: { startedAt: number; endedAt: number },
  timeZone: string,
  cycle?: HourCycle,
): string {
  const { startedAt, endedAt } = session
  return `${timeInRange(startedAt, timeZone, cycle)} – ${endClockTime(startedAt, endedAt, timeZone, cycle)}`
}

function newestFirst(a: TimeEntry, b: TimeEntry): number {
  return b.startedAt - a.startedAt || (a.id < b.id ? 1 : -1)
}

function secondsCounted(entry: TimeEntry, intervals: readonly Interval[]): number {
  let seconds = 0
  for (const { start, end } of intervals) seconds += secondsWorkedWithin(entry, start, end)
  return seconds
}
