/**
 * What a device is asked and reminded of while Stint is closed. A server decides it, which sees of a person only what they
 * press. So nothing is concluded from a short time away, and open devices come first, because they may know better.
 */
import { dueReminders, nextReminder } from './reminders.ts'
import type { Reminder, ReminderInput } from './reminders.ts'
import {
  AFTER_USUAL_END,
  LONGEST_AWAY_MINUTES,
  openQuestion,
  stillWorking,
} from './still-working.ts'
import type { Asked, StillWorkingInput } from './still-working.ts'

/** What a device has said, by the name of its event, and when. */
export interface Said {
  readonly event: string
  /** Epoch milliseconds. */
  readonly at: number
}

export interface WhileClosedInput extends Omit<ReminderInput, 'settings'> {
  readonly settings: ReminderInput['settings'] & StillWorkingInput['settings']
  /** The last press on this timer, in epoch milliseconds. */
  readonly pressedAt: number
  /** The last question of the account. */
  readonly asked: Asked | null
  /** When a usual day has ended, oldest first; nothing if unknown. */
  readonly usualEnds: readonly number[]
  /** What the device has said within a day or more, the oldest first. */
  readonly said: readonly Said[]
}

export interface WhileClosed {
  /** The question that is to be asked on the account, or null. */
  readonly toAsk: Asked | null
  /** The open question that the device shows, or null. */
  readonly question: Asked | null
  /** The reminder that the device gives now, or null. */
  readonly reminder: Reminder | null
  /** What the device has said then. */
  readonly said: readonly Said[]
  /** When to look again if nothing changes, in epoch milliseconds, or null. */
  readonly next: number | null
}

const MINUTE = 60_000

/** How often a device is asked or reminded within 24 hours. */
export const MOST_A_DAY = 4
const DAY = 24 * 60 * MINUTE
/** A question is left to open devices for so long. */
const OPEN_DEVICES_FIRST = 10 * MINUTE
/** A reminder that was missed for so long is not given later. */
const FRESH = 30 * MINUTE

/** Returns what a device is asked and reminded of. */
export function whileClosed(input: WhileClosedInput): WhileClosed {
  const { timer, asked, now } = input
  const said = input.said.filter(({ at }) => at > now - DAY)
  const isSaid = (event: string) => said.some((each) => each.event === event)
  const isFull = said.length >= MOST_A_DAY
  const open = openQuestion(asked, timer)
  const isShown = open && now >= open.at + OPEN_DEVICES_FIRST && !(isFull && !isSaid(nameOf(open)))
  const question = isShown ? open : null
  const reminders = isFull || question ? [] : dueReminders(input).filter(isToSay)
  const events = [...(question ? [nameOf(question)] : []), ...reminders.map(({ event }) => event)]
  return {
    toAsk: stillWorking({
      ...input,
      silences: { unseen: [{ start: lastSign(input), end: now }], away: [] },
      usualEnds: () => input.usualEnds,
    }),
    question,
    reminder: reminders.at(-1) ?? null,
    said: [...said, ...events.filter((each) => !isSaid(each)).map((event) => ({ event, at: now }))],
    next: nextLook(input, open),
  }

  function isToSay({ kind, event, at }: Reminder): boolean {
    // The others ask what an open question asks.
    return at > now - FRESH && !isSaid(event) && (kind === 'goal' || !open)
  }
}

/** Returns when something may be due, which only a look then tells. */
function nextLook(input: WhileClosedInput, open: Asked | null): number | null {
  const { settings, usualEnds, now } = input
  const silent = lastSign(input) + LONGEST_AWAY_MINUTES * MINUTE
  const ends = settings.usualEnd ? usualEnds.map((at) => at + AFTER_USUAL_END) : []
  const looks = open ? [open.at + OPEN_DEVICES_FIRST] : [silent, ...ends]
  const next = Math.min(...[...looks, nextReminder(input) ?? Infinity].filter((at) => at > now))
  return next === Infinity ? null : next
}

/** Returns the last press, which an answer is as well. */
function lastSign({ timer, asked, pressedAt }: WhileClosedInput): number {
  const answered = asked?.sessionId === timer.sessionId ? asked.until : null
  return Math.max(pressedAt, answered ?? pressedAt)
}

function nameOf({ sessionId, from }: Asked): string {
  return `${sessionId} away ${from}`
}
