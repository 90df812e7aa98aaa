/**
 * Taking things back: by the toast for ten seconds, and by Ctrl/Cmd+Z for as long as the page is
 * open, the last thing first.
 */
import { useEffect } from 'react'

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

/** Ctrl/Cmd+Z, outside of what can be typed in: there it is the field's own. */
export function useUndoKey(): void {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey
      if (!isUndo || event.key.toLowerCase() !== 'z' || event.defaultPrevented) return
      if (isEditable(event.target)) return
      const last = done.findLast(({ until }) => Date.now() < until)
      if (!last) return
      event.preventDefault()
      last.dismiss()
      void last.undo().then(() => showToast({ text: `Undone: ${last.text}` }))
    }
    document.addEventListener('keydown', onKeyDown)
    return () => {
      document.removeEventListener('keydown', onKeyDown)
      // What the next person on this page does is not the last one's to take back.
      done = []
    }
  }, [])
}

function isEditable(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input, textarea, select'))
  )
}
