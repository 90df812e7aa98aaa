/**
 * Places the instants of a clock anew that the server had not confirmed, as soon as the server has answered
 * (unsure-clock.ts notes which ones these are). What was sent never changes (docs/log.md).
 */
import { idOf, isOf } from '#log/event.ts'
import type { Action, Base, Log, LogEvent, Stamp } from '#log/event.ts'
import { compareEvents, hadHeardOf, nextEvent, stampAfter } from '#log/order.ts'
import type { Interval } from '#time/instant.ts'

import { gapsOf, isGap } from './awake.ts'
import { editKey } from './draft.ts'
import type { Draft } from './draft.ts'
import { logOf, settle } from './session-log.ts'
import { showTimers } from './shown-timer.ts'
import type { Gap, Leap, ValueOf } from './stored.ts'
import { leapsSince, MIN_CORRECTION_MILLISECONDS } from './unsure-clock.ts'
import type { Moment } from './unsure-clock.ts'

/** Corrects what an unconfirmed clock has timed, as soon as the clock is known. */
export function correctInstants(draft: Draft, moment: Moment): void {
  const { offset, isSure, now } = moment
  const noted = draft.value('clock')
  if (!noted || !isSure) return
  const leaps = leapsSince(draft, moment)
  draft.values.remove('clock')
  const { from, events } = noted
  const by = offset - noted.offset
  // News from the server may have raised the clock, and then what is left to correct is small.
  const wasRaised = leaps.some((leap) => leap.isLag && leap.by >= MIN_CORRECTION_MILLISECONDS)
  if (Math.abs(by) < MIN_CORRECTION_MILLISECONDS && !wasRaised) return
  const corrected = (instant: number) => instant + correctionOf(instant, by, leaps)
  // A bound in the future is an instant of that clock itself.
  const floor = from <= now ? from : -Infinity
  const awake = correctValues(draft, (at) => (at < from ? at : Math.max(floor, corrected(at))))
  placeAnew(draft, { from, floor, events, awake, corrected, now })
  showTimers(draft, now)
}

/** Returns the gaps that were none: the clock was set ahead, and the device did not sleep. */
function correctValues(draft: Draft, moved: (instant: number) => number): readonly Gap[] {
  const seen = draft.value('seen')
  if (seen) draft.putValue({ ...seen, at: moved(seen.at) })
  const known = gapsOf(draft)
  const measured = (gap: Gap) => ({ ...gap, ...spanOf(gap, moved) })
  if (known.length > 0) draft.putValue({ key: 'gaps', gaps: known.map(measured).filter(isGap) })
  // What was refused because of its time is tried again.
  for (const edit of draft.edits.all()) {
    const times = Object.entries(edit.changedAt).map(([part, at]) => [part, moved(at)] as const)
    draft.edits.put({ ...edit, changedAt: Object.fromEntries(times), refused: null })
  }
  for (const session of draft.sessions.all()) draft.sessions.put({ ...session, refused: null })
  return known.filter((gap) => !isGap(measured(gap)))
}

interface Unsure extends Pick<ValueOf<'clock'>, 'from' | 'events'> {
  readonly floor: number
  readonly awake: readonly Gap[]
  /** Returns the instant at which the clock showed an instant, as far as the server's answer tells. */
  readonly corrected: (instant: number) => number
  readonly now: number
}

/**
 * Places events in the order in which they were made, and never before what their device had heard of. Where
 * the answer would place them before that, the clock was set once more since. The presses of that page stay
 * apart as they were, but nobody can know how long it was since the press before them, and what the screen
 * then showed as worked is asked about up to now.
 */
function placeAnew(draft: Draft, { from, floor, events, awake, corrected, now }: Unsure): void {
  const placed = new Map<string, LogEvent[]>()
  const unsure: (readonly [log: LogEvent[], event: LogEvent])[] = []
  for (const [sessionId, ids] of Object.entries(events)) {
    const known = logOf(draft, sessionId)
    const log = known.filter((event) => !ids.includes(idOf(event)))
    placed.set(sessionId, log)
    for (const event of known) {
      if (!ids.includes(idOf(event))) continue
      // The timer did not end where a sleep seemed to begin.
      const ranOn = awake.some((gap) => gap.sessionId === sessionId && gap.start === event.at)
      unsure.push([log, ranOn ? { ...event, at: event.stamp.milliseconds } : event])
    }
  }
  /** By how much the answer would place the presses of a page too early. */
  const lateBy = new Map<string, number>()
  const doubtful = new Map<LogEvent[], LogEvent>()
  for (const [log, event] of unsure.sort(([, one], [, other]) => compareEvents(one, other))) {
    const { device } = event
    const heard = log.filter((other) => hadHeardOf(event, other))
    const pressedAt = corrected(event.stamp.milliseconds)
    const known = lateBy.get(device) ?? 0
    const stamps = heard.map((other) => other.stamp)
    const stamp = stampAfter(stamps, Math.max(floor, pressedAt + known))
    const late = Math.min(stamp.milliseconds, now) - pressedAt
    const by = late < MIN_CORRECTION_MILLISECONDS ? known : Math.max(known, late)
    lateBy.set(device, by)
    const moved = movedTo(stamp, event, (at) => (at < from ? at : corrected(at) + by))
    // A press that counts at once comes after the presses on the timer that its screen showed.
    const turns = heard.filter((other) => isOf(other, 'start', 'pause', 'resume'))
    const isNow = event.at === event.stamp.milliseconds
    log.push(isNow ? { ...moved, at: Math.max(moved.at, ...turns.map(({ at }) => at)) } : moved)
    const isDoubtful = by > 0 && heard.some((other) => other.device !== device)
    if (isDoubtful && isOf(event, 'pause', 'stop', 'fail', 'showed') && !doubtful.has(log))
      doubtful.set(log, event)
  }
  for (const [sessionId, log] of placed) {
    const press = doubtful.get(log)
    if (press) log.push(showedTo(now, log, draft.writer, press))
    forgetEdit(draft, sessionId)
    settle(draft, sessionId, log.sort(compareEvents), now)
  }
}

/** Forgets what an entry says of events that are placed anew. Its log is known, and says it again. */
function forgetEdit(draft: Draft, id: string): void {
  const edit = draft.edit('entry', id)
  if (!edit || edit.sent.length > 0) return
  draft.edits.remove(editKey(edit))
  if (edit.base) draft.entries.put(edit.base)
  else draft.entries.remove(id)
}

/** Returns that a screen may have shown until now what it showed just before a press. */
function showedTo(now: number, log: Log, writer: string, { seen, also }: LogEvent): LogEvent {
  return { ...nextEvent(log, writer, { action: { kind: 'showed' }, at: now, now }), seen, also }
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

/** A start that lies before its press was meant so long before it, whatever the clock said. */
function movedTo(stamp: Stamp, event: LogEvent, moved: (instant: number) => number): LogEvent {
  const { at, action } = event
  const pressedAt = event.stamp.milliseconds
  const placedAt = isOf(event, 'start') ? moved(pressedAt) - (pressedAt - at) : moved(at)
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
