/**
 * Sends everything that the backend lacks: the timer operations in order, and the edits. One tab
 * sends at a time. An operation or edit stays queued until the backend has acknowledged it, and
 * each call can be repeated.
 */
import { codesOf, noteEvent } from '#diagnostics/event-log.ts'
import { sessionOf } from '@stint/core/device/edits.ts'
import { isAwaitedByUser } from '@stint/core/device/press.ts'
import type { Edit, QueuedOperation } from '@stint/core/device/stored.ts'
import {
  editsBefore,
  nextEdits,
  nextNewTask,
  refuseEdits,
} from '@stint/core/device/unsent-edits.ts'
import {
  failAwaitedByUser,
  nextOperations,
  noteAttempt,
  refuseOperations,
} from '@stint/core/device/unsent-operations.ts'
import { BackendError, isTemporary } from '#backend/errors.ts'

import { confirmClock } from './confirm-clock.ts'
import type { Round, SyncContext } from './context.ts'
import { refusalOf, sendEdits } from './send-edits.ts'
import { sendSession } from './send-session.ts'
import { startFailedText } from './start-failure.ts'

/**
 * How long a press that cannot be sent waits before it fails, in milliseconds. A browser ends the
 * requests of a page that is left a moment before the page itself, and the next page sends the press
 * again.
 */
const LEAVING_MILLISECONDS = 2000

export type SendResult =
  /** The backend has everything that it would accept. */
  | { readonly status: 'empty' }
  /** Something is queued until the backend can be reached again. */
  | { readonly status: 'blocked'; readonly error: BackendError }
  /** The sign-in has ended. Sending is paused until the same user is back. */
  | { readonly status: 'signed-out' }

/** The next step of sending: operations of one session, or edits of one kind. */
type Step = { readonly queued: readonly QueuedOperation[] } | { readonly edits: readonly Edit[] }

/**
 * Sends until nothing is left or the backend cannot be reached. Must run under the sync lock of the
 * record. Never throws for an answer of the backend.
 */
export async function sendAll(context: SyncContext): Promise<SendResult> {
  // Another tab may have sent some of it already.
  await context.record.refresh()
  const round: Round = { ...context, asked: new Set(), alone: new Set(), conflicts: 0 }
  for (;;) {
    const unconfirmed = await errorOf(confirmClock(context))
    const step = nextStep(round)
    if (!step) return { status: 'empty' }
    const error = unconfirmed ?? (await errorOf(send(round, step)))
    if (!error) continue
    if (error.kind === 'signed-out') {
      await failAwaited(round, error)
      return { status: 'signed-out' }
    }
    // The entries have used up their rate limit. A timer that was pressed meanwhile still has
    // writes left.
    const isPaced = error.kind === 'rate-limited' && isEntries(step)
    if (isPaced && !isEntries(nextStep(round))) continue
    if (isTemporary(error)) {
      if (error.kind === 'unreachable' && navigator.onLine) await waitForLeaving(round)
      await failAwaited(round, error)
      // The failure has added other work: a stop to save, or a session to discard.
      if (isAwaited(step)) continue
      if ('queued' in step)
        await round.record.takeIn((draft, now) => noteAttempt(draft, step.queued, now))
      return { status: 'blocked', error }
    }
    await refuse(round, step, error)
  }
}

/**
 * Returns the next step. A timer never waits behind the entries of an import, but its task must
 * exist first.
 */
function nextStep(round: Round): Step | null {
  const { view } = round.record
  const newTask = nextNewTask(view)
  if (newTask.length > 0) return { edits: newTask }
  const queued = nextOperations(view)
  const [first] = queued
  if (first) {
    const before = editsBefore(view, sessionOf(first))
    return before.length > 0 ? { edits: before } : { queued }
  }
  const edits = nextEdits(view, round.alone)
  return edits.length > 0 ? { edits } : null
}

function isEntries(step: Step | null): boolean {
  return step !== null && 'edits' in step && step.edits[0]?.kind === 'entry'
}

/** Sends a step and removes what succeeded. Rejects with BackendError. */
function send(round: Round, step: Step): Promise<void> {
  return 'edits' in step ? sendEdits(round, step.edits) : sendSession(round, step.queued)
}

/** Returns the error of the backend, or null. */
async function errorOf(work: Promise<void>): Promise<BackendError | null> {
  try {
    await work
    return null
  } catch (error) {
    if (!(error instanceof BackendError)) throw error
    return error
  }
}

/** Returns whether the user waits for the result of this step. */
function isAwaited(step: Step): boolean {
  return 'queued' in step && step.queued.some(({ operation }) => isAwaitedByUser(operation))
}

/** Waits if the user waits for a press. Does not return when the page is being left. */
async function waitForLeaving({ record, wait }: Round): Promise<void> {
  const queued = record.view.operations.all()
  if (queued.some(({ operation }) => isAwaitedByUser(operation))) await wait(LEAVING_MILLISECONDS)
}

function failAwaited({ record }: Round, error: BackendError): Promise<void> {
  return record.takeIn((draft, now) => failAwaitedByUser(draft, startFailedText(error), now))
}

/**
 * Handles work that the backend will never accept. The work is kept, counted and shown, and never
 * dropped silently.
 */
async function refuse({ record }: Round, step: Step, error: BackendError): Promise<void> {
  const kind = 'edits' in step ? step.edits[0]?.kind : step.queued.at(-1)?.operation.kind
  const refusal = refusalOf(error)
  await record.takeIn((draft, now) => {
    if ('edits' in step) return refuseEdits(draft, step.edits, refusal)
    failAwaitedByUser(draft, startFailedText(error), now)
    if (!isAwaited(step)) refuseOperations(draft, step.queued, refusal, now)
  })
  if (!isAwaited(step)) noteEvent(`refused: ${kind ?? ''}, ${codesOf(error)}`)
}
