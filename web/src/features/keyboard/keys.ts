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
  s: 'sessions',
  ',': 'settings',
}

/** Keys that press the first button of the page that names them in `aria-keyshortcuts`. */
const BUTTON_KEYS: Readonly<Record<string, string>> = {
  arrowleft: 'ArrowLeft',
  arrowright: 'ArrowRight',
  t: 'T',
}

/** The maximum time between the two keys of a sequence. */
const CHORD_MILLISECONDS = 1_500

/**
 * Calls back for every pressed shortcut, starting with those among the `early` keys, which were pressed
 * before this code had loaded. Keys of the page press its buttons. Returns a function that stops it. Single keys are ignored while
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
    if (shortcut instanceof HTMLElement) shortcut.click()
    else onShortcut(shortcut)
  }
  for (const event of early) onKeyDown(event)
  document.addEventListener('keydown', onKeyDown)
  return () => document.removeEventListener('keydown', onKeyDown)

  function shortcutOf(event: KeyboardEvent): Shortcut | HTMLElement | undefined {
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
    return isSecond ? PAGES[key] : (KEYS[key] ?? buttonOf(key, event))
  }
}

/** Returns the button for the key, unless the key scrolls or moves something where the focus is. */
function buttonOf(key: string, { target, shiftKey }: KeyboardEvent): HTMLElement | undefined {
  const name = BUTTON_KEYS[key]
  if (name === undefined || shiftKey || (key !== 't' && isInScroller(target))) return undefined
  return document.querySelector<HTMLElement>(`button[aria-keyshortcuts="${name}"]`) ?? undefined
}

function isInScroller(target: EventTarget | null): boolean {
  const element = target instanceof Element ? target : null
  if (!element || element === document.body) return false
  const { overflowX } = getComputedStyle(element)
  const scrolls = overflowX === 'auto' || overflowX === 'scroll'
  return (
    (scrolls && element.scrollWidth > element.clientWidth) || isInScroller(element.parentElement)
  )
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input, textarea, select'))
  )
}
