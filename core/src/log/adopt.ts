/**
 * Documents without a log, and documents whose fields another client has changed. Every device makes
 * the same events of the same document, so their ids come from its content.
 */
import { idFrom } from '#record/split-id.ts'
import { entryFromStopped } from '#record/time-entry.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import type { TimerSession } from '#record/timer-session.ts'
import { mergeIntervals } from '#timer/pauses.ts'
import type { ActiveTimer } from '#timer/timer.ts'

import { encodeLog } from './codec.ts'
import { appended, withEntry, withTimer } from './edit.ts'
import { eventsOf } from './event.ts'
import type { Base, Log } from './event.ts'
import { foldState } from './fold.ts'
import { stampAfter } from './order.ts'
import { entryIdOf } from './projection.ts'

/** Returns the log of an entry without one: one event, which says what the entry says. */
export function logOfEntry(entry: TimeEntry): Log {
  const { taskId, note, entryType, sessionId, startedAt, endedAt, pauses, deletedAt } = entry
  return baseLog(entry.updatedAt, {
    status: 'stopped',
    task: taskId,
    note,
    type: entryType,
    session: sessionId,
    deviceName: null,
    startedAt,
    endedAt,
    pauses: pauses.intervals,
    unplacedSeconds: pauses.unplacedSeconds,
    seconds: entry.durationSeconds,
    deletedAt,
  })
}

/** Returns the log of a session without one: one event, which says what the session says. */
export function logOfSession({ updatedAt, device, state }: TimerSession): Log {
  const timer = state.kind === 'stopped' ? state.stopped : state.timer
  const pausedAt = 'pausedAt' in timer ? timer.pausedAt : null
  return baseLog(updatedAt, {
    status: state.kind === 'active' ? state.timer.status : state.kind,
    task: timer.taskId,
    note: timer.note ?? null,
    type: null,
    session: timer.sessionId,
    deviceName: device,
    startedAt: timer.startedAt,
    endedAt: state.kind === 'stopped' ? state.stopped.endedAt : pausedAt,
    pauses: timer.pauses.intervals,
    unplacedSeconds: timer.pauses.unplacedSeconds,
    seconds: state.kind === 'stopped' ? state.stopped.durationSeconds : null,
    deletedAt: null,
  })
}

/**
 * Returns the log of a session with the fields of one of its documents as they were found, after
 * another client has changed them: as if a device that has heard of the log had edited them.
 */
export function withFound(log: Log, session: string, found: TimeEntry | TimerSession): Log {
  const device = `found-${idFrom(`${encodeLog(log)} ${JSON.stringify(found)}`)}`
  const stamps = log.map(({ stamp }) => stamp)
  const by = { device, now: stampAfter(stamps, found.updatedAt).milliseconds }
  if (!('state' in found)) {
    const state = foldState(log)
    // A client that saves an entry of a timer has ended it.
    if (state?.timer && found.id === session)
      return withEntry(appended(log, by, { kind: 'stop' }, found.endedAt), 'start', found, by)
    const part = state?.parts.find(({ boundary }) => entryIdOf(session, boundary) === found.id)
    return withEntry(log, part?.boundary ?? '', found, by)
  }
  const { state } = found
  if (state.kind !== 'stopped')
    return withTimer(log, withPlaced(log, state.timer, found.updatedAt), by)
  const stopped = appended(log, by, { kind: 'stop' }, state.stopped.endedAt)
  return withEntry(stopped, 'start', entryFromStopped(state.stopped), by)
}

/**
 * Returns a timer as it was found, with a place for what it has paused at an unknown time: a resume writes the
 * document, so the pause has ended then.
 */
function withPlaced(log: Log, timer: ActiveTimer, updatedAt: number): ActiveTimer {
  const { pauses, startedAt } = timer
  const base = eventsOf(log, 'base').at(-1)?.action.base
  const seconds = pauses.unplacedSeconds - (base?.unplacedSeconds ?? 0)
  if (seconds <= 0) return timer
  const end = timer.status === 'paused' ? timer.pausedAt : updatedAt
  const pause = { start: Math.max(startedAt, end - seconds * 1000), end }
  return {
    ...timer,
    pauses: { ...pauses, intervals: mergeIntervals([...pauses.intervals, pause]) },
  }
}

function baseLog(updatedAt: number, base: Base): Log {
  const fixed = { ...base, pauses: mergeIntervals(base.pauses) }
  const stamp = { milliseconds: updatedAt, count: 0 }
  const at = base.startedAt
  const event = {
    seq: 1,
    stamp,
    seen: {},
    also: [],
    at,
    action: { kind: 'base', base: fixed },
  } as const
  const device = `base-${idFrom(encodeLog([{ device: 'base', ...event }]))}`
  return [{ device, ...event }]
}
