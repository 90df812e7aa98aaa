/** One press on the timer that is shown: here at once, and queued for the backend in the same step. */
import { fold } from '@stint/core/timer/presses.ts'
import type { Press } from '@stint/core/timer/presses.ts'
import type { ActiveTimer } from '@stint/core/timer/timer.ts'

import type { Draft } from './draft.ts'
import { sessionOf } from './edits.ts'
import type { Operation } from './stored.ts'

/**
 * Folds the press into the timer of that session and queues it. Returns the timer before and after it; null, and nothing
 * is done, when that timer is not shown or the press changes nothing. A press that is not `keepTrying` stops the timer
 * when the backend cannot be told of it.
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

/** The presses of a session that the backend has not acknowledged, in order. */
export function unsentPresses(
  draft: Pick<Draft, 'operations'>,
  sessionId: string,
): readonly Press[] {
  return draft.operations
    .all()
    .filter((queued) => sessionOf(queued) === sessionId)
    .flatMap(({ operation }) => (operation.kind === 'press' ? operation.press : []))
}

/** Whether somebody waits for it: it fails, and says so, when the backend cannot be told of it. */
export function isImpatient(operation: Operation): boolean {
  return (operation.kind === 'start' || operation.kind === 'press') && !operation.keepTrying
}
