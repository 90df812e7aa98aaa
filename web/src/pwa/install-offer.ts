/**
 * The browser's offer to install Stint, kept until somebody wants it. It comes once, at any time
 * after the start, so the listening begins with the app.
 */

let offer: Event | null = null
const listeners = new Set<() => void>()

window.addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault()
  offer = event
  for (const listener of listeners) listener()
})

/** Whether the browser would install it now. */
export function canInstall(): boolean {
  return offer !== null
}

/** Calls back when it begins to be possible; returns an unsubscribe function. */
export function onInstallOffer(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Shows the browser's own question. */
export function install(): void {
  if (offer && 'prompt' in offer && typeof offer.prompt === 'function') offer.prompt()
  offer = null
  for (const listener of listeners) listener()
}
