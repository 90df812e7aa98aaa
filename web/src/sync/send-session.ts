/**
 * Sends the presses on the timer. The presses of one session are folded into the session as the
 * backend has it. The result is written only over the state that was read (docs/sync.md). The
 * functions create and change the session; end-session.ts ends it. Each call can be repeated any number
 * of times.
 */
import { hadNothingToSave } from '@stint/core/record/time-entry.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { fold, turnsOf } from '@stint/core/timer/presses.ts'
import type { Press } from '@stint/core/timer/presses.ts'
import {
  isRestorable,
  newSessionAttributes,
  pressedAt as whenPressed,
  timerAttributes,
  sessionFromDocument,
  stopAttributes,
} from '@stint/core/record/timer-session.ts'
import type { TimerSession } from '@stint/core/record/timer-session.ts'

import { isBeingTyped, isStarting, isStopping, sessionOf } from '@stint/core/device/edits.ts'
import { knownEnd, endedBy, unsentContinuation } from '@stint/core/device/late-presses.ts'
import type { UnsentContinuation } from '@stint/core/device/late-presses.ts'
import { isAwaitedByUser } from '@stint/core/device/press.ts'
import { isBefore, withLost } from '@stint/core/device/restored-backend.ts'
import { claimOperations } from '@stint/core/device/unsent-operations.ts'
import type { QueuedOperation } from '@stint/core/device/stored.ts'
import {
  acknowledge,
  endUnsentForNewerSession,
  recreateSession,
} from '@stint/core/device/timer-answers.ts'
import { asBackendError, isConflict, isNotFound, isTemporary } from '#backend/errors.ts'
import { createOrFind } from '#backend/find-document.ts'

import type { SyncContext } from './context.ts'
import {
  endAgain,
  endedElsewhere,
  finish,
  isDiscarded,
  MAX_TRIES,
  sendKnownEntry,
} from './end-session.ts'
import type { Batch, Of } from './end-session.ts'
import { sendDiscard } from './send-discard.ts'
import { deleteSession, listSessions, readEntry, readSession } from './session-documents.ts'

/**
 * The waits before the retries of a pause or resume, in milliseconds. Together with the requests
 * they take about 3 s.
 */
const RETRY_WAITS = [800, 1800]

/**
 * Sends operations of one session. Rejects with BackendError, and then no operation is
 * acknowledged.
 */
export async function sendSession(
  context: SyncContext,
  queued: readonly QueuedOperation[],
): Promise<void> {
  const [first] = queued
  if (!first) return
  const discard = queued.map(({ operation }) => operation).find((each) => each.kind === 'discard')
  if (discard) return sendDiscard(context, discard, first)
  const isAgain = queued.some(({ attempts }) => attempts > 0)
  const isTried = isAgain && !queued.some((each) => each.attempts === 0 && isBeingTyped(each))
  const operations = isTried
    ? queued.map(({ operation }) => operation)
    : await context.record.takeIn((draft) => claimOperations(draft, queued))
  const start = operations.find((each) => each.kind === 'start')
  const stop = operations.find((each) => each.kind === 'stop')
  const pressed = operations.flatMap((each) => (each.kind === 'press' ? each.press : []))
  // A device that had heard of less may have created the session, as it does on a restored backend.
  const turns = start ? turnsOf(start.timer) : []
  const stops: readonly Press[] = stop ? [{ kind: 'stop', at: stop.stopped.endedAt }] : []
  const id = sessionOf(first)
  const shown = context.record.value('timer')
  const known = stop ? stop.base : shown?.timer.sessionId === id ? shown.base : null
  const batch: Batch = {
    context,
    id,
    sequences: queued.map(({ sequence }) => sequence),
    start,
    stop,
    presses: [...turns, ...pressed, ...stops],
    isAwaited: operations.some((each) => each.kind === 'press' && isAwaitedByUser(each)),
    isAgain,
    base: known,
  }
  if (start && !stop) return createSession(batch, start)
  if (known && !batch.isAgain) return sendPresses(batch, known)
  // An earlier try may have arrived. Then the base is older than the backend's state.
  const read = await readSession(context.backend, batch.id)
  return sendPresses(batch, known && isBefore(read, known) ? known : read)
}

/**
 * Creates the session under its own id. If the session exists already, an earlier try succeeded. If
 * another session is active, the one with the later press continues, and the other ends at that
 * moment.
 */
async function createSession(batch: Batch, { timer, pressedAt }: Of<'start'>): Promise<void> {
  const { context, id, sequences, presses, isAgain } = batch
  const { record, backend, userId } = context
  const folded = fold(timer, presses, -Infinity)
  if (record.value('timer')?.timer.sessionId !== id || folded.kind === 'stopped') {
    // The timer was stopped since. The stop is in the queue and is sent together with these
    // operations.
    return record.takeIn((draft) => {
      if (!isStopping(draft, id)) acknowledge(draft, sequences, null)
    })
  }
  if (isAgain || timer.startedAt < pressedAt) {
    // An earlier try may have arrived, and the session may have ended. So may one that goes on here,
    // and then it ends no other timer.
    const entry = await readEntry(backend, id)
    if (entry) return endedElsewhere(batch, entry)
  }
  const attributes = newSessionAttributes(folded.timer, userId, record.device)
  for (let tries = 1; ; tries += 1) {
    try {
      const document = await backend.create('timer_sessions', id, attributes)
      const session = sessionFromDocument(document)
      // The session may have ended and been deleted since the request. Then this call has created
      // it a second time.
      const ended = isAgain ? await readEntry(backend, id) : null
      if (!ended) return await record.takeIn((draft) => acknowledge(draft, sequences, session))
      await deleteSession(backend, id)
      return await endedElsewhere(batch, ended)
    } catch (error) {
      if (!isConflict(error)) throw error
      const own = await readSession(backend, id)
      const isThere = own && own.state.kind !== 'unclear'
      if (isThere && (await isAnswered(sendPresses(batch, own)))) return
      if (tries > MAX_TRIES) throw error
      const newer = await endOlderSessions(context, id, pressedAt)
      if (newer)
        return record.takeIn((draft, now) => endUnsentForNewerSession(draft, id, newer, now))
      // A timer that was started at the same moment is in the way. The next try gives way to it.
      if (own && (await isAnswered(sendPresses(batch, own)))) return
    }
  }
}

/** Returns whether the call succeeded, or false after a conflict on the backend. */
async function isAnswered(sending: Promise<void>): Promise<boolean> {
  try {
    await sending
    return true
  } catch (error) {
    if (!isConflict(error)) throw error
    return false
  }
}

/**
 * Folds the presses into the session as it was read, and writes the result only over that state.
 * `read` is null when the session does not exist.
 */
async function sendPresses(batch: Batch, read: TimerSession | null): Promise<void> {
  const { context, id, sequences, presses, stop } = batch
  const { record, backend } = context
  const isNoted = presses.some(({ kind }) => kind === 'note')
  let session = read
  for (let tries = 1; session; tries += 1) {
    const { state } = session
    if (state.kind === 'stopped') return finish(batch, state.stopped, session)
    const folded = fold(state.timer, withLost(presses, batch.base, session), session.updatedAt)
    try {
      if (folded.kind === 'stopped') {
        // A session to discard is not marked as stopped, so that no other device finds it stopped
        // and saves it. Its deleted entry is created first.
        if (!isDiscarded(batch))
          await write(batch, session, stopAttributes(folded.stopped, isNoted))
        return await finish(batch, folded.stopped, session)
      }
      const written = await write(batch, session, timerAttributes(folded.timer, isNoted))
      return await record.takeIn((draft) => acknowledge(draft, sequences, written))
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error
      if (tries >= MAX_TRIES) throw error
      session = await readSession(backend, id)
      // A restored backend may have the session beside the entry that another device has sent again.
      const ended = session && (await readEntry(backend, id))
      if (ended && !hadNothingToSave(ended)) return endedElsewhere(batch, ended)
    }
  }
  if (stop) return finish(batch, stop.stopped, null)
  const entry = (await readEntry(backend, id)) ?? (await sendLostEntry(batch))
  if (entry) return endedElsewhere(batch, entry)
  const continued = unsentContinuation(record.view, id)
  if (continued) return sendContinuation(batch, continued)
  return record.takeIn((draft) => {
    recreateSession(draft, id)
    acknowledge(draft, sequences, null)
  })
}

/** Sends the saved entry of a session again that the backend has lost. Returns null when there is none. */
async function sendLostEntry({ context, id }: Batch): Promise<TimeEntry | null> {
  const { view } = context.record
  const entry = isStopping(view, id) ? undefined : view.entries.get(id)
  return entry ? (await sendKnownEntry(context, entry)).entry : null
}

/**
 * Sends presses on the session with which another device continues an undone stop. That device may
 * not have sent it yet. A timer that was started since has ended it.
 */
async function sendContinuation(
  batch: Batch,
  { timer, pressedAt }: UnsentContinuation,
): Promise<void> {
  const { context, id, presses } = batch
  const newer = await endOlderSessions(context, id, pressedAt)
  if (newer) return finish(batch, endedBy(timer, presses, newer), null)
  const attributes = newSessionAttributes(timer, context.userId, context.record.device)
  const { document } = await createOrFind(context.backend, 'timer_sessions', id, attributes)
  return sendPresses(batch, sessionFromDocument(document))
}

/** Writes over the session as it was read. An awaited pause or resume is retried a few times. */
async function write(
  { context, isAwaited }: Batch,
  session: TimerSession,
  attributes: Parameters<typeof context.backend.update<'timer_sessions'>>[2],
): Promise<TimerSession> {
  const send = async () =>
    sessionFromDocument(
      await context.backend.update('timer_sessions', session.id, attributes, session.updatedAt),
    )
  for (const wait of isAwaited ? RETRY_WAITS : []) {
    try {
      return await send()
    } catch (error) {
      if (!isTemporary(asBackendError(error))) throw error
      await context.wait(wait)
    }
  }
  return send()
}

/**
 * Ends and saves the user's other active sessions as of the press on this one. If one of them was
 * started still later, or resumed here, returns it and leaves it unchanged. A session that is too old
 * to be restored is set aside but stays unfinished, because its owner decides until when it counts.
 */
async function endOlderSessions(
  context: SyncContext,
  sessionId: string,
  pressedAt: number,
): Promise<TimerSession | null> {
  const sessions = await listSessions(context)
  // The start of another session may end the timer from here. That is no time in the future, even if
  // the clock was set back.
  for (const { updatedAt } of sessions) context.record.clock.setAtLeast?.(updatedAt + 1)
  for (const session of sessions) {
    if (session.id === sessionId || session.state.kind !== 'active') continue
    // It was resumed here since, on a recovery card.
    if (isStarting(context.record.view, session.id)) return session
    const end = knownEnd(context.record.view, session)
    if (end) {
      await endAgain(context, end)
      continue
    }
    const otherAt = whenPressed(session)
    if (otherAt > pressedAt || (otherAt === pressedAt && session.id > sessionId)) return session
    if (!isRestorable(session, context.record.clock.now())) await setAside(context, session.id)
    else {
      const presses: Press[] = [{ kind: 'stop', at: pressedAt }]
      const none = {
        start: undefined,
        stop: undefined,
        base: null,
        isAwaited: false,
        isAgain: false,
        sequences: [],
      }
      await sendPresses({ context, id: session.id, presses, ...none }, session)
    }
  }
  return null
}

async function setAside({ backend }: SyncContext, sessionId: string): Promise<void> {
  try {
    await backend.update('timer_sessions', sessionId, { isRunning: false, isPaused: false })
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error
  }
}
