/** The timer of a session: its starts, pauses, resumes and stops in order of time. */
import type { Interval } from '#time/instant.ts'

import { eventsOf, idOf } from './event.ts'
import type { Base, BoundaryId, EventOf, Log, LogEvent } from './event.ts'
import { hadHeardOf } from './order.ts'
import { union, without } from './spans.ts'

/** Instants are epoch milliseconds of server time. */
export interface Run {
  /** The start or the base with which the session begins. */
  readonly origin: EventOf<'base' | 'start'>
  /** The task and the note with which it begins. */
  readonly task: string
  readonly note: string | null
  readonly startedAt: number
  /** When it was worked, as the presses say. The last span ends at `Infinity` while it runs. */
  readonly worked: readonly Interval[]
  /** The begin of the open pause. */
  readonly pausedAt: number | null
  /** What ended the session first in time, or null while it is active. */
  readonly stop: { readonly id: BoundaryId; readonly at: number } | null
}

/** A press, or what a base says of one. */
type Turn = EventOf<'pause' | 'resume' | 'stop'> | BaseTurn
interface BaseTurn {
  readonly at: number
  readonly action: { readonly kind: 'pause' | 'resume' | 'stop' }
}

/**
 * Returns the timer that these events make, or null without a start. The events count and are
 * sorted.
 */
export function runOf(counting: Log): Run | null {
  const origin = eventsOf(counting, 'base', 'start').at(-1)
  if (!origin) return null
  const base = origin.action.kind === 'base' ? origin.action.base : null
  const { task, note } = origin.action.kind === 'base' ? origin.action.base : origin.action
  const move = eventsOf(counting, 'move').at(-1)
  const startedAt = move ? move.action.to : (base?.startedAt ?? origin.at)
  const worked: Interval[] = []
  let since: number | null = startedAt
  let pausedAt: number | null = null
  const begin = { origin, task, note, startedAt }
  const end = (stop: Run['stop']) => ({ ...begin, worked: union(worked), pausedAt, stop })
  for (const turn of turnsOf(counting, base, startedAt, move)) {
    const at = Math.max(turn.at, startedAt)
    const { kind } = turn.action
    if (kind !== 'resume' && since !== null) {
      worked.push({ start: since, end: at })
      since = null
      pausedAt = at
    }
    if (kind === 'resume' && since === null) {
      since = at
      pausedAt = null
    }
    if (kind === 'stop') return end({ id: 'seq' in turn ? idOf(turn) : 'end', at })
  }
  if (since !== null) worked.push({ start: since, end: Infinity })
  return end(null)
}

/**
 * Returns the turns in order of time. One from before a moved start changes nothing, unless who
 * moved the start had heard of it and has seen what the move left of it.
 */
function turnsOf(
  counting: Log,
  base: Base | null,
  startedAt: number,
  move: LogEvent | undefined,
): readonly Turn[] {
  const pressed = eventsOf(counting, 'pause', 'resume', 'stop').filter(
    (event) => event.at >= startedAt || (move !== undefined && hadHeardOf(move, event)),
  )
  return [...(base ? baseTurns(base) : []), ...pressed].sort((a, b) => a.at - b.at)
}

function baseTurns({ status, pauses, endedAt }: Base): readonly BaseTurn[] {
  const turns = pauses.flatMap(({ start, end }): BaseTurn[] => [
    { at: start, action: { kind: 'pause' } },
    { at: end, action: { kind: 'resume' } },
  ])
  if (endedAt === null) return turns
  return [...turns, { at: endedAt, action: { kind: status === 'stopped' ? 'stop' : 'pause' } }]
}

/**
 * Returns the work of a timer with the spans that its owner has counted or left out. The last word
 * about a span counts.
 */
export function withCounts(worked: readonly Interval[], counting: Log): readonly Interval[] {
  let counted = worked
  for (const event of eventsOf(counting, 'count')) {
    const { spans, isWork } = event.action
    counted = isWork ? union(counted, spans) : without(counted, spans)
  }
  return counted
}

/** Returns whether a failed start counts: nobody who had not heard of it has pressed on its timer elsewhere. */
export function hasFailed(counting: Log): boolean {
  const failed = eventsOf(counting, 'fail').at(-1)
  const pressed = eventsOf(counting, 'pause', 'resume', 'stop', 'move', 'set', 'discard')
  if (!failed) return false
  return pressed.every((event) => event.device === failed.device || hadHeardOf(event, failed))
}
