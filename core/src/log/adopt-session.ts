/** Session documents without a log, and those whose fields another client has changed (adopt.ts). */
import { entryFromStopped } from '#record/time-entry.ts'
import type { TimerSession } from '#record/timer-session.ts'
import { intervalsBetween } from '#time/instant.ts'
import type { ActiveTimer } from '#timer/timer.ts'

import { baseLog, finderOf, withFound, withPlaced } from './adopt.ts'
import { readLog } from './documents.ts'
import { appended, countsOf, setActions } from './edit.ts'
import type { Writer } from './edit.ts'
import type { Action, Log } from './event.ts'
import { foldState } from './fold.ts'
import { projectionOf } from './projection.ts'
import { fieldsFrom } from './set-values.ts'

/** Returns the log of a session document, with what its fields say beyond it. */
export function logOfSessionDocument(session: TimerSession): Log {
  const { id, log, state } = session
  const own = readLog(log)
  if (!own) return logOfSession(session)
  const folded = foldState(own)
  const active = folded && projectionOf(id, folded).session
  // A stopped session is on its way to become an entry.
  if (!active) return own
  // A session is unclear while a device has put it aside for another timer.
  const there = state.kind === 'stopped' ? null : state.timer
  const isSame = JSON.stringify(there) === JSON.stringify(active.timer)
  return isSame ? own : withFoundSession(own, session)
}

/** Returns the log of a session without one: one event, which says what the session says. */
export function logOfSession(session: Pick<TimerSession, 'updatedAt' | 'device' | 'state'>): Log {
  const { updatedAt, device, state } = session
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
    set: undefined,
  })
}

/** Returns the log of a session with the fields of its document as they were found (see `withFound`). */
export function withFoundSession(log: Log, found: TimerSession): Log {
  const { id, updatedAt, state } = found
  const folded = foldState(log)
  if (state.kind === 'stopped') {
    const entry = entryFromStopped(state.stopped)
    const { taskId, note } = entry
    // The document of a session does not say what else was set.
    const said = folded?.timer ?? folded?.parts[0]
    const set = said && { ...fieldsFrom(said.values), taskId, note }
    return withFound(log, id, { ...entry, ...set, updatedAt })
  }
  const by = finderOf(log, found)
  const known = folded ? projectionOf(id, folded).session?.timer : undefined
  const { timer } = state
  // A resume writes the document, so the pause has ended then.
  const end = timer.status === 'paused' ? timer.pausedAt : updatedAt
  return withTimer(log, withPlaced(timer, end, known), by)
}

/** Returns the log with the events after which the timer of the session is as wanted, if it has one. */
export function withTimer(log: Log, wanted: ActiveTimer, by: Writer): Log {
  const { startedAt, taskId, status, pauses } = wanted
  let edited = log
  const add = (action: Action, at = by.now) => (edited = appended(edited, by, action, at))
  const shown = foldState(log)?.timer
  if (!shown) return log
  if (startedAt !== shown.startedAt) add({ kind: 'move', to: startedAt })
  for (const action of setActions(shown.values, { taskId, note: wanted.note ?? null }, 'start'))
    add(action)
  const pausedAt = status === 'paused' ? wanted.pausedAt : null
  if (pausedAt !== null && shown.pausedAt === null) add({ kind: 'pause' }, pausedAt)
  if (pausedAt === null && shown.pausedAt !== null)
    add({ kind: 'resume' }, pauses.intervals.at(-1)?.end ?? by.now)
  const timer = foldState(edited)?.timer
  const span = { start: startedAt, end: pausedAt ?? Infinity }
  const work = intervalsBetween(pauses.intervals, span)
  for (const action of timer ? countsOf(timer.worked, work, null) : []) add(action)
  return edited
}
