/**
 * One press on the shown timer. It changes the timer here at once and is queued for the backend in
 * the same step.
 */
import { fold } from '#timer/presses.ts'
import type { Press } from '#timer/presses.ts'
import { withNote } from '#timer/timer.ts'
import type { ActiveTimer } from '#timer/timer.ts'

import type { Draft } from './draft.ts'
import { sessionOf } from './edits.ts'
import type { Operation } from './stored.ts'

/**
 * Folds the press into the timer of that session and queues it. Returns the timer before and after
 * the press. Returns null and does nothing when that timer is not shown or the press changes
 * nothing. Without `keepTrying`, a press that cannot be sent to the backend stops the timer.
 */
export function press(
  draft: Draft,
  pressed: Press,
  sessionId: string,
  { keepTrying = true }: { keepTrying?: boolean } = {},
): { readonly before: ActiveTimer; readonly after: ActiveTimer } | null {
  const shown = draft.value('timer')
  if (shown?.timer.sessionId !== sessionId) return null
  const folded = fold(shown.timer, [pressed], -Infinity)
  const isSame = JSON.stringify(folded) === JSON.stringify({ kind: 'active', timer: shown.timer })
  if (folded.kind === 'stopped' || isSame) return null
  draft.putValue({ ...shown, timer: folded.timer })
  draft.addOperation({ kind: 'press', sessionId, press: pressed, keepTrying })
  return { before: shown.timer, after: folded.timer }
}

/**
 * Changes the note of that session, if its timer is shown. Inputs that follow each other are one
 * press until it is sent, because each key is an input.
 */
export function setNote(draft: Draft, sessionId: string, note: string, now: number): void {
  const shown = draft.value('timer')
  if (shown?.timer.sessionId !== sessionId) return
  const from = shown.timer.note ?? ''
  if (note === from) return
  draft.putValue({ ...shown, timer: withNote(shown.timer, note) })
  const press: Press = { kind: 'note', at: now, from, to: note }
  const operation: Operation = { kind: 'press', sessionId, press, keepTrying: true }
  const last = draft.operations.all().at(-1)
  const typed = last?.attempts === 0 && sessionOf(last) === sessionId ? last.operation : null
  if (last && typed?.kind === 'press' && typed.press.kind === 'note')
    draft.operations.put({
      ...last,
      operation: { ...operation, press: { ...press, from: typed.press.from } },
    })
  else draft.addOperation(operation)
}

/** Returns the presses of a session that the backend has not acknowledged, in order. */
export function unsentPresses(
  draft: Pick<Draft, 'operations'>,
  sessionId: string,
): readonly Press[] {
  return draft.operations
    .all()
    .filter((queued) => sessionOf(queued) === sessionId)
    .flatMap(({ operation }) => (operation.kind === 'press' ? operation.press : []))
}

/**
 * Returns whether the user waits for the operation. Such an operation fails with an error text when
 * the backend cannot be reached.
 */
export function isAwaitedByUser(operation: Operation): boolean {
  return (operation.kind === 'start' || operation.kind === 'press') && !operation.keepTrying
}
