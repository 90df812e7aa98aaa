/**
 * Taking things back: by the toast for ten seconds, and by Ctrl/Cmd+Z for as long as the page is
 * open, the last thing first.
 */
import { showToast } from './toast.tsx'

interface Undoable {
  readonly text: string
  readonly undo: () => Promise<void>
  readonly dismiss: () => void
  /** Epoch milliseconds after which it no longer means what it said. */
  readonly until: number
}

const MOST = 50
let done: readonly Undoable[] = []

/**
 * Says what was done and offers to take it back. `seconds`, where what Undo would do changes with
 * time: a timer that was stopped counts the time since.
 */
export function offerUndo(text: string, undo: () => Promise<void>, seconds = Infinity): void {
  const run = async () => {
    done = done.filter((each) => each !== undoable)
    await undo()
  }
  const dismiss = showToast({ text, action: { label: 'Undo', run } })
  const undoable = { text, undo: run, dismiss, until: Date.now() + seconds * 1000 }
  done = [...done, undoable].slice(-MOST)
}

/** Takes the last thing back that still can be, and says so. False when there is none. */
export function undoLast(): boolean {
  const last = done.findLast(({ until }) => Date.now() < until)
  if (!last) return false
  last.dismiss()
  void last.undo().then(() => showToast({ text: `Undone: ${last.text}` }))
  return true
}

/** What the next person on this page does is not the last one's to take back. */
export function forgetUndo(): void {
  done = []
}
