/**
 * The reminders of a running timer: it runs long, the evening has come, the day's goal is reached. Each event
 * has a name, by which its reminder is shown only once. A reminder never stops a timer.
 */
import { dayRuleOf } from '#time/day-rule.ts'
import type { DayRule } from '#time/day-rule.ts'
import { addDays, instantOfClock, localDate } from '#time/calendar.ts'
import { pausedMilliseconds } from '#timer/pauses.ts'
import { LONG_RUNNING_HOURS } from '#settings.ts'
import type { Settings } from '#settings.ts'
import type { RunningTimer } from '#timer/timer.ts'

export interface Reminder {
  /** 'long' and 'evening' ask whether the timer should continue. 'goal' only informs. */
  readonly kind: 'long' | 'evening' | 'goal'
  /** The same text for the same event, on every device and after every reload. */
  readonly event: string
  /** When the reminder is due, in epoch milliseconds. */
  readonly at: number
  /** Hours on the timer, the hour of the evening, or the hours of the goal. */
  readonly hours: number
}

export interface ReminderInput {
  readonly timer: RunningTimer
  readonly settings: Pick<Settings, 'longRunningHours' | 'eveningHour' | 'goalReached'>
  readonly dayRule: DayRule
  readonly now: number
  /** Seconds of the timed task today, the running timer included. */
  readonly todaySeconds: number
  /** Hours a day. 0 means no goal (docs/decisions/0004-breaks-goals-reminders.md). */
  readonly goalHours: number
}

/** Returns the reminders that are due now: the last one of each kind. */
export function dueReminders(input: ReminderInput): Reminder[] {
  const due = reminders(input).filter(({ at }) => at <= input.now)
  return due.filter((reminder) => reminder === due.findLast(({ kind }) => kind === reminder.kind))
}

/** Returns when the next reminder is due if nothing changes, in epoch milliseconds, or null. */
export function nextReminder(input: ReminderInput): number | null {
  const ahead = reminders(input).flatMap(({ at }) => (at > input.now ? [at] : []))
  return ahead.length === 0 ? null : Math.min(...ahead)
}

const HOUR = 3_600_000
/** Later a goal was reached on another device, or before the user switched the reminder on. */
const FRESH_MILLISECONDS = 10 * 60_000

/** Returns all reminders up to the next evening, each kind in order of time. */
function reminders(input: ReminderInput): Reminder[] {
  return [...longReminders(input), ...eveningReminders(input), ...goalReminders(input)]
}

/** Returns a reminder at each of 2, 4 and 8 hours on the timer, from the chosen hours on. */
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

/** Returns the last and the next evening hour, but only for a timer that started before it. */
function eveningReminders({ timer, settings, dayRule, now }: ReminderInput): Reminder[] {
  const { eveningHour } = settings
  if (eveningHour === null) return []
  const today = localDate(now, dayRuleOf(dayRule.timeZone))
  return [-1, 0, 1].flatMap((days) => {
    const at = instantOfClock(addDays(today, days), eveningHour * 3600, dayRule.timeZone)
    const event = `${timer.sessionId} evening ${at}`
    return at > timer.startedAt ? { kind: 'evening', event, at, hours: eveningHour } : []
  })
}

function goalReminders(input: ReminderInput): Reminder[] {
  const { timer, settings, dayRule, now, todaySeconds, goalHours } = input
  if (!settings.goalReached || goalHours <= 0) return []
  const at = now + (goalHours * 3600 - todaySeconds) * 1000
  if (at < now - FRESH_MILLISECONDS) return []
  const day = localDate(now, dayRule)
  // Tomorrow starts at zero seconds, so the goal is not reached this way.
  if (localDate(at, dayRule) !== day) return []
  return [{ kind: 'goal', event: `${timer.taskId} goal ${day}`, at, hours: goalHours }]
}
