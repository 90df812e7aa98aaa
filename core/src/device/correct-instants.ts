/**
 * Places the instants of a clock anew that the server had not confirmed, as soon as the server has answered
 * (unsure-clock.ts notes which ones these are). What was sent never changes (docs/log.md).
 */
import { idOf, isOf } from '#log/event.ts'
import type { Action, Base, LogEvent, Stamp } from '#log/event.ts'
import { compareEvents, hadHeardOf, nextEvent, stampAfter } from '#log/order.ts'
import type { Interval } from '#time/instant.ts'

import type { Draft } from './draft.ts'
import { isGap } from './gaps.ts'
import { logOf, settle } from './session-log.ts'
import { showTimers } from './shown-timer.ts'
import type { Leap, UnsureEvents, ValueOf } from './stored.ts'
import { leapsSince, MIN_CORRECTION_MILLISECONDS } from './unsure-clock.ts'
import type { Moment } from './unsure-clock.ts'

/**
 * Places the events of an unconfirmed clock anew, as soon as the clock is known: never before what their
 * device had heard of.
 */
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
  const moved = (instant: number) =>
    instant < from ? instant : Math.max(from, instant + correctionOf(instant, by, leaps))
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
  const corrected = (instant: number) => instant + correctionOf(instant, by, leaps)
  placeAnew(draft, noted, { corrected, now })
  showTimers(draft, now)
}

/**
 * Places the events of an unconfirmed clock where the server's answer says, in the order in which they were
 * made, and never before what their device had heard of. What would lie before that was pressed in a page
 * after which the clock was set once more: nobody can know when, and what its screen then showed as worked is
 * asked about up to now.
 */
function placeAnew(
  draft: Draft,
  { from, events }: Pick<ValueOf<'clock'>, 'from' | 'events'>,
  { corrected, now }: { corrected: (instant: number) => number; now: number },
): void {
  const placed = new Map<string, LogEvent[]>()
  const unsure: { readonly sessionId: string; readonly event: LogEvent }[] = []
  for (const [sessionId, ids] of idsBySession(events)) {
    const log = logOf(draft, sessionId)
    placed.set(
      sessionId,
      log.filter((event) => !ids.has(idOf(event))),
    )
    for (const event of log) if (ids.has(idOf(event))) unsure.push({ sessionId, event })
  }
  /** By how much the correction places the presses of a page too early. */
  const lateBy = new Map<string, number>()
  const doubtful = new Map<string, LogEvent>()
  for (const { sessionId, event } of unsure.sort((a, b) => compareEvents(a.event, b.event))) {
    const log = placed.get(sessionId) ?? []
    const pressedAt = corrected(event.stamp.milliseconds)
    const heard = log.filter((other) => hadHeardOf(event, other))
    const known = lateBy.get(event.device) ?? 0
    const stamp = stampAfter(
      heard.map((other) => other.stamp),
      Math.max(from, pressedAt + known),
    )
    const late = Math.min(stamp.milliseconds, now) - pressedAt
    const by = late < MIN_CORRECTION_MILLISECONDS ? known : Math.max(known, late)
    lateBy.set(event.device, by)
    log.push(movedBy(event, stamp, (at) => (at < from ? at : corrected(at) + by)))
    // How long it was since the last press on another page.
    const isKnown = by === 0 || heard.every(({ device }) => device === event.device)
    if (!isKnown && isOf(event, 'pause', 'stop', 'fail', 'showed') && !doubtful.has(sessionId))
      doubtful.set(sessionId, event)
  }
  for (const [sessionId, log] of placed) {
    const press = doubtful.get(sessionId)
    if (press) {
      const { seen, also } = press
      const showed = nextEvent(log, draft.writer, { action: { kind: 'showed' }, at: now, now })
      log.push({ ...showed, seen, also })
    }
    settle(draft, sessionId, log.sort(compareEvents), now)
  }
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
function movedBy(event: LogEvent, stamp: Stamp, moved: (instant: number) => number): LogEvent {
  const { at, action } = event
  const ago = event.stamp.milliseconds - at
  const placedAt = isOf(event, 'start') ? moved(event.stamp.milliseconds) - ago : moved(at)
  return { ...event, stamp, at: placedAt, action: actionMoved(action, moved) }
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
