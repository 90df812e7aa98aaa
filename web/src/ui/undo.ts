/**
 * Undo of actions: from the toast for ten seconds, and by Ctrl/Cmd+Z while the page is open, the last
 * action first.
 */
import { t } from '@stint/core/text.ts'
import { showToast } from './toast.tsx'

/** Undoes an action; resolves with a sentence when it cannot be undone, or only in part. */
type Undo = () => Promise<string | void>

interface Undoable {
  /** What a toast says after the undo. */
  readonly undone: string
  readonly undo: Undo
  readonly dismiss: () => void
  /** Epoch milliseconds until which the action can be undone. */
  readonly until: number
}

const MAX_UNDOABLE = 50
let done: readonly Undoable[] = []

/**
 * Shows what was done with an Undo button. `seconds` limits the undo where its effect changes with
 * time: undoing a stop counts the time since. `undone` says what an undo by keyboard has done. With
 * `several`, its text, actions of this text that follow each other are one line, whose Undo undoes all of
 * them.
 */
export function offerUndo(
  text: string,
  undo: Undo,
  {
    seconds = Infinity,
    undone = t('Undone: {action}', { action: text }),
    several,
  }: {
    seconds?: number
    undone?: string | undefined
    several?: ((count: number) => string) | undefined
  } = {},
): void {
  const run = async () => {
    done = done.filter((each) => each !== undoable)
    const kept = await undo()
    if (typeof kept === 'string') showToast({ text: kept })
    return kept
  }
  const action = { label: t('Undo'), run: async () => void (await run()) }
  const dismiss = showToast({ text, action, several })
  const undoable = { undone, undo: run, dismiss, until: Date.now() + seconds * 1000 }
  done = [...done, undoable].slice(-MAX_UNDOABLE)
}

/**
 * Undoes the last action that still can be undone and shows a toast. Returns false when there is none.
 */
export function undoLast(): boolean {
  const last = done.findLast(({ until }) => Date.now() < until)
  if (!last) return false
  last.dismiss()
  void last.undo().then((kept) => {
    if (typeof kept !== 'string') showToast({ text: last.undone })
  })
  return true
}

/** Forgets all actions, so that the next person on this page cannot undo them. */
export function forgetUndo(): void {
  done = []
}
