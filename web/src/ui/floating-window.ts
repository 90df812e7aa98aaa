/**
 * A floating window (Document Picture-in-Picture), where the browser supports it (`can-float.ts`). The
 * window has its own document, so the styles are copied and the theme is kept in sync.
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

/** Opens the window, or focuses it when it is open. Must be called from a press. */
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
    // A second request closes the first window after the second one has opened.
    if (shown === opened) publish(null)
  })
  publish(opened)
}

/** Returns the window, or null while it is closed. */
export function floatingWindow(): Window | null {
  return shown
}

/** Subscribes to the window's opening and closing; returns an unsubscribe function. */
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

/** Copies a style sheet to another document. The URL of a link is made absolute. */
function copyOf(sheet: Element, page: Document): Node {
  if (!(sheet instanceof HTMLLinkElement)) return page.importNode(sheet, true)
  const link = page.createElement('link')
  link.rel = 'stylesheet'
  link.href = sheet.href
  return link
}
