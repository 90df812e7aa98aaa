/** Discards the session of a failed start. The backend may have created it, and only the answer was lost. */
import { correctTrackedOffline } from '@stint/core/device/correct-continuation.ts'
import { acknowledge, showSession } from '@stint/core/device/timer-answers.ts'
import { endOfParts } from '@stint/core/device/steps.ts'
import { takeIn } from '@stint/core/device/take-in.ts'
import type { Operation, QueuedOperation } from '@stint/core/device/stored.ts'
import { entryFromStopped } from '@stint/core/record/time-entry.ts'
import type { TimerSession } from '@stint/core/record/timer-session.ts'
import { turnsOf } from '@stint/core/timer/presses.ts'
import type { Press } from '@stint/core/timer/presses.ts'
import { stoppedBetween } from '@stint/core/timer/timer.ts'
import type { ActiveTimer } from '@stint/core/timer/timer.ts'

import { isConflict } from '#backend/errors.ts'

import type { SyncContext } from './context.ts'
import { fetchChanges } from './pull.ts'
import { deleteSession, readEntry, readSession, sendTombstone } from './session-documents.ts'

/**
 * Discards the session of a failed start, unless someone has pressed something on it since. In that
 * case the session belongs to that device as well and continues here. A deleted entry remains and tells
 * every device that shows the timer what became of it.
 */
export async function sendDiscard(
  context: SyncContext,
  { sessionId, timer }: Extract<Operation, { kind: 'discard' }>,
  queued: QueuedOperation,
): Promise<void> {
  const { record, backend } = context
  const session = await readSession(backend, sessionId)
  const isChanged = session !== null && session.updatedAt !== session.createdAt
  const isOthers = isChanged && !isAsLeft(session, timer)
  if (session && !isOthers) {
    // From here on the session may be deleted, so Track offline begins a new one.
    const isWanted = await record.takeIn((draft) => {
      const known = draft.operations.get(queued.sequence)
      if (known) draft.operations.put({ ...known, attempts: 1 })
      return known !== undefined
    })
    // Track offline was pressed while the session was read, so the session continues.
    if (!isWanted) return
    const { taskId, startedAt } = timer
    const nothing = stoppedBetween(sessionId, taskId, startedAt, startedAt, timer.pauses)
    const { entry } = await sendTombstone(context, entryFromStopped(nothing))
    await deleteSession(backend, sessionId, session.updatedAt).catch((error: unknown) => {
      if (!isConflict(error)) throw error
    })
    await record.takeIn((draft) => draft.entries.put(entry))
  }
  // Another device may have ended the session and saved it. Track offline leaves that out.
  const saved = session ? null : await readEntry(backend, sessionId)
  // It may have been split since.
  if (saved && saved.updatedAt !== saved.createdAt)
    await fetchChanges(context, 'time_entries', saved.createdAt)
  await record.takeIn((draft) => {
    acknowledge(draft, [queued.sequence], null)
    if (saved) takeIn(draft, 'entry', sessionId, saved)
    if (isOthers) showSession(draft, session)
    // Track offline may have been pressed since, under a new id.
    if (isOthers) correctTrackedOffline(draft, timer, endOf(session))
    else if (saved?.deletedAt === null)
      correctTrackedOffline(draft, timer, endOfParts(draft, saved))
  })
}

/** Returns when a session was stopped, or null when it is active. */
function endOf({ state }: TimerSession): number | null {
  return state.kind === 'stopped' ? state.stopped.endedAt : null
}

/**
 * Returns whether a session is as this device has left it. Some of the presses on a failed start may have
 * arrived although their answers were lost.
 */
function isAsLeft({ state }: TimerSession, timer: ActiveTimer): boolean {
  if (state.kind !== 'active') return false
  const { startedAt, taskId } = state.timer
  const pressed = turnsOf(timer)
  const isOwn = (turn: Press) =>
    pressed.some(({ kind, at }) => kind === turn.kind && at === turn.at)
  return (
    startedAt === timer.startedAt && taskId === timer.taskId && turnsOf(state.timer).every(isOwn)
  )
}
