/**
 * Documents without a log, and documents whose fields another client has changed. Every device makes the same
 * events of the same document, so their ids come from its content. adopt-session.ts has those of sessions.
 */
import { idFrom } from '#record/split-id.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import type { TimerSession } from '#record/timer-session.ts'
import { addPause, mergeIntervals } from '#timer/pauses.ts'
import type { Pauses } from '#timer/pauses.ts'

import { encodeLog } from './codec.ts'
import { appended, withEntry } from './edit.ts'
import type { Writer } from './edit.ts'
import type { Base, Log } from './event.ts'
import { foldState } from './fold.ts'
import { NO_KNOWLEDGE, stampAfter } from './order.ts'
import { boundaryOf, projectionOf } from './projection.ts'
import { furtherValues, valuesOf } from './set-values.ts'

/** Returns the log of an entry without one: one event, which says what the entry says. */
export function logOfEntry(entry: TimeEntry): Log {
  const { entryType, sessionId, startedAt, endedAt, pauses, deletedAt } = entry
  const values = valuesOf(entry)
  return baseLog(entry.updatedAt, {
    status: 'stopped',
    task: values.task,
    note: entry.note,
    type: entryType,
    session: sessionId,
    deviceName: null,
    startedAt,
    endedAt,
    pauses: pauses.intervals,
    unplacedSeconds: pauses.unplacedSeconds,
    seconds: entry.durationSeconds,
    deletedAt,
    set: furtherValues(values),
  })
}

/**
 * Returns the log of a session with the fields of one of its entries as another client has changed them: as if a
 * device that has heard of the log had edited them.
 */
export function withFound(log: Log, session: string, found: TimeEntry): Log {
  const by = finderOf(log, found)
  const folded = foldState(log)
  const known = folded && projectionOf(session, folded)
  const part = known?.entries.find(({ id }) => id === found.id)
  const entry = withPlaced(found, found.endedAt, part ?? known?.session?.timer)
  // A client that saves an entry of a timer has ended it.
  if (known?.session && found.id === session)
    return withEntry(appended(log, by, { kind: 'stop' }, found.endedAt), 'start', entry, by)
  return withEntry(log, boundaryOf(session, found.id, folded), entry, by)
}

/** Returns who makes the events of fields as they were found: every device under the same name. */
export function finderOf(log: Log, found: TimeEntry | TimerSession): Writer {
  const device = `found-${idFrom(`${encodeLog(log)} ${JSON.stringify(found)}`)}`
  const stamps = log.map(({ stamp }) => stamp)
  return { device, now: stampAfter(stamps, found.updatedAt).milliseconds }
}

/** Returns a timer or an entry with a place, up to `end`, for what it has paused beyond what is known. */
export function withPlaced<T extends { readonly pauses: Pauses }>(
  found: T,
  end: number,
  known: { readonly pauses: Pauses } | undefined,
): T {
  const { pauses } = found
  const seconds = pauses.unplacedSeconds - (known?.pauses.unplacedSeconds ?? 0)
  return { ...found, pauses: addPause(pauses, end - seconds * 1000, end) }
}

/** Returns a log of one event: what a document says, which was changed last at `updatedAt`. */
export function baseLog(updatedAt: number, base: Base): Log {
  const fixed = { ...base, pauses: mergeIntervals(base.pauses) }
  const stamp = { milliseconds: updatedAt, count: 0 }
  const action = { kind: 'base', base: fixed } as const
  const event = { device: 'base', seq: 1, stamp, ...NO_KNOWLEDGE, at: base.startedAt, action }
  return [{ ...event, device: `base-${idFrom(encodeLog([event]))}` }]
}
