/** The mapping of keys to shortcuts. */
import { letterOf } from '#ui/key-letter.ts'

import { isApple } from './api.ts'
import type { Shortcut } from './api.ts'

const KEYS: Readonly<Record<string, Shortcut>> = {
  n: 'start',
  s: 'stop',
  p: 'pause',
  c: 'continue',
  a: 'add',
  '/': 'search',
  '?': 'sheet',
}

/** The second keys after G. */
const PAGES: Readonly<Record<string, Shortcut>> = {
  d: 'dashboard',
  t: 'tasks',
  r: 'reports',
  s: 'settings',
}

/** The maximum time between the two keys of a sequence. */
const CHORD_MILLISECONDS = 1_500

/**
 * Calls back for every pressed shortcut, starting with those among the `early` keys, which were pressed
 * before this code had loaded. Returns a function that stops it. Single keys are ignored while
 * `singleKeys()` is false, in editable elements, during composition, and while a dialog is open.
 */
export function listenForKeys(
  onShortcut: (shortcut: Shortcut) => void,
  singleKeys: () => boolean,
  early: readonly KeyboardEvent[] = [],
): () => void {
  let pressedG = -CHORD_MILLISECONDS
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented && !early.includes(event)) return
    const shortcut = shortcutOf(event)
    if (!shortcut) return
    event.preventDefault()
    onShortcut(shortcut)
  }
  for (const event of early) onKeyDown(event)
  document.addEventListener('keydown', onKeyDown)
  return () => document.removeEventListener('keydown', onKeyDown)

  function shortcutOf(event: KeyboardEvent): Shortcut | undefined {
    // 229: Safari's key that ends a composition, after `isComposing` is false again.
    if (event.repeat || event.isComposing || event.keyCode === 229) return
    if (document.querySelector('dialog[open]')) return
    const key = letterOf(event)
    const typing = isTyping(event.target)
    if (event.ctrlKey || event.metaKey) {
      // In a text field on a Mac, Ctrl-K deletes to the end of the line.
      const wanted = key === 'k' && !event.altKey && !event.shiftKey
      return wanted && !(typing && event.ctrlKey && isApple()) ? 'palette' : undefined
    }
    if (event.altKey || typing || !singleKeys()) return
    const isSecond = event.timeStamp - pressedG < CHORD_MILLISECONDS
    pressedG = key === 'g' && !isSecond ? event.timeStamp : -CHORD_MILLISECONDS
    return isSecond ? PAGES[key] : KEYS[key]
  }
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input, textarea, select'))
  )
}
