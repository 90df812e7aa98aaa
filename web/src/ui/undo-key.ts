import { useEffect } from 'react'

import { letterOf } from './key-letter.ts'
import { forgetUndo, undoLast } from './undo.ts'

/** Undoes the last action on Ctrl/Cmd+Z, except in an editable element, which has its own undo. */
export function useUndoKey(): void {
  useEffect(() => {
    document.addEventListener('keydown', onKeyDown)
    return () => {
      document.removeEventListener('keydown', onKeyDown)
      forgetUndo()
    }
  }, [])
}

function onKeyDown(event: KeyboardEvent): void {
  const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey
  if (!isUndo || letterOf(event) !== 'z' || event.defaultPrevented) return
  if (!isEditable(event.target) && undoLast()) event.preventDefault()
}

function isEditable(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches('input:not([type="file"], [type="checkbox"]), textarea, select'))
  )
}
