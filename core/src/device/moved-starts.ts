/**
 * Starts that moves from here have replaced. When the backend has one of them again, it was restored
 * from a backup, and the last move is pressed again. A start in whole seconds may also have been typed
 * again on another device.
 */
import type { Press } from '#timer/presses.ts'

import type { Draft, View } from './draft.ts'

/**
 * Records the moves of the start among operations that the backend has. `startedAt` is the start of
 * the session with them. Another one than that of the last move means that a move elsewhere counts, which
 * its device may take back.
 */
export function noteMoves(
  draft: Draft,
  sequences: readonly number[],
  { sessionId, startedAt: to }: { readonly sessionId: string; readonly startedAt: number },
): void {
  const moves = sequences.flatMap((sequence) => {
    const operation = draft.operations.get(sequence)?.operation
    const isMove = operation?.kind === 'press' && operation.press.kind === 'move'
    return isMove ? operation.press : []
  })
  const starts = moves.filter((move) => move.from.startedAt !== move.to.startedAt)
  if (starts.at(-1)?.to.startedAt !== to) return
  const moved = draft.value('moved')
  const before = moved?.sessionId === sessionId ? moved.from : []
  const replaced = starts.map((move) => move.from.startedAt)
  const from = [...before, ...replaced].filter((start) => start !== to && start % 1000 !== 0)
  draft.putValue({ key: 'moved', sessionId, from, to })
}

/**
 * Returns the last move of the start from here, as a press at `at`, if the session has a start that this move
 * or an earlier one had replaced. Otherwise returns an empty list.
 */
export function lostMoves(
  view: Pick<View, 'value'>,
  { sessionId, startedAt, taskId }: { sessionId: string; startedAt: number; taskId: string },
  at: number,
): readonly Press[] {
  const moved = view.value('moved')
  if (moved?.sessionId !== sessionId || !moved.from.includes(startedAt)) return []
  const to = { startedAt: moved.to, taskId }
  return [{ kind: 'move', at, from: { startedAt, taskId }, to, pauses: [] }]
}
