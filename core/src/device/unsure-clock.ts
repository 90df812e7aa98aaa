/**
 * Notes which presses were timed by a clock that the server had not confirmed. Until a request has had an
 * event, its instants are readings of that clock. correct-instants.ts places them anew as soon as the server has
 * answered.
 */
import { gapsOf } from './awake.ts'
import type { Draft } from './draft.ts'
import type { Gap, Leap } from './stored.ts'

/** How far the device's clock is known. */
export interface ClockReading {
  /**
   * Milliseconds by which answers of the server have moved this device's time so far. What the time
   * regains after the clock was set back is no part of it.
   */
  readonly offset: number
  /** Whether the server has confirmed the clock since it was last set. */
  readonly isSure: boolean
  /**
   * No time before this instant is of an unconfirmed clock, and none was shown before it in truth. Zero if
   * nothing is known.
   */
  readonly since: number
  /** The leaps since then, with the one that made the clock unsure. */
  readonly leaps: readonly Leap[]
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
  const events: Record<string, readonly string[]> = { ...noted.events }
  for (const { sessionId, ids } of draft.appended)
    events[sessionId] = [...new Set([...(events[sessionId] ?? []), ...ids])]
  draft.putValue({ ...noted, leaps: leapsSince(draft, moment), events, gaps: gapsSince(draft) })
}

/** Returns the leaps since the first instant of an unconfirmed clock, in order. */
export function leapsSince(draft: Draft, { leaps }: Moment): readonly Leap[] {
  const known = draft.value('clock')?.leaps ?? []
  const last = known.at(-1)?.at ?? -Infinity
  return [...known, ...leaps.filter(({ at }) => at > last)]
}

/**
 * Returns the gaps as they were noted since then, also those that nobody is asked about any more: only the
 * server can tell whether the device slept.
 */
export function gapsSince(draft: Draft): readonly Gap[] {
  const known = draft.value('clock')?.gaps ?? []
  const isNew = ({ sessionId, start }: Gap) =>
    !known.some((gap) => gap.sessionId === sessionId && gap.start === start)
  return [...known, ...gapsOf(draft).filter(isNew)]
}
