/** Notes which presses an unconfirmed clock has timed, until correct-instants.ts places them anew. */
import { gapsOf } from './awake.ts'
import type { Draft } from './draft.ts'
import type { Gap, Leap } from './stored.ts'

/** How far the device's clock is known. */
export interface ClockReading {
  /** By how many milliseconds answers of the server have moved this device's time so far. */
  readonly offset: number
  /** Whether the server has confirmed the clock since it was last set. */
  readonly isSure: boolean
  /** Since when the clock is not confirmed: it has shown this instant first, and not too late. Zero if unknown. */
  readonly since: number
  /** The leaps since then, with the one that made the clock unsure. */
  readonly leaps: readonly Leap[]
}

/** The moment of a change, and how far the clock that gave it is known. */
export interface Moment extends ClockReading {
  /** Server time as far as it is known, in epoch milliseconds. */
  readonly now: number
}

export type CorrectInstants = (draft: Draft, moment: Moment) => void

/** A smaller error of the clock does not justify a change on the screen. */
export const MIN_CORRECTION_MILLISECONDS = 1000

/** Returns the moment of a write, which a small correction does not place before an earlier one. */
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

/** Returns the gaps since then, also decided ones: only the server can tell whether the device slept. */
export function gapsSince(draft: Draft): readonly Gap[] {
  const known = draft.value('clock')?.gaps ?? []
  const isNew = ({ sessionId, start }: Gap) =>
    !known.some((gap) => gap.sessionId === sessionId && gap.start === start)
  return [...known, ...gapsOf(draft).filter(isNew)]
}
