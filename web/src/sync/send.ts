/**
 * Sends what the backend lacks: the operations of the timer in order, and the edits. One tab sends at a
 * time. Nothing is forgotten before the backend has acknowledged it, and each call can be repeated.
 */
import { codesOf, noteEvent } from '#diagnostics/event-log.ts'
import { isHeld, sessionOf } from '#record/edits.ts'
import { isImpatient } from '#record/press.ts'
import type { LocalRecord } from '#record/record.ts'
import type { Edit, QueuedOperation } from '#record/stored.ts'
import { failStart, failTurn, showSaveFailed } from '#record/timer-answers.ts'
import { BackendError, isTemporary } from '#backend/errors.ts'

import type { Round, SyncContext } from './context.ts'
import { correctInstants } from './correct-instants.ts'
import { nextEdits, refuseEdits, sendEdits } from './send-edits.ts'
import { sendSession } from './send-session.ts'
import { startFailedText } from './start-failure.ts'

export type SendResult =
  /** The backend lacks nothing that it would take. */
  | { readonly status: 'empty' }
  /** Something waits for the backend to come back. */
  | { readonly status: 'blocked'; readonly error: BackendError }
  /** The sign-in has ended: parked until the same user is back. */
  | { readonly status: 'signed-out' }

/** What is sent next: what was pressed on one session, or edits of one kind. */
type Step = { readonly queued: readonly QueuedOperation[] } | { readonly edits: readonly Edit[] }

/**
 * Sends until nothing is left or the backend cannot be reached. Must run under the lock of the record's
 * sync. Never throws for what a backend answers.
 */
export async function sendAll(context: SyncContext): Promise<SendResult> {
  // What another tab has sent is not sent again.
  await context.record.refresh()
  const round: Round = { ...context, asked: new Set(), alone: new Set(), conflicts: 0 }
  for (;;) {
    await knowTheTime(context)
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
      await failImpatient(round, error)
      // What has failed leaves other work: a stop to save, a session to throw away.
      if (isAwaited(step)) continue
      if ('queued' in step) await noteAttempt(round.record, step.queued)
      return { status: 'blocked', error }
    }
    await refuse(round, step, error)
  }
}

/** What a clock wrote that nobody had confirmed is corrected before it is sent. */
async function knowTheTime({ record, backend }: SyncContext): Promise<void> {
  if (!record.value('clock')) return
  await backend.serverInfo().catch(() => null)
  const reading = record.clock.reading?.()
  if (reading) await record.takeIn((draft, now) => correctInstants(draft, reading, now))
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

/** Sends a step; what is done of it is forgotten. Returns what went wrong, or null. */
async function attempt(round: Round, step: Step): Promise<BackendError | null> {
  try {
    if ('edits' in step) await sendEdits(round, step.edits)
    else await sendSession(round, step.queued)
    return null
  } catch (error) {
    if (!(error instanceof BackendError)) throw error
    return error
  }
}

/** Whether somebody waits to see this work. */
function isAwaited(step: Step): boolean {
  return 'queued' in step && step.queued.some(({ operation }) => isImpatient(operation))
}

/** A start, pause or resume that is not tracked offline does not wait for better times: it fails, and says so. */
function failImpatient({ record }: Round, error: BackendError): Promise<void> {
  return record.takeIn((draft, now) => {
    for (const queued of draft.operations.all()) {
      const { operation, sequence } = queued
      if (!isImpatient(operation) || !draft.operations.get(sequence)) continue
      if (operation.kind === 'start') {
        draft.operations.remove(sequence)
        failStart(draft, operation.timer, startFailedText(error), now)
      } else if (operation.kind === 'press') {
        const { press, sessionId } = operation
        // What was pressed counts: the stop that follows is sent with it.
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

/** The backend will never take this: it is kept, counted and shown, never silently dropped. */
async function refuse(round: Round, step: Step, error: BackendError): Promise<void> {
  if ('edits' in step) {
    noteEvent(`refused: ${step.edits[0]?.kind ?? ''}, ${codesOf(error)}`)
    return refuseEdits(round, step.edits, error)
  }
  await failImpatient(round, error)
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
