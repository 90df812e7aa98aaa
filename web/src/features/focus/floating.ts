/**
 * The small window that stays above all others (Document Picture-in-Picture), where the browser has
 * it. It is a document of its own: styles and theme are brought over and follow the page's.
 */

declare global {
  interface Window {
    readonly documentPictureInPicture?: {
      requestWindow(options: { width: number; height: number }): Promise<Window>
    }
  }
}

let shown: Window | null = null
const listeners = new Set<() => void>()

/** Opens the window, at somebody's press; an open one is brought forward. */
export async function openFloating(): Promise<void> {
  if (shown) return shown.focus()
  const opened = await window.documentPictureInPicture?.requestWindow({ width: 300, height: 148 })
  if (!opened) return
  const { document: page } = opened
  for (const sheet of document.querySelectorAll('link[rel="stylesheet"], style')) {
    page.head.append(copyOf(sheet, page))
  }
  page.title = 'Stint'
  page.documentElement.lang = document.documentElement.lang
  const stopFollowing = followTheme(page.documentElement)
  opened.addEventListener('pagehide', () => {
    stopFollowing()
    // Asked for twice, the second window closes the first.
    if (shown === opened) publish(null)
  })
  publish(opened)
}

/** The window, or null while there is none. */
export function floatingWindow(): Window | null {
  return shown
}

/** Calls back when it opens or closes; returns an unsubscribe function. */
export function onFloating(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function publish(next: Window | null): void {
  shown = next
  for (const listener of listeners) listener()
}

function followTheme(root: HTMLElement): () => void {
  const follow = () => {
    root.dataset['theme'] = document.documentElement.dataset['theme'] ?? 'light'
  }
  follow()
  const observer = new MutationObserver(follow)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => observer.disconnect()
}

/** The same styles in another document, whose addresses are not relative to a page. */
function copyOf(sheet: Element, page: Document): Node {
  if (!(sheet instanceof HTMLLinkElement)) return page.importNode(sheet, true)
  const link = page.createElement('link')
  link.rel = 'stylesheet'
  link.href = sheet.href
  return link
}
