/** Edits as events: what to append so that a part, or the timer, is as its owner wants it. */
import type { SetFields, TimeEntry } from '#record/time-entry.ts'
import { intervalsBetween } from '#time/instant.ts'
import type { Interval } from '#time/instant.ts'
import { notBefore } from '#timer/timer.ts'
import type { ActiveTimer } from '#timer/timer.ts'

import type { Action, BoundaryId, Log } from './event.ts'
import { foldState } from './fold.ts'
import { join } from './join.ts'
import { nextEvent } from './order.ts'
import type { Part } from './parts.ts'
import { SET_NAMES, valuesOf } from './set-values.ts'
import type { SetValues } from './set-values.ts'
import { without } from './spans.ts'

/** Who appends, and when: epoch milliseconds of server time. */
export interface Writer {
  readonly device: string
  readonly now: number
}
/** The fields of an entry that an edit can change. */
export type WantedEntry = SetFields &
  Pick<TimeEntry, 'startedAt' | 'endedAt' | 'pauses' | 'deletedAt'>

/** Returns the log with an event of the writer, which takes effect at `at`. */
export function appended(log: Log, { device, now }: Writer, action: Action, at = now): Log {
  return join(log, [nextEvent(log, device, { action, at, now })])
}

/**
 * Returns the actions of a stop at `at`, which may lie before the press at `now`. The time since `at` is left out before
 * the stop, while the screen still shows it, so it is decided for every screen that shows it.
 */
export function stopActions(
  timer: ActiveTimer,
  at: number,
  now: number,
): readonly { readonly action: Action; readonly at: number }[] {
  const endedAt = at < now ? Math.max(timer.startedAt, at) : notBefore(timer, at)
  const stop = { action: { kind: 'stop' }, at: endedAt } as const
  // Time after a pause was not shown, so it is not decided and may be asked about.
  const shownUntil = timer.status === 'paused' ? timer.pausedAt : now
  if (endedAt >= shownUntil) return [stop]
  const spans = [{ start: endedAt, end: shownUntil }]
  return [{ action: { kind: 'count', boundary: null, spans, isWork: false }, at: now }, stop]
}

/**
 * Returns the log with the events after which a part of the session is as wanted: its boundaries, its pauses of
 * known time, what a `set` gives, and whether it is deleted. A boundary that begins no part changes nothing.
 */
export function withEntry(log: Log, boundary: BoundaryId, wanted: WantedEntry, by: Writer): Log {
  let edited = log
  for (const actionsOf of [changes, entryCounts, deletion]) {
    const part = foldState(edited)?.parts.find((each) => each.boundary === boundary)
    for (const action of part ? actionsOf(part, wanted) : []) edited = appended(edited, by, action)
  }
  return edited
}

/** Returns the actions of all but its pauses and its deletion, which depend on its bounds. */
function changes(part: Part, wanted: WantedEntry): readonly Action[] {
  const { startedAt, endedAt, boundary, endBoundary } = part
  const isRestored = part.deletion !== null && wanted.deletedAt === null
  const bound = (side: 'before' | 'after', from: number, to: number): readonly Action[] => {
    if (from === to) return []
    // The owner has seen no more than the part.
    const seen = side === 'after' ? Math.min(to, endedAt) : Math.max(to, startedAt)
    const span = { start: Math.min(from, seen), end: Math.max(from, seen) }
    return [{ kind: 'bound', boundary: side === 'after' ? boundary : endBoundary, side, to, span }]
  }
  return [
    ...(isRestored ? [{ kind: 'restore', boundary } as const] : []),
    ...bound('after', startedAt, wanted.startedAt),
    ...bound('before', endedAt, wanted.endedAt),
    ...setActions(part.values, wanted, boundary),
  ]
}

/** Returns the actions after which the fields that are given are as wanted. */
export function setActions(
  known: SetValues,
  wanted: Partial<SetFields>,
  boundary: BoundaryId,
): readonly Action[] {
  const values: Partial<SetValues> = valuesOf(wanted)
  return SET_NAMES.flatMap((field) => {
    const value = values[field] ?? known[field]
    return value === known[field] ? [] : { kind: 'set' as const, field, value, boundary }
  })
}

function entryCounts({ worked, boundary }: Part, { pauses, startedAt, endedAt }: WantedEntry) {
  const work = intervalsBetween(pauses.intervals, { start: startedAt, end: endedAt })
  return countsOf(worked, work, boundary)
}

/** Returns the actions after which only this work counts. */
export function countsOf(
  worked: readonly Interval[],
  work: readonly Interval[],
  boundary: BoundaryId | null,
): readonly Action[] {
  const counts = [
    { kind: 'count', boundary, spans: without(work, worked), isWork: true },
    { kind: 'count', boundary, spans: without(worked, work), isWork: false },
  ] as const
  return counts.filter(({ spans }) => spans.length > 0)
}

function deletion(part: Part, { deletedAt }: WantedEntry): readonly Action[] {
  const { boundary, startedAt: start, endedAt: end } = part
  const isDeleted = part.deletion === null && deletedAt !== null
  return isDeleted ? [{ kind: 'delete', boundary, span: { start, end } }] : []
}
