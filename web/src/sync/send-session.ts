/**
 * Sends sessions: the log of each and what it means in the fields, written only over the state that
 * was read. On a conflict both logs are united and written again (docs/sync.md). Each call can be
 * repeated.
 */
import { compareAgain } from '@stint/core/device/restored-backend.ts'
import { deletesForGood } from '@stint/core/device/missing-attributes.ts'
import { dismissBanner } from '@stint/core/device/timer.ts'
import { takeInEarlier, takeInSession } from '@stint/core/device/take-in.ts'
import { SAVE_FAILED } from '@stint/core/device/timer-texts.ts'
import {
  acknowledgeSession,
  claimSession,
  entryEditsOf,
  forgetSession,
  isUnanswered,
  noteMissing,
  stoppedOf,
} from '@stint/core/device/unsent-sessions.ts'
import type { UnsentSession } from '@stint/core/device/unsent-sessions.ts'
import {
  newSessionAttributes,
  sessionFromDocument,
  stopAttributes,
  timerAttributes,
} from '@stint/core/record/timer-session.ts'
import type { TimerSession } from '@stint/core/record/timer-session.ts'

import { asBackendError, isConflict, isNotFound, isTemporary } from '#backend/errors.ts'

import type { Round, SyncContext } from './context.ts'
import { requireSamePerson } from './pull.ts'
import { readEntry, reconcile } from './reconcile.ts'
import { sendEdits } from './send-edits.ts'

/** The waits before the retries of a pause or resume, in milliseconds. With the requests they take 3 s. */
const RETRY_WAITS = [800, 1800]

/** Sends the next step of a session. Rejects with BackendError, and then nothing is acknowledged. */
export async function sendSession(round: Round, { session }: UnsentSession): Promise<void> {
  const { id } = session
  // An earlier write may have arrived. The next one would meet a state that is not known here.
  if (isUnanswered(session) && !round.asked.has('session')) {
    round.asked.add('session')
    return reconcile(round)
  }
  const claimed = await round.record.takeIn((draft) => claimSession(draft, id))
  if (!claimed) return
  try {
    if (claimed.active) await sendActive(round, claimed)
    else await sendEnded(round, claimed)
    round.written.add(id)
  } catch (error) {
    if (!isConflict(error) && !isNotFound(error)) throw error
    await reconcile(round)
  }
}

/** Creates the session under its own id, or writes it over the state that the backend last had. */
async function sendActive(
  context: SyncContext,
  { session, log, active, isPutAside }: UnsentSession,
): Promise<void> {
  const { record, backend, userId } = context
  const { id, base } = session
  if (!active) return
  // A stopped session admits no change. Its stop was undone, so its document is made anew.
  if (base?.state.kind === 'stopped') {
    await deleteSession(context, base)
    return record.takeIn((draft) => noteMissing(draft, id))
  }
  const state = isPutAside ? { isRunning: false, isPaused: false } : {}
  const send = async () => {
    if (base) {
      const attributes = { ...timerAttributes(active.timer, log), ...state }
      return backend.update('timer_sessions', id, attributes, base.updatedAt)
    }
    const attributes = newSessionAttributes(active.timer, log, { userId, device: record.device })
    return backend.create('timer_sessions', id, { ...attributes, ...state })
  }
  const isTurn = session.awaited === 'pause' || session.awaited === 'resume'
  const answer = sessionFromDocument(await retried(context, send, isTurn ? RETRY_WAITS : []))
  await record.takeIn((draft) => acknowledgeSession(draft, answer, session.log))
}

/** Sends a request. While the backend does not answer, it is repeated after these waits. */
async function retried<T>(
  { wait }: SyncContext,
  send: () => Promise<T>,
  waits: readonly number[],
): Promise<T> {
  for (const milliseconds of waits) {
    try {
      return await send()
    } catch (error) {
      if (!isTemporary(asBackendError(error))) throw error
      await wait(milliseconds)
    }
  }
  return send()
}

/**
 * Ends the session, one request at a time: marks it as stopped, saves its entries, deletes it. It may go
 * on between two requests, because its stop was undone. One that is discarded is not marked, so that no
 * other client finds it stopped and saves it.
 */
async function sendEnded(round: Round, { session, log }: UnsentSession): Promise<void> {
  const { record, backend } = round
  const { id, base } = session
  const stopped = stoppedOf(record.view, id)
  if (stopped && base && base.state.kind !== 'stopped') {
    const attributes = stopAttributes(stopped, log)
    const document = await backend.update('timer_sessions', id, attributes, base.updatedAt)
    const answer = sessionFromDocument(document)
    return record.takeIn((draft) => takeInSession(draft, answer))
  }
  const edits = entryEditsOf(record.view, id)
  if (edits.length > 0) return sendEdits(round, edits)
  if (base && (await lacksEntry(round, base))) return
  if (base) await deleteSession(round, base)
  await record.takeIn((draft) => {
    forgetSession(draft, id)
    dismissBanner(draft, SAVE_FAILED)
  })
}

/**
 * Returns whether the entry of a marked session must be sent again. If it was saved before the session was marked, it is
 * read: a restored backend has the session again and may lack the entry. If the session were deleted without its entry,
 * another device would create the session again, and so on.
 */
async function lacksEntry(round: Round, { id, updatedAt }: TimerSession): Promise<boolean> {
  const { record } = round
  const saved = record.view.entries.get(id)
  if (!saved || saved.updatedAt >= updatedAt || deletesForGood(record.view)) return false
  if (await readEntry(round, id)) return false
  await requireSamePerson(round)
  await record.takeIn((draft) => {
    takeInEarlier(draft, 'entry', id, null)
    // An entry that is sent again does not show the restoration any more, but other changes may be lost too.
    compareAgain(draft, 'entry')
  })
  return true
}

/** Deletes a session, if it exists and has not changed since. */
async function deleteSession({ backend }: SyncContext, { id, updatedAt }: TimerSession) {
  await backend.delete('timer_sessions', id, updatedAt).catch((error: unknown) => {
    if (!isNotFound(error)) throw error
  })
}
