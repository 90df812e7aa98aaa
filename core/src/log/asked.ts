/** What the owner of a session is asked about (rules 5 to 7 in fold.ts). */
import { clipIntervals, totalMilliseconds } from '#time/instant.ts'
import type { Interval } from '#time/instant.ts'

import { eventsOf, isOf } from './event.ts'
import type { Log, LogEvent } from './event.ts'
import { countingEvents, hadHeardOf, isLinear } from './order.ts'
import { countedIn, leftOutBy, partsOf } from './parts.ts'
import { hasFailed, runOf, withCounts } from './run.ts'
import { inBoth, union, without } from './spans.ts'

/** The shortest time that is worth a question after a press, in milliseconds. */
const MIN_ASKED_MILLISECONDS = 1000
/** The same for what a screen showed without a press until the news arrived. */
const MIN_SHOWED_MILLISECONDS = 5000

/** The presses that claim what their screen showed. */
const CLAIMS = ['pause', 'resume', 'stop', 'showed', 'fail', 'move', 'undo'] as const

/**
 * Returns what was claimed, and is neither counted nor decided by somebody who had heard of it.
 *
 * @param log all events, sorted by stamp
 * @param counting those of them that count
 */
export function askedOf(
  log: Log,
  counting: Log,
  { counted, startedAt }: { counted: readonly Interval[]; startedAt: number },
): readonly Interval[] {
  // Where everybody had heard of everything before, each claim was decided, unless that was undone.
  if (isLinear(log) && !counting.some((event) => isOf(event, 'fail', 'undo'))) return []
  const move = eventsOf(counting, 'move').at(-1)
  const counts = new Set(counting)
  const takenBack = new Set(log.filter((event) => !counts.has(event)))
  const seen = new Map<LogEvent, readonly Interval[]>()
  const shownTo = (event: LogEvent) => {
    const shown = seen.get(event) ?? shownAt(event, log, takenBack)
    seen.set(event, shown)
    return shown
  }
  // A press that was undone was seen all the same. A moved start or an undo that was undone was taken back.
  const claims = eventsOf(log, ...CLAIMS).filter(
    (event) => !isOf(event, 'move', 'undo') || counts.has(event),
  )
  const asked = [...claims, ...eventsOf(counting, 'count')].flatMap((event) => {
    const added = isOf(event, 'count') ? event.action : null
    const claimed = added === null ? shownTo(event) : added.isWork ? added.spans : []
    const isPassedOver = isOf(event, 'stop') && move !== undefined && !hadHeardOf(move, event)
    const from = isPassedOver && event.at < startedAt ? -Infinity : startedAt
    const open = without(clipIntervals(claimed, from, Infinity), counted)
    if (open.length === 0) return []
    // Who had not heard of a claim has decided about what his own screen showed of it.
    const decided = counting.flatMap((other) => {
      const spans = other === event ? [] : leftOutBy(other.action)
      if (spans.length === 0 || hadHeardOf(other, event)) return spans
      return inBoth(spans, shownTo(other))
    })
    const least = isOf(event, 'showed') ? MIN_SHOWED_MILLISECONDS : MIN_ASKED_MILLISECONDS
    return without(open, decided).filter((span) => totalMilliseconds([span]) >= least)
  })
  return union(asked)
}

/**
 * Returns what the screen of an event's device then showed as worked: the timer, or the saved parts, of
 * what it had heard of, up to that instant, without added work that is taken back (does not count).
 */
function shownAt(event: LogEvent, log: Log, takenBack: ReadonlySet<LogEvent>): readonly Interval[] {
  // Who undoes something sees what that brings back.
  const known = log.filter((other) =>
    other === event ? isOf(event, 'undo') : hadHeardOf(event, other),
  )
  const counting = countingEvents(known)
  const run = runOf(counting)
  if (!run || eventsOf(counting, 'discard').length > 0 || hasFailed(counting)) return []
  const isAddedStill = (each: LogEvent) =>
    !(isOf(each, 'count') && each.action.isWork && takenBack.has(each))
  const still = counting.filter(isAddedStill)
  const shown = run.stop ? countedIn(partsOf(run, run.stop, still)) : withCounts(run.worked, still)
  if (!isOf(event, 'move')) return clipIntervals(shown, run.startedAt, event.at)
  // Who moves the start to an earlier instant says that he has worked since then.
  const added = { start: event.action.to, end: run.startedAt }
  return clipIntervals(union(shown, [added]), event.action.to, event.at)
}
