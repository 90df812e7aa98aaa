/**
 * Sends what was done with the timer: its session is created, changed, ended and removed, and what it
 * counted becomes an entry. Each call can be repeated any number of times.
 */
import {
  entryAttributes,
  entryFromDocument,
  entryFromStopped,
} from '@stint/core/record/time-entry.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import {
  activeAttributes,
  isRestorable,
  newSessionAttributes,
  restatedAttributes,
  sessionFromDocument,
  stopAttributes,
} from '@stint/core/timer/timer-session.ts'
import type { TimerSession } from '@stint/core/timer/timer-session.ts'
import type { ActiveTimer, StoppedTimer } from '@stint/core/timer/timer.ts'
import { stopTimer } from '@stint/core/timer/timer.ts'

import { takeAnswer } from '#record/take-in.ts'
import type { Operation } from '#record/stored.ts'
import { SAVE_FAILED } from '#record/timer-texts.ts'
import { dismissBanner } from '#record/timer.ts'
import { confirmStart, giveWay } from '#record/timer-answers.ts'
import type { Backend } from '#backend/backend.ts'
import { asBackendError, isConflict, isNotFound, isTemporary } from '#backend/errors.ts'
import { existing, find } from '#backend/find-document.ts'

import type { Round, SyncContext } from './context.ts'

/** A pause or resume is tried again after these waits, about 3 s in all. */
const CHANGE_RETRY_WAITS = [800, 1800]
/** How often a start ends another device's session before it gives up. */
const MAX_TAKEOVERS = 2

/**
 * Creates the session under its own id. If it is there already, an earlier try worked. If another
 * one is active, the one that was pressed last goes on, and the other is ended at that moment.
 */
export async function sendStart(
  context: Round,
  { timer: started, pressedAt }: Extract<Operation, { kind: 'start' }>,
): Promise<void> {
  const { record, backend, userId } = context
  const active = record.value('timer')?.timer
  const timer = active?.sessionId === started.sessionId ? active : null
  if (!timer) {
    // Stopped before it was sent, unless the answer to an earlier try was lost.
    if (!(await mayBeThere(context, started.sessionId))) context.neverSent.add(started.sessionId)
    return
  }
  for (let takeovers = 0; ; takeovers += 1) {
    try {
      const attributes = newSessionAttributes(timer, userId, record.device)
      await backend.create('timer_sessions', timer.sessionId, attributes)
      break
    } catch (error) {
      if (!isConflict(error)) throw error
      const own = await find(backend, 'timer_sessions', timer.sessionId)
      const isPutAside = own !== null && sessionFromDocument(own).state.kind === 'unclear'
      if (own && !isPutAside) break
      if (takeovers >= MAX_TAKEOVERS) throw error
      const newer = await endOlderSessions(context, timer.sessionId, pressedAt)
      if (newer) return record.takeIn((draft) => giveWay(draft, timer.sessionId, newer))
      if (isPutAside) {
        await backend.update('timer_sessions', timer.sessionId, activeAttributes(timer))
        break
      }
    }
  }
  await record.takeIn((draft) => confirmStart(draft, timer.sessionId))
}

/**
 * Ends and saves the user's other active sessions when this one was pressed, unless one of them was
 * started later still: that one is returned, and left alone. One too old to be restored makes way,
 * but stays unfinished: its owner says until when it counts.
 */
async function endOlderSessions(
  context: Round,
  sessionId: string,
  pressedAt: number,
): Promise<TimerSession | null> {
  const { documents } = await context.backend.list('timer_sessions', {
    equal: { userId: context.userId },
    limit: 100,
  })
  for (const session of documents.map(sessionFromDocument)) {
    if (session.id === sessionId || session.state.kind !== 'active') continue
    const { timer } = session.state
    const isNewer =
      timer.startedAt > pressedAt || (timer.startedAt === pressedAt && session.id > sessionId)
    if (isNewer) return session
    if (isRestorable(session, context.record.clock.now()))
      await sendStop(context, stopTimer(timer, pressedAt))
    else await sendPutAside(context, session.id)
  }
  return null
}

async function sendPutAside({ backend }: SyncContext, sessionId: string): Promise<void> {
  try {
    await backend.update('timer_sessions', sessionId, { isRunning: false, isPaused: false })
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error
  }
}

/** False when the backend does not list the session: a browser reports every 404 as an error. */
async function mayBeThere({ backend }: SyncContext, sessionId: string): Promise<boolean> {
  return backend.list('timer_sessions', { equal: { $id: sessionId }, limit: 1 }).then(
    ({ documents }) => documents.length > 0,
    () => true,
  )
}

/** Tells the backend of a pause or resume, with two more tries. */
export async function sendChange(context: Round, timer: ActiveTimer): Promise<void> {
  if (context.neverSent.has(timer.sessionId)) return
  for (const wait of [...CHANGE_RETRY_WAITS, null]) {
    try {
      await context.backend.update('timer_sessions', timer.sessionId, activeAttributes(timer))
      return
    } catch (thrown) {
      const error = asBackendError(thrown)
      // Stopped on another device: the first stop wins, reconcile tells the user.
      if (error.kind === 'conflict' || error.kind === 'not-found') return
      if (wait === null || !isTemporary(error)) throw error
      await context.wait(wait)
    }
  }
}

/** Tells the backend how the timer now stands, if it still runs. A stop behind it says it as well. */
export async function sendRestated(
  { record, backend }: SyncContext,
  sessionId: string,
): Promise<void> {
  const timer = record.value('timer')?.timer
  if (timer?.sessionId !== sessionId) return
  try {
    await backend.update('timer_sessions', sessionId, restatedAttributes(timer))
  } catch (error) {
    // Stopped on another device: the first stop wins, reconcile tells the user.
    if (!isNotFound(error) && !isConflict(error)) throw error
  }
}

/** Three calls, in this order: end the session, create its entry, delete the session. */
export async function sendStop(context: Round, stopped: StoppedTimer): Promise<void> {
  const { record, backend, neverSent } = context
  const isKnown = !neverSent.has(stopped.sessionId)
  const first = isKnown ? await sendEnd(backend, stopped) : stopped
  if (first.durationSeconds > 0) {
    const entry = await sendEntry(context, first)
    await record.takeIn((draft) => takeAnswer(draft, 'entry', entry.id, entry))
  }
  if (isKnown) await sendDelete(context, stopped.sessionId)
  await record.takeIn((draft) => dismissBanner(draft, SAVE_FAILED))
}

/** Ends the session; returns the stop that counts, which is the first one anybody made. */
async function sendEnd(backend: Backend, stopped: StoppedTimer): Promise<StoppedTimer> {
  try {
    await backend.update('timer_sessions', stopped.sessionId, stopAttributes(stopped))
    return stopped
  } catch (thrown) {
    const error = asBackendError(thrown)
    if (error.kind === 'not-found') return stopped
    if (error.kind !== 'conflict') throw error
  }
  const document = await find(backend, 'timer_sessions', stopped.sessionId)
  const state = document ? sessionFromDocument(document).state : null
  return state?.kind === 'stopped' ? state.stopped : stopped
}

/** Creates the entry under the session's id, or finds the one that is there already. */
async function sendEntry(context: SyncContext, stopped: StoppedTimer): Promise<TimeEntry> {
  const { userId, backend } = context
  const entry = entryFromStopped(stopped)
  const document = await backend
    .create('time_entries', entry.id, entryAttributes(entry, userId))
    .catch((error: unknown) => existing(backend, 'time_entries', entry.id, error))
  return entryFromDocument(document)
}

export async function sendDelete({ backend }: SyncContext, sessionId: string): Promise<void> {
  try {
    await backend.delete('timer_sessions', sessionId)
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}
