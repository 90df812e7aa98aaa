/** The timer of a session: its starts, pauses, resumes and stops in order of time. */
import type { Interval } from '#time/instant.ts'

import { eventsOf, idOf } from './event.ts'
import type { Base, BoundaryId, EventOf, Log } from './event.ts'
import { hadHeardOf } from './order.ts'
import { NO_VALUES } from './set-values.ts'
import type { SetValues } from './set-values.ts'
import { union, without } from './spans.ts'

/** Instants are epoch milliseconds of server time. */
export interface Run {
  /** The start or the base with which the session begins. */
  readonly origin: EventOf<'base' | 'start'>
  /** What its document said before it had a log. */
  readonly base: Base | null
  /** The task and the note with which it begins. */
  readonly values: SetValues
  readonly startedAt: number
  /** When it was worked, as the presses say. The last span ends at `Infinity` while it runs. */
  readonly worked: readonly Interval[]
  /** The begin of the open pause, or null while it runs. */
  readonly pausedAt: number | null
  /** What ended the session first in time, or null while it is active. */
  readonly stop: { readonly id: BoundaryId; readonly at: number } | null
}

/** A press, or what a base says of one. */
type Turn = Press | Pick<Press, 'at' | 'action'>
type Press = EventOf<'pause' | 'resume' | 'stop'>

/** Returns the timer that these events make, or null without a start. They count and are sorted. */
export function runOf(counting: Log): Run | null {
  const origin = eventsOf(counting, 'base', 'start').at(-1)
  if (!origin) return null
  const { action } = origin
  const base = action.kind === 'base' ? action.base : null
  const moves = eventsOf(counting, 'move')
  const move = moves.at(-1)
  const startedAt = move ? move.action.to : (base?.startedAt ?? origin.at)
  // A moved start passes over earlier turns that it had not heard of, also when it is moved again.
  const known = moves.filter((each) => each === move || (move && hadHeardOf(move, each)))
  const pressed = eventsOf(counting, 'pause', 'resume', 'stop').filter(
    (event) =>
      (move !== undefined || event.at >= startedAt) &&
      known.every((each) => event.at >= each.action.to || hadHeardOf(each, event)),
  )
  const turns = [...baseTurns(base), ...pressed].sort((a, b) => a.at - b.at)
  const worked: Interval[] = []
  let since: number | null = startedAt
  let stop: Run['stop'] = null
  for (const turn of turns) {
    const at = Math.max(turn.at, startedAt)
    const { kind } = turn.action
    if (kind === 'resume') since ??= at
    else if (since !== null) {
      worked.push({ start: since, end: at })
      since = null
    }
    if (kind !== 'stop') continue
    stop = { id: 'seq' in turn ? idOf(turn) : 'end', at }
    break
  }
  const pausedAt = since === null ? (worked.at(-1)?.end ?? null) : null
  if (since !== null) worked.push({ start: since, end: Infinity })
  const { task, note } = action.kind === 'base' ? action.base : action
  const values = { ...NO_VALUES, ...base?.set, task, note: note ?? '' }
  return { origin, base, values, startedAt, worked: union(worked), pausedAt, stop }
}

function baseTurns(base: Base | null): readonly Turn[] {
  if (!base) return []
  const turns = base.pauses.flatMap(({ start, end }): Turn[] => [
    { at: start, action: { kind: 'pause' } },
    { at: end, action: { kind: 'resume' } },
  ])
  const kind = base.status === 'stopped' ? 'stop' : 'pause'
  return base.endedAt === null ? turns : [...turns, { at: base.endedAt, action: { kind } }]
}

/** Returns work with the spans that its owner has counted or left out. The last word about a span counts. */
export function withCounts(worked: readonly Interval[], counting: Log): readonly Interval[] {
  let counted = worked
  for (const event of eventsOf(counting, 'count')) {
    const { spans, isWork } = event.action
    counted = isWork ? union(counted, spans) : without(counted, spans)
  }
  return counted
}
