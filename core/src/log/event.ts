/**
 * The events of one session: every press on its timer and every edit of what was saved from it (docs/log.md). An
 * event never changes once a device has tried to send it.
 */
import type { Action, Kind } from './actions.ts'

export type { Action, Base } from './actions.ts'

/** A boundary of a session's parts: 'start', 'end', or the id of the stop or the cut that made it. */
export type BoundaryId = string

/** A hybrid logical clock: it orders an event after everything its device had heard of. */
export interface Stamp {
  readonly milliseconds: number
  readonly count: number
}

/** Which events a device had heard of when it made an event. */
export interface Knowledge {
  /** For each device the last number up to which no event is missing. */
  readonly seen: Readonly<Record<string, number>>
  /** Ids of events after a gap, sorted. A restored server may have lost those between. */
  readonly also: readonly string[]
}

export interface LogEvent extends Knowledge {
  /** The id of the device in logs: letters, digits, '_' and '-'. */
  readonly device: string
  /** The events of a device in one session count from 1. */
  readonly seq: number
  readonly stamp: Stamp
  /** When it takes effect, in epoch milliseconds of server time. */
  readonly at: number
  readonly action: Action
}

/** The events of one session, each once, sorted (see join.ts). */
export type Log = readonly LogEvent[]
export type EventOf<K extends Kind> = LogEvent & {
  readonly action: Extract<Action, { readonly kind: K }>
}

/** Returns the id of an event, which is unique in its session. */
export function idOf({ device, seq }: Pick<LogEvent, 'device' | 'seq'>): string {
  return `${device}.${seq}`
}

/** Returns whether the event is of one of these kinds. */
export function isOf<K extends Kind>(event: LogEvent, ...kinds: readonly K[]): event is EventOf<K> {
  const known: readonly Kind[] = kinds
  return known.includes(event.action.kind)
}

/** Returns the events of these kinds, in their order. */
export function eventsOf<K extends Kind>(log: Log, ...kinds: readonly K[]): readonly EventOf<K>[] {
  return log.filter((event) => isOf(event, ...kinds))
}
