/**
 * What a running timer gives reason to say: it runs long, the evening has come, the day's goal is
 * reached. Pure; each thing has a name by which it is said once. Nothing here ever stops a timer.
 */
import { dayRuleOf } from '#time/day-rule.ts'
import type { DayRule } from '#time/day-rule.ts'
import { addDays, instantOfClock, localDate } from '#time/calendar.ts'
import { pausedMilliseconds } from './pauses.ts'
import { LONG_RUNNING_HOURS } from '#settings.ts'
import type { Settings } from '#settings.ts'
import type { RunningTimer } from './timer.ts'

export interface Reminder {
  /** 'long' and 'evening' ask whether it still goes on; 'goal' only tells. */
  readonly kind: 'long' | 'evening' | 'goal'
  /** The same for the same event, on every device and after every reload. */
  readonly event: string
  /** When it is to be said, epoch milliseconds. */
  readonly at: number
  /** Hours on the clock, the hour of the evening, or the hours of the goal. */
  readonly hours: number
}

export interface ReminderInput {
  readonly timer: RunningTimer
  readonly settings: Pick<Settings, 'longRunningHours' | 'eveningHour' | 'goalReached'>
  /** When days begin, and the zone of the clock. */
  readonly dayRule: DayRule
  /** Epoch milliseconds. */
  readonly now: number
  /** Seconds that the timed task has today, the running timer included. */
  readonly todaySeconds: number
  /** Hours a day; 0: no goal (docs/decisions/0063-goals-are-hours-a-day.md). */
  readonly goalHours: number
}

/**
 * What is to be said now, at most one of a kind: who opens Stint after five hours is asked about four
 * of them, not about two as well.
 */
export function dueReminders(input: ReminderInput): Reminder[] {
  const due = reminders(input).filter(({ at }) => at <= input.now)
  return due.filter((reminder) => reminder === due.findLast(({ kind }) => kind === reminder.kind))
}

/** When there will be something more to say if nothing changes, epoch milliseconds, or null. */
export function nextReminder(input: ReminderInput): number | null {
  const ahead = reminders(input).flatMap(({ at }) => (at > input.now ? [at] : []))
  return ahead.length === 0 ? null : Math.min(...ahead)
}

const HOUR = 3_600_000
/** A goal that was reached longer ago was reached on another device, or before the wish to know. */
const FRESH_MILLISECONDS = 10 * 60_000

/** All that this timer gives reason for, up to the next evening; within each kind by instant. */
function reminders(input: ReminderInput): Reminder[] {
  return [...longReminders(input), ...eveningReminders(input), ...goalReminders(input)]
}

/** From the hours that were chosen on, at each of 2, 4 and 8 on the clock. */
function longReminders({ timer, settings }: ReminderInput): Reminder[] {
  const { longRunningHours } = settings
  if (longRunningHours === 0) return []
  return LONG_RUNNING_HOURS.filter((hours) => hours >= longRunningHours).map((hours) => ({
    kind: 'long',
    event: `${timer.sessionId} long ${hours}`,
    at: timer.startedAt + pausedMilliseconds(timer.pauses) + hours * HOUR,
    hours,
  }))
}

/** The last time that hour came, and the next; only for a timer that ran before it. */
function eveningReminders({ timer, settings, dayRule, now }: ReminderInput): Reminder[] {
  const { eveningHour } = settings
  if (eveningHour === null) return []
  const today = localDate(now, dayRuleOf(dayRule.timeZone))
  return [-1, 0, 1]
    .map((days) => instantOfClock(addDays(today, days), eveningHour * 3600, dayRule.timeZone))
    .filter((at) => at > timer.startedAt)
    .map((at) => ({
      kind: 'evening',
      event: `${timer.sessionId} evening ${at}`,
      at,
      hours: eveningHour,
    }))
}

function goalReminders(input: ReminderInput): Reminder[] {
  const { timer, settings, dayRule, now, todaySeconds, goalHours } = input
  if (!settings.goalReached || goalHours <= 0) return []
  const at = now + (goalHours * 3600 - todaySeconds) * 1000
  if (at < now - FRESH_MILLISECONDS) return []
  const day = localDate(now, dayRule)
  // Tomorrow begins with nothing done.
  if (localDate(at, dayRule) !== day) return []
  return [{ kind: 'goal', event: `${timer.taskId} goal ${day}`, at, hours: goalHours }]
}
