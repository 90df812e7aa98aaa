/** Listens for the keys of shortcuts. */
import { isTyping } from '#ui/is-typing.ts'
import { letterOf } from '#ui/key-letter.ts'

import { isApple } from '#ui/is-apple.ts'
import type { Shortcut } from '#hooks/shortcut-keys.ts'
import { shortcutsByKey } from '#hooks/shortcut-keys.ts'

const KEYS = shortcutsByKey(false)
const KEYS_AFTER_G = shortcutsByKey(true)

/** Keys that press the first button of the page that names them in `aria-keyshortcuts`. */
const BUTTON_KEYS: Readonly<Record<string, string>> = {
  arrowleft: 'ArrowLeft',
  arrowright: 'ArrowRight',
  t: 'T',
}

/** The maximum time between the two keys of a sequence. */
const CHORD_MILLISECONDS = 1_500

/** Shortcuts that open a field. The keys after them are typed into it. */
const FIELDS: ReadonlySet<Shortcut> = new Set<Shortcut>(['palette', 'start', 'add', 'search'])

/**
 * Calls back for every pressed shortcut, starting with those among the `early` keys, which were
 * pressed before this code had loaded. If one of them opens a field, the others are its `typed` text,
 * in which Enter is a line break. Keys of the page press its buttons. Returns a function that stops
 * it. Single keys are ignored while `singleKeys()` is false, in editable elements, during composition,
 * and while a dialog is open.
 */
export function listenForKeys(
  onShortcut: (shortcut: Shortcut, typed: string) => void,
  singleKeys: () => boolean,
  early: readonly KeyboardEvent[] = [],
): () => void {
  let pressedG = -CHORD_MILLISECONDS
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.defaultPrevented) press(event)
  }
  for (const [index, event] of early.entries()) {
    if (press(event, early.slice(index + 1))) break
  }
  document.addEventListener('keydown', onKeyDown)
  return () => document.removeEventListener('keydown', onKeyDown)

  /** Returns whether the key opens a field. */
  function press(event: KeyboardEvent, next: readonly KeyboardEvent[] = []): boolean {
    const shortcut = shortcutOf(event)
    if (!shortcut) return false
    event.preventDefault()
    if (shortcut instanceof HTMLElement) shortcut.click()
    else onShortcut(shortcut, typedText(next))
    return !(shortcut instanceof HTMLElement) && FIELDS.has(shortcut)
  }

  function shortcutOf(event: KeyboardEvent): Shortcut | HTMLElement | undefined {
    // 229: Safari's key that ends a composition, after `isComposing` is false again.
    if (event.repeat || event.isComposing || event.keyCode === 229) return
    if (document.querySelector('[role=dialog]')) return
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
    return isSecond ? KEYS_AFTER_G.get(key) : (KEYS.get(key) ?? buttonOf(key, event))
  }
}

function typedText(keys: readonly KeyboardEvent[]): string {
  let text = ''
  for (const { key, ctrlKey, metaKey } of keys) {
    if (key === 'Enter') return `${text}\n`
    if (key === 'Backspace') text = text.slice(0, -1)
    else if (key.length === 1 && !ctrlKey && !metaKey) text += key
  }
  return text
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
