/**
 * Notes which presses were timed by a clock that the server had not confirmed. Until a request has had an
 * event, its instants are readings of that clock. correct-instants.ts places them anew as soon as the server has
 * answered.
 */
import type { Draft } from './draft.ts'
import type { Leap } from './stored.ts'

/** How far the device's clock is known. */
export interface ClockReading {
  /** Milliseconds by which the server has corrected the clock so far. */
  readonly offset: number
  /** Whether the server has confirmed the clock since it was last set. */
  readonly isSure: boolean
  /**
   * No time before this instant is of an unconfirmed clock, and none was shown before it in truth. Zero if
   * nothing is known.
   */
  readonly since: number
  /** The leaps ahead since then. Only the server can tell them from sleep. */
  readonly leaps: readonly Leap[]
  /** Milliseconds by which leaps of a lagging clock have raised the time so far, on all pages. */
  readonly raised?: number
}

/** The moment of a change, and how far the clock that gave it is known. */
export interface Moment extends ClockReading {
  /** Server time as far as it is known, in epoch milliseconds. */
  readonly now: number
}

/** Corrects the instants of an unconfirmed clock once the server has corrected that clock. */
export type CorrectInstants = (draft: Draft, moment: Moment) => void

/**
 * A smaller error of the clock, in milliseconds, does not justify a change on the screen. Instants
 * stay as they were written.
 */
export const MIN_CORRECTION_MILLISECONDS = 1000

/**
 * Returns the moment of a write. A small correction of the clock does not place it before an earlier
 * write, whose instants were not corrected.
 */
export function latest(now: number, writtenAt = -Infinity): number {
  return writtenAt - now < MIN_CORRECTION_MILLISECONDS ? Math.max(now, writtenAt) : now
}

/** Returns the moment of a press as it is known now: the server may have answered since. */
export function asKnown(pressed: Moment, known: ClockReading): Moment {
  if (pressed.isSure || !known.isSure) return pressed
  return { ...known, now: pressed.now + known.offset - pressed.offset }
}

/** Records the events of this change, if the clock that timed them is not confirmed. */
export function noteClock(draft: Draft, moment: Moment): void {
  if (moment.isSure || !draft.isChanged) return
  const first = { key: 'clock', from: moment.since, offset: moment.offset, events: {} } as const
  const noted = draft.value('clock') ?? first
  const leaps = leapsSince(draft, moment)
  const events: Record<string, readonly string[]> = { ...noted.events }
  for (const { sessionId, ids } of draft.appended)
    events[sessionId] = [...new Set([...(events[sessionId] ?? []), ...ids])]
  draft.putValue({ ...noted, leaps, events, raised: moment.raised })
}

/** Records that a request has the events of a session: they never change from now on. */
export function noteSent(draft: Draft, sessionId: string): void {
  const noted = draft.value('clock')
  if (!noted?.events[sessionId]) return
  const { [sessionId]: _, ...events } = noted.events
  draft.putValue({ ...noted, events })
}

/**
 * Returns the leaps since the first instant of an unconfirmed clock, in order. An earlier page may have ended
 * before it wrote that the clock was raised.
 */
export function leapsSince(draft: Draft, { leaps, raised, since }: Moment): readonly Leap[] {
  const noted = draft.value('clock')
  const known = noted?.leaps ?? []
  const last = known.at(-1)?.at ?? -Infinity
  const news = leaps.filter(({ at }) => at > last)
  const seen = news.reduce((sum, { by, isLag }) => (isLag ? sum + by : sum), noted?.raised ?? 0)
  const unseen = noted?.raised === undefined ? 0 : Number(raised) - seen
  const missed = unseen > 0 ? [{ at: since + unseen, by: unseen, isLag: true }] : []
  return [...known, ...missed, ...news]
}
