/**
 * Sends what the backend lacks: the operations of the timer in order, and the edits. One tab sends at a
 * time. Nothing is forgotten before the backend has acknowledged it, and each call can be repeated.
 */
import { codesOf, noteEvent } from '#record/event-log.ts'
import { isHeld } from '#record/edits.ts'
import type { LocalRecord } from '#record/record.ts'
import type { Edit, Operation, QueuedOperation } from '#record/stored.ts'
import { PAUSE_FAILED, RESUME_FAILED } from '#record/timer-texts.ts'
import { failChange, failStart, showSaveFailed } from '#record/timer-answers.ts'
import { BackendError, isTemporary } from '#backend/errors.ts'

import type { Round, SyncContext } from './context.ts'
import { nextEdits, refuseEdits, sendEdits } from './send-edits.ts'
import { sendChange, sendDelete, sendRestated, sendStart, sendStop } from './send-operations.ts'
import { startFailedText } from './start-failure.ts'

export type SendResult =
  /** The backend lacks nothing that it would take. */
  | { readonly status: 'empty' }
  /** Something waits for the backend to come back. */
  | { readonly status: 'blocked'; readonly error: BackendError }
  /** The sign-in has ended: parked until the same user is back. */
  | { readonly status: 'signed-out' }

/** What is sent next: an operation, or edits of one kind. */
type Step = { readonly queued: QueuedOperation } | { readonly edits: readonly Edit[] }

/**
 * Sends until nothing is left or the backend cannot be reached. Must run under the lock of the record's
 * sync. Never throws for what a backend answers.
 */
export async function sendAll(context: SyncContext): Promise<SendResult> {
  // What another tab has sent is not sent again.
  await context.record.refresh()
  const round: Round = { ...context, neverSent: new Set(), asked: new Set(), alone: new Set() }
  for (;;) {
    const step = nextStep(round)
    if (!step) return { status: 'empty' }
    const error = await attempt(round, step)
    if (!error) continue
    if (error.kind === 'signed-out') {
      await failImpatient(round, error)
      return { status: 'signed-out' }
    }
    // A timer that was pressed while entries were sent has writes of its own left.
    const isPaced = error.kind === 'rate-limited' && isEntries(step)
    if (isPaced && !isEntries(nextStep(round))) continue
    if (isTemporary(error)) {
      const failed = await failImpatient(round, error)
      if ('queued' in step) {
        if (failed.includes(step.queued.sequence)) continue
        await noteAttempt(round.record, step.queued)
      }
      return { status: 'blocked', error }
    }
    await refuse(round, step, error)
  }
}

/** Gives what was refused another chance: the user pressed Retry. */
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

/** A timer never waits behind the entries of an import; but its task must be there first. */
function nextStep(round: Round): Step | null {
  const newTask = nextEdits(round, true)
  if (newTask.length > 0) return { edits: newTask }
  const queued = round.record.view.operations.all().find((each) => !isHeld(each))
  if (queued) return { queued }
  const edits = nextEdits(round, false)
  return edits.length > 0 ? { edits } : null
}

function isEntries(step: Step | null): boolean {
  return step !== null && 'edits' in step && step.edits[0]?.kind === 'entry'
}

/** Sends a step; what is done of it is forgotten. Returns what went wrong, or null. */
async function attempt(round: Round, step: Step): Promise<BackendError | null> {
  try {
    if ('edits' in step) await sendEdits(round, step.edits)
    else {
      const { operation, sequence } = step.queued
      await sendOperation(round, operation)
      await round.record.takeIn((draft) => draft.operations.remove(sequence))
    }
    return null
  } catch (error) {
    if (!(error instanceof BackendError)) throw error
    return error
  }
}

function sendOperation(round: Round, operation: Operation): Promise<void> {
  switch (operation.kind) {
    case 'start':
      return sendStart(round, operation)
    case 'pause':
    case 'resume':
      return sendChange(round, operation.timer)
    case 'stop':
      return sendStop(round, operation.stopped)
    case 'restate':
      return sendRestated(round, operation.sessionId)
    case 'discard':
      return sendDelete(round, operation.sessionId)
  }
}

/**
 * A start, pause or resume does not wait for better times: it fails, says so, and leaves the queue.
 * Returns the numbers of those that failed.
 */
function failImpatient({ record }: Round, error: BackendError): Promise<readonly number[]> {
  return record.takeIn((draft, now) => {
    const failed: number[] = []
    for (const { sequence, operation } of draft.operations.all()) {
      if (!isImpatient(operation)) continue
      failed.push(sequence)
      draft.operations.remove(sequence)
      const { kind, timer } = operation
      if (kind === 'start') failStart(draft, timer, startFailedText(error))
      else failChange(draft, timer, kind === 'pause' ? PAUSE_FAILED : RESUME_FAILED, now)
    }
    return failed
  })
}

function isImpatient(
  operation: Operation,
): operation is Extract<Operation, { kind: 'start' | 'pause' | 'resume' }> {
  const { kind } = operation
  return kind === 'pause' || kind === 'resume' || (kind === 'start' && !operation.keepTrying)
}

async function noteAttempt(record: LocalRecord, queued: QueuedOperation): Promise<void> {
  await record.takeIn((draft) => {
    draft.operations.put({ ...queued, attempts: queued.attempts + 1 })
    if (queued.operation.kind === 'stop' && queued.attempts === 0) showSaveFailed(draft)
  })
}

/** The backend will never take this: it is kept, counted and shown, never silently dropped. */
async function refuse(round: Round, step: Step, error: BackendError): Promise<void> {
  if ('edits' in step) {
    noteEvent(`refused: ${step.edits[0]?.kind ?? ''}, ${codesOf(error)}`)
    return refuseEdits(round, step.edits, error)
  }
  const { queued } = step
  const failed = await failImpatient(round, error)
  if (failed.includes(queued.sequence)) return
  noteEvent(`refused: ${queued.operation.kind}, ${codesOf(error)}`)
  await round.record.takeIn((draft) => {
    const isOverQuota = error.kind === 'over-quota'
    draft.operations.put({
      ...queued,
      refused: { message: error.message, isOverQuota, isRetried: false },
    })
    if (queued.operation.kind === 'stop') showSaveFailed(draft)
  })
}
