/**
 * Places the instants of a clock anew that the server had not confirmed, as soon as the server has answered
 * (unsure-clock.ts notes which ones these are). What was sent never changes (docs/log.md).
 */
import { idOf, isOf } from '#log/event.ts'
import type { Action, Base, LogEvent } from '#log/event.ts'
import { compareEvents, stampAfter } from '#log/order.ts'
import type { Interval } from '#time/instant.ts'

import type { Draft } from './draft.ts'
import { isGap } from './gaps.ts'
import { logOf, settle } from './session-log.ts'
import { showTimers } from './shown-timer.ts'
import type { Leap, UnsureEvents } from './stored.ts'
import { leapsSince, MIN_CORRECTION_MILLISECONDS } from './unsure-clock.ts'
import type { Moment } from './unsure-clock.ts'

/** Places the events of an unconfirmed clock anew, as soon as the clock is known. */
export function correctInstants(draft: Draft, moment: Moment): void {
  const { offset, isSure, now } = moment
  const noted = draft.value('clock')
  if (!noted || !isSure) return
  const leaps = leapsSince(draft, moment)
  draft.values.remove('clock')
  const { from } = noted
  const by = offset - noted.offset
  // News from the server may have raised the clock, and then what is left to correct is small.
  const wasRaised = leaps.some((leap) => leap.isLag && leap.by >= MIN_CORRECTION_MILLISECONDS)
  if (Math.abs(by) < MIN_CORRECTION_MILLISECONDS && !wasRaised) return
  const shift = (instant: number) => instant + correctionOf(instant, by, leaps)
  const moved = (instant: number) => (instant >= from ? shift(instant) : instant)
  const gaps = draft.value('gaps')
  // The clock was set ahead, and the device did not sleep.
  if (gaps)
    draft.putValue({
      ...gaps,
      gaps: gaps.gaps.map((gap) => ({ ...gap, ...spanOf(gap, moved) })).filter(isGap),
    })
  const seen = draft.value('seen')
  if (seen) draft.putValue({ ...seen, at: moved(seen.at) })
  for (const edit of draft.edits.all()) {
    const times = Object.entries(edit.changedAt).map(([part, at]) => [part, moved(at)] as const)
    // What was refused because of its time is tried again.
    draft.edits.put({ ...edit, changedAt: Object.fromEntries(times), refused: null })
  }
  for (const session of draft.sessions.all()) draft.sessions.put({ ...session, refused: null })
  for (const [sessionId, ids] of idsBySession(noted.events)) {
    const placed = logOf(draft, sessionId).map((event) =>
      ids.has(idOf(event)) ? placedAnew(event, shift, moved) : event,
    )
    settle(draft, sessionId, restamped(placed, ids), now)
  }
  showTimers(draft, now)
}

/**
 * Returns the correction of an instant, in milliseconds. A leap after it was no sleep if the clock
 * is known to have been behind, or if the instant is nearer to the truth without it.
 */
function correctionOf(instant: number, by: number, leaps: readonly Leap[]): number {
  let rest = by
  for (const leap of leaps.toReversed()) {
    if (instant >= leap.at) break
    // The clock never showed a time that a lagging clock left out. Such a time is the server's.
    if (leap.isLag && instant > leap.at - leap.by) return 0
    if (leap.by === 0) rest = Math.min(rest, 0)
    else if (leap.isLag || Math.abs(rest + leap.by) < Math.abs(rest)) rest += leap.by
  }
  return rest
}

function idsBySession(events: readonly UnsureEvents[]): ReadonlyMap<string, ReadonlySet<string>> {
  const bySession = new Map<string, Set<string>>()
  for (const { sessionId, ids } of events) {
    const known = bySession.get(sessionId) ?? new Set()
    for (const id of ids) known.add(id)
    bySession.set(sessionId, known)
  }
  return bySession
}

/** A start that lies before its press was meant so long before it, whatever the clock said. */
function placedAnew(
  event: LogEvent,
  shift: (instant: number) => number,
  moved: (instant: number) => number,
): LogEvent {
  const { stamp } = event
  const milliseconds = shift(stamp.milliseconds)
  const at = isOf(event, 'start') ? event.at + milliseconds - stamp.milliseconds : moved(event.at)
  return {
    ...event,
    at,
    stamp: { ...stamp, milliseconds },
    action: actionMoved(event.action, moved),
  }
}

function actionMoved(action: Action, moved: (instant: number) => number): Action {
  switch (action.kind) {
    case 'base':
      return { ...action, base: baseMoved(action.base, moved) }
    case 'move':
    case 'cut':
      return { ...action, to: moved(action.to) }
    case 'bound':
      return { ...action, to: moved(action.to), span: spanOf(action.span, moved) }
    case 'delete':
      return { ...action, span: spanOf(action.span, moved) }
    case 'count':
      return { ...action, spans: action.spans.map((span) => spanOf(span, moved)) }
    default:
      return action
  }
}

/** A session of the version before logs, of which no request was made. */
function baseMoved(base: Base, moved: (instant: number) => number): Base {
  const { startedAt, endedAt, pauses } = base
  return {
    ...base,
    startedAt: moved(startedAt),
    endedAt: endedAt === null ? null : moved(endedAt),
    pauses: pauses.map((span) => spanOf(span, moved)),
  }
}

function spanOf({ start, end }: Interval, moved: (instant: number) => number): Interval {
  return { start: moved(start), end: Math.max(moved(start), moved(end)) }
}

/** Returns the events with stamps in the order in which they were made. */
function restamped(events: readonly LogEvent[], ids: ReadonlySet<string>): readonly LogEvent[] {
  const sure = events.filter((event) => !ids.has(idOf(event)))
  const placed = [...sure]
  for (const event of events.filter((each) => ids.has(idOf(each)))) {
    const heard = placed.filter(
      ({ device, seq }) =>
        (event.seen[device] ?? 0) >= seq || event.also.includes(`${device}.${seq}`),
    )
    const stamp = stampAfter(
      heard.map((each) => each.stamp),
      event.stamp.milliseconds,
    )
    placed.push({ ...event, stamp })
  }
  return placed.sort(compareEvents)
}
