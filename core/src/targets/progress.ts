/**
 * How far targets are in the day, week or month that contains now. Whole seconds, as in the reports: the running
 * timer counts, and days are the viewer's. The pace is an even share of the days that count (docs/rules.md).
 */
import type { HoursAccount } from '#balance/account.ts'
import { owedReader } from '#balance/owed.ts'
import { tasksInCategory } from '#record/category.ts'
import { hasTag, tagKey } from '#record/tags.ts'
import type { Task } from '#record/task.ts'
import { secondsOfTag } from '#reports/group-breakdown.ts'
import { secondsByTaskWithin, secondsWithin, todayOf, trackedTime } from '#reports/report-input.ts'
import type { ReportInput } from '#reports/report-input.ts'
import { dayNumber, isSkippedDay, nextMidnight } from '#time/calendar.ts'
import type { DateRange } from '#time/calendar.ts'
import { periodDates, periodOf } from '#time/period.ts'
import type { Scope, Target, TargetSpan } from './targets.ts'

/**
 * 'reached' and 'behind' are of targets of at least so much; 'over' and 'fast' of those of at most so much: 'fast'
 * is more than an even share of the days up to today.
 */
export type TargetState = 'reached' | 'onTrack' | 'behind' | 'over' | 'fast'

export interface TargetProgress {
  readonly target: Target
  /** The day, week or month that contains now. */
  readonly dates: DateRange
  readonly workedSeconds: number
  /** Of the target, cut to a whole number; above 100 when it is passed. */
  readonly percent: number
  readonly state: TargetState
  /** The even share: of the days before today, or of those up to today for a target of at most so much. */
  readonly shareSeconds: number
  /** What is missing, or may still be worked; 0 once the target is reached or passed. */
  readonly leftSeconds: number
  /** How much more was worked than the target is. */
  readonly overSeconds: number
  /** How many days count of those that are left, today included. */
  readonly daysLeft: number
  /** What is needed, or left, on each of these days; null: nothing, or no day is left. */
  readonly perDaySeconds: number | null
  /** Whether the timer runs and counts. */
  readonly isRunning: boolean
  /** When the running timer reaches the target today, in epoch milliseconds; else null. */
  readonly reachedAt: number | null
}

/**
 * Returns the progress of each target, in their order.
 * @param input every session, and every task.
 * @param account whose contract says which days count; all days do without one.
 * @param isRunning whether the timer of the input runs.
 */
export function targetsProgress(
  input: ReportInput,
  account: HoursAccount,
  targets: readonly Target[],
  isRunning: boolean,
): TargetProgress[] {
  const secondsOf = secondsReader(input)
  const paceOf = paceReader(input, account)
  return targets.map((target) => {
    const { seconds, scope } = target
    const dates = targetDates(input, target.span)
    const workedSeconds = secondsOf(scope, dates)
    const leftSeconds = Math.max(0, seconds - workedSeconds)
    const days = paceOf(target.span, dates)
    const counts = isRunning && countsLive(input, scope)
    return {
      target,
      dates,
      workedSeconds,
      percent: Math.floor((workedSeconds * 100) / seconds),
      state: stateOf(target, workedSeconds, days),
      shareSeconds: shareOf(target, days),
      leftSeconds,
      overSeconds: Math.max(0, workedSeconds - seconds),
      daysLeft: days.left,
      perDaySeconds: perDay(target, leftSeconds, days),
      isRunning: counts,
      reachedAt: counts && leftSeconds > 0 ? todayOrNull(input, leftSeconds) : null,
    }
  })
}

/** Returns the day, week or month that contains now. */
export function targetDates(input: ReportInput, span: TargetSpan): DateRange {
  const { now, dayRule, weekStart } = input
  switch (span) {
    case 'day':
      return todayOf(input)
    case 'week':
      return periodDates(periodOf('weekly', now, dayRule, weekStart))
    case 'month':
      return periodDates(periodOf('monthly', now, dayRule))
  }
}

/** Returns the sessions that a scope counts, as an explanation takes them: of these tasks, or with this tag. */
export function countedOf(
  scope: Scope,
  tasks: readonly Task[],
): { readonly taskIds?: readonly string[]; readonly tags?: readonly string[] } {
  switch (scope.kind) {
    case 'all':
      return {}
    case 'category':
      return { taskIds: tasksOf(scope.name, tasks) }
    case 'tag':
      return { tags: [tagKey(scope.name)] }
    case 'task':
      return { taskIds: [scope.name] }
  }
}

/** Returns a function that sums the work of a scope on whole days. */
export function secondsReader(input: ReportInput): (scope: Scope, dates: DateRange) => number {
  const time = trackedTime(input)
  const ofAll = secondsWithin(time)
  const kept = new Map<string, ReadonlyMap<string, number>>()
  const byTask = (dates: DateRange) => {
    const name = `${dates.from} ${dates.to}`
    const known = kept.get(name) ?? secondsByTaskWithin(time, dates)
    kept.set(name, known)
    return known
  }
  return (scope, dates) => {
    switch (scope.kind) {
      case 'all':
        return ofAll(dates)
      case 'category': {
        const seconds = byTask(dates)
        const ids = tasksOf(scope.name, input.tasks)
        return ids.reduce((sum, id) => sum + (seconds.get(id) ?? 0), 0)
      }
      case 'tag':
        return secondsOfTag(time, dates, scope.name)
      case 'task':
        return byTask(dates).get(scope.name) ?? 0
    }
  }
}

function tasksOf(category: string, tasks: readonly Task[]): string[] {
  return tasksInCategory(tasks, category).map(({ id }) => id)
}

function countsLive({ live, tasks }: ReportInput, scope: Scope): boolean {
  if (!live) return false
  switch (scope.kind) {
    case 'all':
      return true
    case 'category':
      return tasksOf(scope.name, tasks).includes(live.taskId)
    case 'tag':
      return hasTag(live.note, scope.name)
    case 'task':
      return live.taskId === scope.name
  }
}

function todayOrNull({ now, dayRule }: ReportInput, leftSeconds: number): number | null {
  const at = now + leftSeconds * 1000
  return at < nextMidnight(now, dayRule) ? at : null
}

// Pace

/** How many days of a period count. */
interface PaceDays {
  readonly all: number
  /** Those before today. */
  readonly before: number
  /** Those up to today, at least one: today's share may be used from its first second on. */
  readonly begun: number
  /** Today and those after it. */
  readonly left: number
}

/**
 * Returns a function that counts the days of a period. The counts of an account are kept, as they are asked for at
 * each second of a running timer.
 */
function paceReader(
  input: ReportInput,
  account: HoursAccount,
): (span: TargetSpan, dates: DateRange) => PaceDays {
  const today = todayOf(input).from
  const kept = keptDays.get(account) ?? new Map<TargetSpan, KeptDays>()
  keptDays.set(account, kept)
  return (span, dates) => {
    const asked = [dates.from, dates.to, today, input.dayRule.timeZone].join(' ')
    const known = kept.get(span)
    if (known?.asked === asked) return known.days
    const days = paceDays(input, account, dates, dayNumber(today))
    kept.set(span, { asked, days })
    return days
  }
}

interface KeptDays {
  readonly asked: string
  readonly days: PaceDays
}

const keptDays = new WeakMap<HoursAccount, Map<TargetSpan, KeptDays>>()

/**
 * Counts the days on which something is owed, after public holidays and days off; before the first contract every
 * day. In a period without such a day, all days count. A day that the zone skipped never does.
 */
function paceDays(
  { dayRule }: ReportInput,
  account: HoursAccount,
  dates: DateRange,
  today: number,
): PaceDays {
  const [from, end] = [dayNumber(dates.from), dayNumber(dates.to)]
  const days: number[] = []
  for (let day = from; day < end; day++) if (!isSkippedDay(day, dayRule)) days.push(day)
  const owedOn = owedReader(account)
  const working = days.filter((day) => {
    const { contract, owed, holidaySeconds, taken } = owedOn(day)
    return (
      contract === null || taken.reduce((rest, off) => rest - off.seconds, owed) > holidaySeconds
    )
  })
  const counted = working.length > 0 ? working : days
  const before = counted.filter((day) => day < today).length
  const begun = Math.max(1, counted.filter((day) => day <= today).length)
  return { all: counted.length, before, begun, left: counted.length - before }
}

function stateOf({ bound, seconds }: Target, worked: number, days: PaceDays): TargetState {
  if (bound === 'least') {
    if (worked >= seconds) return 'reached'
    return worked * days.all >= seconds * days.before ? 'onTrack' : 'behind'
  }
  if (worked > seconds) return 'over'
  return worked * days.all <= seconds * days.begun ? 'onTrack' : 'fast'
}

function shareOf({ bound, seconds }: Target, { all, before, begun }: PaceDays): number {
  return all === 0 ? 0 : Math.round((seconds * (bound === 'least' ? before : begun)) / all)
}

function perDay({ bound }: Target, leftSeconds: number, { left }: PaceDays): number | null {
  if (left === 0 || leftSeconds === 0) return null
  const seconds = leftSeconds / left
  return bound === 'least' ? Math.ceil(seconds) : Math.floor(seconds)
}
