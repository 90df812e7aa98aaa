/** Which key means what. */
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

/** After G. */
const PAGES: Readonly<Record<string, Shortcut>> = {
  d: 'dashboard',
  t: 'tasks',
  r: 'reports',
  s: 'settings',
}

/** The second key of two must follow this soon. */
const CHORD_MILLISECONDS = 1_500

/**
 * Calls back for every shortcut that is pressed, beginning with those among the `early` keys, which
 * came before anybody listened; returns a function that stops it. Single keys do nothing while `singleKeys`
 * is false, nor where somebody types, composes, or answers a dialog.
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
    // 229: Safari's key that ends a composition, when `isComposing` has gone already.
    if (event.repeat || event.isComposing || event.keyCode === 229) return
    if (document.querySelector('dialog[open]')) return
    const key = letterOf(event)
    const typing = isTyping(event.target)
    if (event.ctrlKey || event.metaKey) {
      // In a field of a Mac, Ctrl-K cuts the line.
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
