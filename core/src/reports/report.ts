/**
 * The figures of the dashboard and of the reports page. Times are whole seconds; days are the
 * viewer's.
 */
import type { CalendarDate, DateRange } from '#time/calendar.ts'
import {
  addDays,
  dayNumber,
  formatDates,
  isSkippedDay,
  localDate,
  monthName,
} from '#time/calendar.ts'
import { percentText } from '#number-words.ts'
import { hoursLabel } from '#time/duration.ts'
import type { Period } from '#time/period.ts'
import {
  BREAKDOWN_TITLES,
  leftoverDays,
  periodBuckets,
  periodDates,
  periodOf,
} from '#time/period.ts'
import type { ReportInput, TrackedTime } from './report-input.ts'
import { liveSeconds, secondsWithin, trackedTime } from './report-input.ts'
import type { SessionCount } from './session-count.ts'
import type { Task, TaskColor } from '#record/task.ts'
import { activeTasks, distinctColors, nameInReports, taskColors } from '#record/task.ts'
import { secondsByTask, secondsOfDays, sessionsWithin } from './worked-days.ts'

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

/** The dashboard's cards and its Quick Start list, which the task list uses too. */
export interface Dashboard {
  readonly todaySeconds: number
  /** Tasks with time today, deleted ones included. */
  readonly tasksWorkedOn: number
  /** Active tasks. */
  readonly totalTasks: number
  /** Active tasks, newest first. */
  readonly rows: readonly TaskRow[]
}
export interface TaskRow {
  readonly task: Task
  /** '01', '02' …, in the order of the list. */
  readonly number: string
  readonly color: TaskColor
  readonly todaySeconds: number
  readonly totalSeconds: number
}

/**
 * Returns the three cards, Total Time Today, Tasks Worked On and Total Tasks, and each active
 * task's times.
 */
export function dashboard(input: ReportInput): Dashboard {
  const time = trackedTime(input)
  const { worked, live } = time
  const today = todayOf(input)
  const todayByTask = taskSecondsWithin(time, today)
  const colors = taskColors(input.tasks)
  const tasks = activeTasks(input.tasks)
  return {
    todaySeconds: secondsWithin(time)(today),
    tasksWorkedOn: [...todayByTask.values()].filter((seconds) => seconds > 0).length,
    totalTasks: tasks.length,
    rows: tasks.map((task, index) => ({
      task,
      number: String(index + 1).padStart(2, '0'),
      color: colors.get(task.id) ?? 'blue',
      todaySeconds: todayByTask.get(task.id) ?? 0,
      totalSeconds:
        (worked.taskSeconds[worked.taskIndexes.get(task.id) ?? -1] ?? 0) +
        (live?.taskId === task.id ? live.durationSeconds : 0),
    })),
  }
}

/** The number of tasks that the breakdown names, and of its squares. */
export const BREAKDOWN_TASKS = 10
export const BREAKDOWN_SQUARES = 100

export interface TaskBreakdown {
  readonly totalSeconds: number
  /** The ten tasks with the most time, in that order. */
  readonly rows: readonly BreakdownRow[]
  /** The other tasks together; null if there are none. Their squares stay empty. */
  readonly rest: {
    readonly taskIds: readonly string[]
    readonly seconds: number
    readonly percent: number
    readonly percentLabel: string
  } | null
  /** 100 squares: the index of the row that fills each, or null for an empty one. */
  readonly squares: readonly (number | null)[]
}
export interface BreakdownRow {
  readonly taskId: string
  /** 'Name', 'Name (deleted)' or 'Unknown task'. */
  readonly name: string
  readonly isDeleted: boolean
  readonly seconds: number
  /** The exact share of all time in the period, 0 … 100. */
  readonly percent: number
  /**
   * The number of its squares as a percentage, '34%'; '<1%' without a square. With that of `rest`
   * they sum to 100.
   */
  readonly percentLabel: string
  readonly color: TaskColor
  readonly squares: number
}

/** Divides the work of a period among its tasks. */
export function taskBreakdown(input: ReportInput, period: Period): TaskBreakdown {
  const byTask = [...taskSecondsWithin(trackedTime(input), periodDates(period))]
    .filter(([, seconds]) => seconds > 0)
    .toSorted(([idA, a], [idB, b]) => b - a || (idA < idB ? -1 : 1))
  const totalSeconds = byTask.reduce((sum, [, seconds]) => sum + seconds, 0)
  const top = byTask.slice(0, BREAKDOWN_TASKS)
  const others = byTask.slice(BREAKDOWN_TASKS)
  const othersSeconds = others.reduce((sum, [, seconds]) => sum + seconds, 0)
  const squares = squaresOf([...top.map(([, seconds]) => seconds), othersSeconds])
  const tasksById = new Map(input.tasks.map((task) => [task.id, task]))
  const colors = distinctColors(
    input.tasks,
    top.map(([taskId]) => taskId),
  )
  const rows = top.map(([taskId, seconds], index): BreakdownRow => {
    const task = tasksById.get(taskId)
    const filled = squares[index] ?? 0
    return {
      taskId,
      name: nameInReports(task),
      isDeleted: task !== undefined && !task.isActive,
      seconds,
      percent: (100 * seconds) / totalSeconds,
      percentLabel: percentLabel(filled),
      color: colors.get(taskId) ?? 'slate',
      squares: filled,
    }
  })
  return {
    totalSeconds,
    rows,
    rest:
      others.length === 0
        ? null
        : {
            taskIds: others.map(([taskId]) => taskId),
            seconds: othersSeconds,
            percent: (100 * othersSeconds) / totalSeconds,
            percentLabel: percentLabel(squares.at(-1) ?? 0),
          },
    squares: grid(rows),
  }
}

/**
 * Returns how many of the 100 squares each amount gets, by largest remainder. They sum to 100;
 * without any amount they are 0. An amount under half a percent leaves its square to larger ones.
 * It gets one only if each of those has an extra square already.
 */
export function squaresOf(amounts: readonly number[]): number[] {
  const total = amounts.reduce((sum, amount) => sum + amount, 0)
  return sharesOf(amounts, BREAKDOWN_SQUARES, (amount) => 2 * BREAKDOWN_SQUARES * amount >= total)
}

/**
 * Divides `units` among the amounts. Each amount gets its whole units. The remaining units go one
 * by one to the largest remainders, earlier amounts first. The shares sum to `units`; without any
 * amount they are 0. Amounts that are not `first` come after all that are. No amount gets more than
 * one extra unit.
 */
export function sharesOf(
  amounts: readonly number[],
  units: number,
  first: (amount: number) => boolean = () => true,
): number[] {
  const total = amounts.reduce((sum, amount) => sum + amount, 0)
  if (total <= 0) return amounts.map(() => 0)
  const shares = amounts.map((amount) => Math.floor((units * amount) / total))
  const missing = units - shares.reduce((sum, share) => sum + share, 0)
  const inTurn = amounts
    .map((amount, index) => ({
      index,
      turn: first(amount) ? 0 : 1,
      remainder: (units * amount) % total,
    }))
    .toSorted((a, b) => a.turn - b.turn || b.remainder - a.remainder || a.index - b.index)
  for (const { index } of inTurn.slice(0, missing)) shares[index] = (shares[index] ?? 0) + 1
  return shares
}

function percentLabel(squares: number): string {
  return squares > 0 ? percentText(squares) : `<${percentText(1)}`
}

/** The width of the narrowest bar above 0, in percent of the widest. */
export const MIN_BAR_PERCENT = 8

export interface PeriodBars {
  /** 'Daily Breakdown', 'Weekly Breakdown' or 'Monthly Breakdown'. */
  readonly title: string
  /** The total of the calendar period. The five bars of a month may show less or more. */
  readonly totalSeconds: number
  /** The number of sessions that the total is made of. */
  readonly count: SessionCount
  readonly bars: readonly Bar[]
  /**
   * The days of the month after the fifth bar, '30–31 Aug', which are shown in next month's first
   * week.
   */
  readonly leftover: (DateRange & { readonly dates: string; readonly seconds: number }) | null
}
export interface Bar extends DateRange {
  /** 'Sun', 'Week 1', 'Jan'. */
  readonly label: string
  /** '15 Nov 2026', '26 Jul – 1 Aug 2026', 'January 2026'. */
  readonly dates: string
  readonly seconds: number
  /** In percent of the widest bar: 0, or 8 … 100. */
  readonly widthPercent: number
  /** '1.5h'; null up to one hour. */
  readonly hoursLabel: string | null
  /** The seconds that belong to the shown period. */
  readonly inPeriodSeconds: number
  /** The part of a month's bar that belongs to the month before or after; null if no day does. */
  readonly neighbour: NeighbourPart | null
  /** True if today is in it. */
  readonly isCurrent: boolean
  /** True if it begins after today. */
  readonly isFuture: boolean
}
export interface NeighbourPart extends DateRange {
  /** 'March'. */
  readonly month: string
  /** '1–7 Mar'. */
  readonly dates: string
  readonly seconds: number
}

/** Returns the bars of a period, of one task or of all, the running timer included. */
export function periodBars(input: ReportInput, period: Period, taskId?: string): PeriodBars {
  const time = trackedTime(input)
  const seconds = secondsWithin(time, taskId)
  const shown = periodDates(period)
  const buckets = periodBuckets(period).map((bucket) => ({ bucket, seconds: seconds(bucket) }))
  const most = Math.max(...buckets.map((bucket) => bucket.seconds))
  const today = localDate(input.now, input.dayRule)
  const leftover = leftoverDays(period)
  return {
    title: BREAKDOWN_TITLES[period.view],
    totalSeconds: seconds(shown),
    count: { ...sessionsWithin(time.worked, shown, taskId), hasLive: hasLive(time, shown, taskId) },
    bars: buckets.map(({ bucket, seconds: all }): Bar => {
      const neighbour = neighbourPart(bucket, shown, seconds)
      return {
        ...bucket,
        seconds: all,
        widthPercent: all > 0 ? Math.max(MIN_BAR_PERCENT, (100 * all) / most) : 0,
        hoursLabel: all > 3600 ? hoursLabel(all) : null,
        inPeriodSeconds: all - (neighbour?.seconds ?? 0),
        neighbour,
        isCurrent: bucket.from <= today && today < bucket.to,
        isFuture: bucket.from > today,
      }
    }),
    leftover: leftover && { ...leftover, seconds: seconds(leftover) },
  }
}

/** Returns the average length of a session in whole seconds; 0 without sessions, never NaN. */
export function average(totalSeconds: number, sessions: number): number {
  return sessions === 0 ? 0 : Math.floor(totalSeconds / sessions)
}

/** Returns the viewer's today as a range of one day. */
export function todayOf({ now, dayRule }: ReportInput): DateRange {
  const from = localDate(now, dayRule)
  return { from, to: addDays(from, 1) }
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

/** Returns whether the running timer started within the days or has time in them. */
function hasLive({ live, livePieces, worked }: TrackedTime, dates: DateRange, taskId?: string) {
  if (live === null || (taskId !== undefined && live.taskId !== taskId)) return false
  const started = localDate(live.startedAt, worked.dayRule)
  const from = dayNumber(dates.from)
  const to = dayNumber(dates.to)
  return (
    (started >= dates.from && started < dates.to) ||
    livePieces.some(({ day }) => day >= from && day < to)
  )
}

function taskSecondsWithin(time: TrackedTime, dates: DateRange): Map<string, number> {
  const { worked, live } = time
  const seconds = secondsByTask(worked, dates)
  const byTask = new Map(worked.taskIds.map((taskId, task) => [taskId, seconds[task] ?? 0]))
  if (live) {
    const lived = liveSeconds(time, dayNumber(dates.from), dayNumber(dates.to))
    byTask.set(live.taskId, (byTask.get(live.taskId) ?? 0) + lived)
  }
  return byTask
}

function grid(rows: readonly BreakdownRow[]): (number | null)[] {
  const filled = rows.flatMap((row, index) => Array.from({ length: row.squares }, () => index))
  return Array.from({ length: BREAKDOWN_SQUARES }, (_, square) => filled[square] ?? null)
}

/**
 * Returns the days of a bar outside of the shown period: before a month's first day or after its
 * last.
 */
function neighbourPart(
  bar: DateRange,
  shown: DateRange,
  secondsIn: (dates: DateRange) => number,
): NeighbourPart | null {
  const outside = outsideDays(bar, shown)
  if (!outside) return null
  return {
    ...outside,
    month: monthName(outside.from),
    dates: formatDates(outside),
    seconds: secondsIn(outside),
  }
}

function outsideDays(bar: DateRange, shown: DateRange): DateRange | null {
  if (bar.from < shown.from) return { from: bar.from, to: earlier(bar.to, shown.from) }
  if (bar.to > shown.to) return { from: later(bar.from, shown.to), to: bar.to }
  return null
}

function earlier(a: CalendarDate, b: CalendarDate): CalendarDate {
  return a < b ? a : b
}

function later(a: CalendarDate, b: CalendarDate): CalendarDate {
  return a > b ? a : b
}
