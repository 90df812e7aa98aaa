/**
 * Sends everything that the backend lacks: the timer operations in order, and the edits. One tab
 * sends at a time. An operation or edit stays queued until the backend has acknowledged it, and
 * each call can be repeated.
 */
import { codesOf, noteEvent } from '#diagnostics/event-log.ts'
import { isHeld, sessionOf } from '#record/edits.ts'
import { isAwaitedByUser } from '#record/press.ts'
import type { LocalRecord } from '#record/record.ts'
import type { Edit, QueuedOperation } from '#record/stored.ts'
import { failStart, failTurn, showSaveFailed } from '#record/timer-answers.ts'
import { BackendError, isTemporary } from '#backend/errors.ts'

import type { Round, SyncContext } from './context.ts'
import { nextEdits, refuseEdits, sendEdits } from './send-edits.ts'
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
      await failAwaitedByUser(round, error)
      return { status: 'signed-out' }
    }
    // The entries have used up their rate limit. A timer that was pressed meanwhile still has
    // writes left.
    const isPaced = error.kind === 'rate-limited' && isEntries(step)
    if (isPaced && !isEntries(nextStep(round))) continue
    if (isTemporary(error)) {
      if (error.kind === 'unreachable' && navigator.onLine) await waitForLeaving(round)
      await failAwaitedByUser(round, error)
      // The failure has added other work: a stop to save, or a session to discard.
      if (isAwaited(step)) continue
      if ('queued' in step) await noteAttempt(round.record, step.queued)
      return { status: 'blocked', error }
    }
    await refuse(round, step, error)
  }
}

/**
 * Corrects the instants of an unconfirmed clock before they are sent. Rejects with BackendError
 * while the server does not confirm the clock. A server that does not tell the time, as a real
 * Appwrite, receives them as they are.
 */
async function confirmClock({ record, backend }: SyncContext): Promise<void> {
  if (!record.value('clock')) return
  const info = await backend.serverInfo()
  await record.takeIn(() => undefined)
  // The answer took too long to tell the time.
  if (typeof info?.serverTime === 'number' && record.value('clock'))
    throw new BackendError('unreachable', 'The clock is not confirmed')
}

/** Marks every refused item for another try, after the user has pressed Retry. */
export async function retryRefused(record: LocalRecord): Promise<void> {
  await record.takeIn((draft) => {
    for (const queued of draft.operations.all()) {
      const { refused } = queued
      if (refused) draft.operations.put({ ...queued, refused: { ...refused, isRetried: true } })
    }
    for (const edit of draft.edits.all()) {
      const { refused } = edit
      if (refused) draft.edits.put({ ...edit, refused: { ...refused, isRetried: true } })
    }
  })
}

/**
 * Returns the next step. A timer never waits behind the entries of an import, but its task must
 * exist first.
 */
function nextStep(round: Round): Step | null {
  const newTask = nextEdits(round, true)
  if (newTask.length > 0) return { edits: newTask }
  const queued = round.record.view.operations.all().filter((each) => !isHeld(each))
  const [first] = queued
  if (first) {
    const others = queued.findIndex((each) => sessionOf(each) !== sessionOf(first))
    return { queued: others < 0 ? queued : queued.slice(0, others) }
  }
  const edits = nextEdits(round, false)
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

/**
 * Fails every start, pause or resume that is not tracked offline, with an error text. Such a press
 * is not retried later.
 */
function failAwaitedByUser({ record }: Round, error: BackendError): Promise<void> {
  return record.takeIn((draft, now) => {
    for (const queued of draft.operations.all()) {
      const { operation, sequence } = queued
      if (!isAwaitedByUser(operation) || !draft.operations.get(sequence)) continue
      if (operation.kind === 'start') {
        draft.operations.remove(sequence)
        failStart(draft, operation.timer, startFailedText(error), now)
      } else if (operation.kind === 'press') {
        const { press, sessionId } = operation
        // The press counts and is sent with the stop that follows.
        draft.operations.put({ ...queued, operation: { ...operation, keepTrying: true } })
        if (press.kind === 'pause' || press.kind === 'resume')
          failTurn(draft, sessionId, press.kind, now)
      }
    }
  })
}

async function noteAttempt(record: LocalRecord, queued: readonly QueuedOperation[]): Promise<void> {
  await record.takeIn((draft, now) => {
    for (const { sequence } of queued) {
      const each = draft.operations.get(sequence)
      if (!each || each.operation.kind === 'discard') continue
      draft.operations.put({ ...each, attempts: each.attempts + 1 })
      if (each.operation.kind === 'stop' && each.attempts <= 1) showSaveFailed(draft, now)
      const shown = draft.value('timer')
      if (each.operation.kind === 'start' && shown?.timer.sessionId === sessionOf(each))
        draft.putValue({ ...shown, phase: 'offline' })
    }
  })
}

/**
 * Handles work that the backend will never accept. The work is kept, counted and shown, and never
 * dropped silently.
 */
async function refuse(round: Round, step: Step, error: BackendError): Promise<void> {
  if ('edits' in step) {
    noteEvent(`refused: ${step.edits[0]?.kind ?? ''}, ${codesOf(error)}`)
    return refuseEdits(round, step.edits, error)
  }
  await failAwaitedByUser(round, error)
  if (isAwaited(step)) return
  const [last] = step.queued.slice(-1)
  noteEvent(`refused: ${last?.operation.kind ?? ''}, ${codesOf(error)}`)
  await round.record.takeIn((draft, now) => {
    const isOverQuota = error.kind === 'over-quota'
    for (const { sequence } of step.queued) {
      const each = draft.operations.get(sequence)
      if (!each) continue
      const refused = { message: error.message, isOverQuota, isRetried: false }
      draft.operations.put({ ...each, refused })
      if (each.operation.kind === 'stop') showSaveFailed(draft, now)
    }
  })
}
