/**
 * The question whether somebody still works on the running timer, after nothing was seen of them for a while. It is
 * about the instant from which nothing was seen. A device asks only if it has seen its person since the timer began.
 * Nothing here stops a timer.
 */
import {
  addDays,
  clockSeconds,
  daysBetween,
  instantOfClock,
  localDate,
  startOfDay,
} from '#time/calendar.ts'
import type { CalendarDate } from '#time/calendar.ts'
import { dayRuleOf } from '#time/day-rule.ts'
import type { DayRule } from '#time/day-rule.ts'
import type { Interval } from '#time/instant.ts'
import type { Prefs, Settings } from '#settings.ts'
import type { RunningTimer } from '#timer/timer.ts'

/** What a device knows: from oldest to newest, the last one up to now. */
export interface Silences {
  /** Nothing was seen of the person on this device. They may have worked in another program. */
  readonly unseen: readonly Interval[]
  /** Nor have they worked in another program of it: they were away, or the device was off or asleep. */
  readonly away: readonly Interval[]
}

/** A question, on every device of the account. Instants are epoch milliseconds. */
export interface Asked {
  readonly sessionId: string
  /** From when on nothing was seen. */
  readonly from: number
  /** When it was asked. */
  readonly at: number
  /** Until when the answer counts; null: there is none yet. */
  readonly until: number | null
}

export interface StillWorkingInput {
  readonly timer: RunningTimer
  readonly settings: Pick<Settings, 'awayMinutes' | 'usualEnd'>
  readonly silences: Silences
  /** Returns when a usual day has ended, oldest first; nothing if unknown. Called only if it matters. */
  readonly usualEnds: () => readonly number[]
  /** The last question of the account. */
  readonly asked: Asked | null
  readonly now: number
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** Without a setting, it is asked after so many minutes. */
export const LONGEST_AWAY_MINUTES = 8 * 60
/** It is asked so long after the usual end of the day. */
export const AFTER_USUAL_END = HOUR
/** Input is noted every ten seconds, and a press of Start is the last one before a timer. */
const START_SLACK = MINUTE
/** A person who was active until so long before is active. */
const ACTIVE = 5 * MINUTE

/** Returns the question that this device asks now, or null. An open question is not asked again. */
export function stillWorking(input: StillWorkingInput): Asked | null {
  const { timer, settings, silences, asked, now } = input
  if (openQuestion(asked, timer)) return null
  const pressedAt = lastPress(timer)
  // A device that has not seen its person since the start knows nothing of them.
  const known = (silence: readonly Interval[]) =>
    silence
      .filter(({ start }) => start >= timer.startedAt - START_SLACK)
      .map(({ start, end }) => ({ start: Math.max(start, pressedAt), end }))
  const away = known(silences.away)
  const shortest = (settings.awayMinutes || LONGEST_AWAY_MINUTES) * MINUTE
  const gone = away.findLast((each) => length(each) >= shortest)
  const unseen = known(silences.unseen).findLast((each) => isAskedOfUnseen(each, input))
  const from = gone?.start ?? (unseen && startOf(unseen, away, input)) ?? null
  const end = (gone ?? unseen)?.end ?? now
  const answeredUntil =
    asked?.sessionId === timer.sessionId ? (asked.until ?? -Infinity) : -Infinity
  if (from === null) return null
  const question = { sessionId: timer.sessionId, from, at: now, until: null }
  if (from > answeredUntil) return question
  // One silence is asked about once, and again only if it lasts.
  const isLong = end - answeredUntil >= LONGEST_AWAY_MINUTES * MINUTE
  return isLong ? { ...question, from: answeredUntil } : null
}

function isAskedOfUnseen(
  silence: Interval,
  { settings, usualEnds: endsOf }: StillWorkingInput,
): boolean {
  if (length(silence) >= LONGEST_AWAY_MINUTES * MINUTE) return true
  if (!settings.usualEnd || length(silence) < AFTER_USUAL_END) return false
  return endsOf().some((at) => at >= silence.start && at + AFTER_USUAL_END <= silence.end)
}

/**
 * Returns from when on nothing was seen, in a silence in which the person may have worked in another program: since
 * they are away, else since the usual end of a day, else since its start. Where that is the start of the timer, there is
 * nothing to stop at before a long day is over; null until then.
 */
function startOf(
  silence: Interval,
  away: readonly Interval[],
  { timer, usualEnds: endsOf }: StillWorkingInput,
): number | null {
  const gone = away.find(({ start, end }) => end - start >= ACTIVE && end > silence.end - ACTIVE)
  const ended = endsOf().find((at) => at >= silence.start && at <= silence.end)
  const from = gone?.start ?? ended ?? silence.start
  if (from - timer.startedAt >= MINUTE) return from
  const endOfLongDay = silence.start + LONGEST_AWAY_MINUTES * MINUTE
  return endOfLongDay <= silence.end ? endOfLongDay : null
}

/**
 * Returns the open question about this timer, or null. It ends with an answer, with the timer, and when the timer was
 * paused and resumed since.
 */
export function openQuestion(asked: Asked | null, timer: RunningTimer): Asked | null {
  const isOpen = asked?.sessionId === timer.sessionId && asked.until === null
  return isOpen && lastPress(timer) <= asked.at ? asked : null
}

/**
 * Returns whether a device with this activity knows better than a question: its person was active all along.
 *
 * @param activity when the last period of activity began and when its last sign was, in epoch milliseconds
 */
export function isRefuted(
  { from, at }: Asked,
  { since, last }: { readonly since: number; readonly last: number },
): boolean {
  return since <= from + ACTIVE && last >= at - ACTIVE && last > from + ACTIVE
}

/** Returns whether a question, open or answered, is about this time, so that it is not asked about otherwise. */
export function isAskedAbout(asked: Asked | null, sessionId: string, time: Interval): boolean {
  if (asked?.sessionId !== sessionId) return false
  // A device notes every minute that it is awake.
  const end = asked.until ?? Infinity
  return time.start >= asked.from - 2 * MINUTE && time.start <= end
}

function lastPress({ startedAt, pauses }: RunningTimer): number {
  return Math.max(startedAt, ...pauses.intervals.slice(-1).map(({ end }) => end))
}

function length({ start, end }: Interval): number {
  return end - start
}

const PREFERENCE = 'stillWorking'

/** Reads the last question from the preferences of the account. Never throws: an unreadable one is none. */
export function askedFromPrefs(prefs: Prefs): Asked | null {
  const text = prefs[PREFERENCE]
  if (typeof text !== 'string') return null
  const [, sessionId, from, at, until] =
    /^(\S{1,64}) (\d{1,15}) (\d{1,15})(?: (\d{1,15}))?$/.exec(text) ?? []
  if (sessionId === undefined) return null
  return {
    sessionId,
    from: Number(from),
    at: Number(at),
    until: until === undefined ? null : Number(until),
  }
}

/** Returns the question as a preference: the id of the session, and from, at and until in milliseconds. */
export function prefsFromAsked({ sessionId, from, at, until }: Asked): Prefs {
  const numbers = [from, at, ...(until === null ? [] : [until])].map(Math.round)
  return { [PREFERENCE]: [sessionId, ...numbers].join(' ') }
}

/** The usual end is that of so many days, and at least of so many with work. */
export const USUAL_DAYS = 28
const MIN_USUAL_DAYS = 5

/**
 * Returns when a usual day has ended, yesterday and today: the median of the last ends of the days with work within
 * four weeks. Empty with fewer than five such days.
 *
 * @param sessions ordered by start
 */
export function usualEnds(
  sessions: readonly { readonly startedAt: number; readonly endedAt: number }[],
  dayRule: DayRule,
  now: number,
): readonly number[] {
  const today = localDate(now, dayRule)
  const earliest = startOfDay(now, dayRule) - USUAL_DAYS * 24 * HOUR
  const ends = new Map<CalendarDate, number>()
  for (let index = sessions.length - 1; index >= 0; index--) {
    const session = sessions[index]
    if (!session || session.startedAt < earliest) break
    const date = localDate(session.startedAt, dayRule)
    if (date < today) ends.set(date, Math.max(ends.get(date) ?? 0, session.endedAt))
  }
  if (ends.size < MIN_USUAL_DAYS) return []
  const seconds = [...ends]
    .map(([date, at]) => clockSecondsSince(date, at, dayRule))
    .toSorted((a, b) => a - b)
  const usual = seconds[Math.floor((seconds.length - 1) / 2)] ?? 0
  return [addDays(today, -1), today].map((date) => instantOfClock(date, usual, dayRule.timeZone))
}

/** Returns what the clock shows at `at`, in seconds past 00:00 of the date. */
function clockSecondsSince(date: CalendarDate, at: number, { timeZone }: DayRule): number {
  const days = daysBetween(date, localDate(at, dayRuleOf(timeZone)))
  return days * 86_400 + clockSeconds(at, timeZone)
}
