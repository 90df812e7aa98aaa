/**
 * The browser's install prompt, kept until the user wants it. The event fires once, at any time after
 * the start, so this module listens from the app's start.
 */

let offer: Event | null = null
const listeners = new Set<() => void>()

window.addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault()
  offer = event
  for (const listener of listeners) listener()
})

/** Returns whether the browser can install the app now. */
export function canInstall(): boolean {
  return offer !== null
}

/** Subscribes to changes of `canInstall`; returns an unsubscribe function. */
export function onInstallOffer(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Shows the browser's install prompt. */
export function install(): void {
  if (offer && 'prompt' in offer && typeof offer.prompt === 'function') offer.prompt()
  offer = null
  for (const listener of listeners) listener()
}
