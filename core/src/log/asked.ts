/** What the owner of a session is asked about (rules 5 to 7 in fold.ts). */
import { clipIntervals, totalMilliseconds } from '#time/instant.ts'
import type { Interval } from '#time/instant.ts'

import { eventsOf, isOf } from './event.ts'
import type { Log, LogEvent } from './event.ts'
import { foldState, mayAsk } from './fold.ts'
import type { SessionState } from './fold.ts'
import { countingEvents, hadHeardOf } from './order.ts'
import { countedIn, leftOutBy, partsOf } from './parts.ts'
import { runOf, withCounts } from './run.ts'
import { inBoth, union, without } from './spans.ts'

/** The shortest time that is worth a question after a press, in milliseconds. */
const MIN_ASKED_MILLISECONDS = 1000
/** The same for what a screen showed without a press until the news arrived. */
export const MIN_SHOWED_MILLISECONDS = 5000

/** The presses that claim what their screen showed, and counts, which claim the work that they add. */
const CLAIMS = ['pause', 'resume', 'stop', 'showed', 'fail', 'move', 'undo', 'count'] as const

export interface FoldedSession extends SessionState {
  /** Time that its owner is asked about, or nothing. */
  readonly asked: readonly Interval[]
}

/** Returns the state of a session with its questions, the costly part, or null if no event begins it. */
export function foldSession(log: Log): FoldedSession | null {
  const state = foldState(log)
  return state && { ...state, asked: mayAsk(log) ? askedOf(log, state) : [] }
}

/** Returns the time that was claimed, and that is neither counted nor decided by a device that had heard of the claim. */
function askedOf(log: Log, { timer, parts, startedAt }: SessionState): readonly Interval[] {
  const counting = countingEvents(log)
  const counted = timer ? timer.worked : countedIn(parts)
  const move = eventsOf(counting, 'move').at(-1)
  const counts = new Set(counting)
  const decisions = counting.flatMap((event) => {
    const spans = leftOutBy(event.action)
    return spans.length > 0 ? [{ event, spans }] : []
  })
  const seen = new Map<LogEvent, readonly Interval[]>()
  const shownTo = (event: LogEvent) => {
    const shown = seen.get(event) ?? shownAt(event, log, counts)
    seen.set(event, shown)
    return shown
  }
  const asked = eventsOf(log, ...CLAIMS).flatMap((event) => {
    // An undone press keeps its claim, as its screen was seen. An undone move, undo or count has none.
    if (isOf(event, 'move', 'undo', 'count') && !counts.has(event)) return []
    const { action } = event
    const claimed = action.kind !== 'count' ? shownTo(event) : action.isWork ? action.spans : []
    const isMoved = move !== undefined && hadHeardOf(move, event)
    const isPassedOver = isOf(event, 'count') || (isOf(event, 'stop') && event.at < startedAt)
    const from = isPassedOver && !isMoved ? -Infinity : startedAt
    const open = without(clipIntervals(claimed, from, Infinity), counted)
    if (open.length === 0) return []
    // A decision that had not heard of the claim decides only about what its own screen showed.
    const decided = decisions.flatMap(({ event: other, spans }) =>
      hadHeardOf(other, event) ? spans : inBoth(spans, shownTo(other)),
    )
    const least = isOf(event, 'showed') ? MIN_SHOWED_MILLISECONDS : MIN_ASKED_MILLISECONDS
    return without(open, decided).filter((span) => totalMilliseconds([span]) >= least)
  })
  return union(asked)
}

/**
 * Returns what the device's screen showed as worked at an event: the fold of what it had heard of. Added work that does
 * not count any more is left out.
 */
function shownAt(event: LogEvent, log: Log, counts: ReadonlySet<LogEvent>): readonly Interval[] {
  // The screen of an undo shows what the undo brings back.
  const known = log.filter((other) =>
    other === event ? isOf(event, 'undo') : hadHeardOf(event, other),
  )
  const counting = countingEvents(known)
  const run = runOf(counting)
  if (!run || eventsOf(counting, 'discard', 'fail').length > 0) return []
  const still = counting.filter(
    (each) => !isOf(each, 'count') || !each.action.isWork || counts.has(each),
  )
  const shown = run.stop ? countedIn(partsOf(run, run.stop, still)) : withCounts(run.worked, still)
  if (!isOf(event, 'move')) return clipIntervals(shown, run.startedAt, event.at)
  // A start that is moved to an earlier instant claims the time since then.
  const added = { start: event.action.to, end: run.startedAt }
  return clipIntervals(union(shown, [added]), event.action.to, event.at)
}
