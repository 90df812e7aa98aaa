/**
 * Taking things back: by the toast for ten seconds, and by Ctrl/Cmd+Z for as long as the page is
 * open, the last thing first.
 */
import { showToast } from './toast.tsx'

/** Takes something back; resolves with a sentence when it must stay, or some of it. */
type Undo = () => Promise<string | void>

interface Undoable {
  readonly text: string
  readonly undo: Undo
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
export function offerUndo(text: string, undo: Undo, seconds = Infinity): void {
  const run = async () => {
    done = done.filter((each) => each !== undoable)
    const kept = await undo()
    if (typeof kept === 'string') showToast({ text: kept })
    return kept
  }
  const action = { label: 'Undo', run: async () => void (await run()) }
  const dismiss = showToast({ text, action })
  const undoable = { text, undo: run, dismiss, until: Date.now() + seconds * 1000 }
  done = [...done, undoable].slice(-MOST)
}

/** Takes the last thing back that still can be, and says so. False when there is none. */
export function undoLast(): boolean {
  const last = done.findLast(({ until }) => Date.now() < until)
  if (!last) return false
  last.dismiss()
  void last.undo().then((kept) => {
    if (typeof kept !== 'string') showToast({ text: `Undone: ${last.text}` })
  })
  return true
}

/** What the next person on this page does is not the last one's to take back. */
export function forgetUndo(): void {
  done = []
}
