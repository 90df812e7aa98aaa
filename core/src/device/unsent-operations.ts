/**
 * The queue of timer operations: what is sent next, and what becomes of it when a request fails.
 */
import type { Draft, View } from './draft.ts'
import { isHeld, sessionOf } from './edits.ts'
import { isAwaitedByUser } from './press.ts'
import type { Operation, QueuedOperation, Refusal } from './stored.ts'
import { failStart, failTurn, showSaveFailed } from './timer-answers.ts'

/**
 * Returns the operations to send next: those of one session that follow each other in the queue. A
 * start that was stopped since is sent together with its stop, although something of another session
 * may lie between them. Refused ones wait for their owner.
 */
export function nextOperations(view: View): readonly QueuedOperation[] {
  const queued = view.operations.all().filter((each) => !isHeld(each))
  const [first] = queued
  if (!first) return []
  const own = queued.filter((each) => sessionOf(each) === sessionOf(first))
  const isOver = own.some(({ operation }) => operation.kind === 'stop')
  if (first.operation.kind === 'start' && isOver) return own
  return own.filter((each, index) => each === queued[index])
}

/**
 * Records the operations as sent, because the answer may be lost. Returns them as they are then,
 * because a note may have been typed on. From here on, the next input is a press of its own.
 */
export function claimOperations(draft: Draft, queued: readonly QueuedOperation[]): Operation[] {
  return queued.map((each) => {
    const known = draft.operations.get(each.sequence)
    if (known) draft.operations.put({ ...known, attempts: known.attempts + 1 })
    return (known ?? each).operation
  })
}

/**
 * Fails every start, pause or resume that is not tracked offline. Such a press is not retried later.
 * `startFailed` is the error text of a start.
 */
export function failAwaitedByUser(draft: Draft, startFailed: string, now: number): void {
  for (const queued of draft.operations.all()) {
    const { operation, sequence } = queued
    if (!isAwaitedByUser(operation) || !draft.operations.get(sequence)) continue
    if (operation.kind === 'start') {
      draft.operations.remove(sequence)
      failStart(draft, operation.timer, startFailed, now)
    } else if (operation.kind === 'press') {
      const { press, sessionId } = operation
      // The press counts and is sent with the stop that follows.
      draft.operations.put({ ...queued, operation: { ...operation, keepTrying: true } })
      if (press.kind === 'pause' || press.kind === 'resume')
        failTurn(draft, sessionId, press.kind, now)
    }
  }
}

/** Counts a failed attempt of each operation, and shows what it means for the timer. */
export function noteAttempt(draft: Draft, queued: readonly QueuedOperation[], now: number): void {
  for (const { sequence } of queued) {
    const each = draft.operations.get(sequence)
    if (!each || each.operation.kind === 'discard') continue
    draft.operations.put({ ...each, attempts: each.attempts + 1 })
    if (each.operation.kind === 'stop' && each.attempts <= 1) showSaveFailed(draft, now)
    const shown = draft.value('timer')
    if (each.operation.kind === 'start' && shown?.timer.sessionId === sessionOf(each))
      draft.putValue({ ...shown, phase: 'offline' })
  }
}

/** Keeps operations that the backend will never accept. They are counted and shown. */
export function refuseOperations(
  draft: Draft,
  queued: readonly QueuedOperation[],
  refused: Refusal,
  now: number,
): void {
  for (const { sequence } of queued) {
    const each = draft.operations.get(sequence)
    if (!each) continue
    draft.operations.put({ ...each, refused })
    if (each.operation.kind === 'stop') showSaveFailed(draft, now)
  }
}

/** Marks every refused operation and edit for another try, after the user has pressed Retry. */
export function retryRefused(draft: Draft): void {
  for (const queued of draft.operations.all()) {
    const { refused } = queued
    if (refused) draft.operations.put({ ...queued, refused: { ...refused, isRetried: true } })
  }
  for (const edit of draft.edits.all()) {
    const { refused } = edit
    if (refused) draft.edits.put({ ...edit, refused: { ...refused, isRetried: true } })
  }
}
