/**
 * The state that a set of events means: timers, saved parts and questions. It is the same in whatever
 * order and however often the events arrive. All the rules are these eight:
 *
 * 1. Events count in the order of their stamps, but not what a counting event has undone, nor, over a
 *    document without a log, what had not heard of it.
 * 2. Pauses, resumes and stops count in order of time from the last moved start on, but not what an earlier one
 *    has passed over, and the earliest stop in time ends the session.
 * 3. The last writer of a field, of one side of a boundary, or of what a span counts, decides it.
 * 4. Start, cuts and stop are boundaries of parts: what was said of one that is gone is void, or holds for the
 *    first part if a moved start has passed it, and a deletion is void where presses count that it does not cover.
 * 5. A press claims what its device then showed as worked, and added work claims itself.
 * 6. A question is what was claimed, and is neither counted nor decided by somebody who had heard of the
 *    claim; a moved start decides about what is before it, but not about a stop or added work unheard.
 * 7. News that takes a running timer from a screen first appends what that screen showed, and a failed
 *    start claims its time and counts none, unless somebody has pressed on it and neither had heard of the other.
 * 8. Of several active timers the one that was begun last is shown, and the others are unfinished.
 */
import { clipIntervals } from '#time/instant.ts'

import { eventsOf, idOf } from './event.ts'
import type { Log, LogEvent } from './event.ts'
import { compareEvents, countingEvents, hadHeardOf, isLinear } from './order.ts'
import { partsOf } from './parts.ts'
import type { Part } from './parts.ts'
import { runOf, withCounts } from './run.ts'
import type { Run } from './run.ts'
import { inBoth } from './spans.ts'

/** An active timer, with what its owner has edited. */
export type FoldedTimer = Pick<Run, 'values' | 'startedAt' | 'pausedAt' | 'worked'>

/** What the presses say, and what is left of it after all edits. */
export interface SessionState extends Run {
  /** The active timer, or null when the session has ended. */
  readonly timer: FoldedTimer | null
  /** The parts of a session that has ended, deleted ones included. */
  readonly parts: readonly Part[]
  /** The start, or the last undo of an end: of two active timers the later one is shown. */
  readonly begun: LogEvent
}

/** A log never changes, and its state is asked for often. */
const states = new WeakMap<Log, SessionState | null>()

/** Returns the state of a session, or null when nothing says how it began. Its questions are in asked.ts. */
export function foldState(log: Log): SessionState | null {
  const known = states.get(log)
  if (known !== undefined) return known
  const counting = countingEvents(log)
  const run = runOf(counting)
  const state = run && stateOf(run, log, counting)
  states.set(log, state)
  return state
}

/**
 * Returns whether somebody may be asked. Where everybody had heard of everything before, each claim was decided,
 * unless something failed or was undone.
 */
export function mayAsk(log: Log): boolean {
  return !isLinear(log) || eventsOf(log, 'fail', 'undo').length > 0
}

function stateOf(run: Run, log: Log, counting: Log): SessionState {
  const given = eventsOf(counting, 'discard', 'fail').at(-1)
  const end = run.stop ?? (given ? { id: 'end', at: Math.max(run.startedAt, given.at) } : null)
  const ends = new Set(eventsOf(log, 'stop', 'discard', 'fail').map(idOf))
  const undos = eventsOf(counting, 'undo')
  return {
    ...run,
    timer: end ? null : timerOf(run, counting),
    parts: end ? partsOf(run, end, counting) : [],
    begun: undos.findLast(({ action }) => action.of.some((id) => ends.has(id))) ?? run.origin,
  }
}

/** Sorts active timers so that the one that the screen shows comes first. */
export function compareBegun(one: SessionState, other: SessionState): number {
  return compareEvents(other.begun, one.begun)
}

function timerOf(run: Run, counting: Log): FoldedTimer {
  const move = eventsOf(counting, 'move').at(-1)
  // An answer, or work that was counted since the start was moved, may lie before it, while it counts.
  const added = eventsOf(counting, 'count').flatMap((event) => {
    const { isWork, spans, boundary } = event.action
    const isKept = move ? hadHeardOf(event, move) : boundary === null
    return isWork && isKept ? spans : []
  })
  const counted = withCounts(run.worked, counting)
  const startedAt = Math.min(run.startedAt, ...inBoth(counted, added).map(({ start }) => start))
  const worked = clipIntervals(counted, startedAt, Infinity)
  const lastEnd = worked.at(-1)?.end ?? startedAt
  const set = eventsOf(counting, 'set').map(({ action }) => [action.field, action.value] as const)
  return {
    values: { ...run.values, ...Object.fromEntries(set) },
    startedAt,
    // Work that was added in the open pause ends it; the pause goes on after it.
    pausedAt: run.pausedAt === null ? null : Math.max(run.pausedAt, lastEnd),
    worked,
  }
}
