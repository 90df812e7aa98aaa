/**
 * The events of one session: every press on its timer and every edit of what was saved from it. An
 * event never changes once a device has tried to send it. docs/log.md lists which operation of the
 * app is which event.
 */
import type { Interval } from '#time/instant.ts'

/**
 * A boundary of a session's parts: 'start', 'end' (of a document without a stop of its own), or the
 * id of the stop or the cut that made it.
 */
export type BoundaryId = string

/** What a document said before it had a log. Instants are epoch milliseconds of server time. */
export interface Base {
  /** 'unclear' is neither running nor paused, and without an end. */
  readonly status: 'running' | 'paused' | 'unclear' | 'stopped'
  readonly task: string
  readonly note: string | null
  /** The type of the entry, or null of a session. */
  readonly type: string | null
  /** The attribute `sessionId` of an entry. */
  readonly session: string | null
  /** The name of the device in a session. */
  readonly deviceName: string | null
  readonly startedAt: number
  /** The end, or the begin of the open pause, or null while the timer runs. */
  readonly endedAt: number | null
  /** Pauses of known time, sorted, not overlapping. */
  readonly pauses: readonly Interval[]
  /** Whole seconds that were paused at an unknown time. */
  readonly unplacedSeconds: number
  /** Whole seconds of work as the entry says, or null of a session that is not stopped. */
  readonly seconds: number | null
  readonly deletedAt: number | null
}

export type Action =
  /** A document that had no log. Only events that have heard of the last base count. */
  | { readonly kind: 'base'; readonly base: Base }
  /** A new timer. `at` of the event is its start, which may lie before the press. */
  | {
      readonly kind: 'start'
      readonly task: string
      readonly note: string | null
      readonly deviceName: string | null
    }
  | { readonly kind: 'pause' | 'resume' }
  /** Who sets it to before the press also leaves out the time since, with 'count'. */
  | { readonly kind: 'stop' }
  /** What a screen showed until `at`, when news took a running timer from it. It ends nothing. */
  | { readonly kind: 'showed' }
  /** The start did not reach the backend. The session does not count, and its time is asked about. */
  | { readonly kind: 'fail' }
  /** The owner discards the whole session. */
  | { readonly kind: 'discard' }
  /** Moves the start of the timer. */
  | { readonly kind: 'move'; readonly to: number }
  /** Sets a field of the part that begins at a boundary. An empty text is none. */
  | {
      readonly kind: 'set'
      readonly field: 'task' | 'note'
      readonly value: string
      readonly boundary: BoundaryId
    }
  /** Cuts the session at `to`. The event names the boundary and the part that begins there. */
  | { readonly kind: 'cut'; readonly to: number }
  /**
   * Moves one side of a boundary: the end of the part before it, or the start of the part after it.
   * `span` is the time between the old place and the new one, of which a narrower part leaves out what its
   * owner has seen. It adds no work.
   */
  | {
      readonly kind: 'bound'
      readonly boundary: BoundaryId
      readonly side: 'before' | 'after'
      readonly to: number
      readonly span: Interval
    }
  /** Deletes the part that begins at a boundary. `span` is the part as its owner has seen it. */
  | { readonly kind: 'delete'; readonly boundary: BoundaryId; readonly span: Interval }
  /** The part that begins at a boundary is not deleted any more, by none of the deletions before. */
  | { readonly kind: 'restore'; readonly boundary: BoundaryId }
  /**
   * These spans count as work, or as none: an answer, a gap, a typed pause, added work. An edit of a saved
   * part names the boundary at which it begins.
   */
  | {
      readonly kind: 'count'
      readonly isWork: boolean
      readonly spans: readonly Interval[]
      readonly boundary?: BoundaryId | undefined
    }
  /** The events with these ids do not count. An undo can be undone. */
  | { readonly kind: 'undo'; readonly of: readonly string[] }
export type Kind = Action['kind']

/** A hybrid logical clock: it orders an event after everything its device had heard of. */
export interface Stamp {
  /** Epoch milliseconds of server time, as far as its device knew. */
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

/** The events of one session, each once, in the order of their stamps. */
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
  const known: readonly Kind[] = kinds
  return log.filter((event): event is EventOf<K> => known.includes(event.action.kind))
}
