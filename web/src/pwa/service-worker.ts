/**
 * Registers the service worker and watches for updates. A new version replaces the old one only on the
 * user's request, because a reload loses what was typed. This module never reloads a page on its own,
 * in this tab or another.
 */

import { LANGUAGE } from '@stint/core/text.ts'

import { browserLanguage, isOwn, isSwitching, ownRegistration, workerOf } from './language.ts'

/** How often an open page checks for a new version. */
const CHECK_MILLISECONDS = 3_600_000

export interface Updates {
  /** Returns whether a new version is installed and waiting. */
  readonly waiting: () => boolean
  /** Subscribes to changes of `waiting`; returns an unsubscribe function. */
  readonly onChange: (listener: () => void) => () => void
  /** Activates the new version, then reloads this page. */
  readonly reload: () => void
}

/** Registers this build's service worker and watches for the next version. */
export async function watchUpdates(): Promise<Updates> {
  const known = await ownRegistration()
  // A page that is changing the language, or that missed a change, leaves the next worker alone.
  const registration =
    known && (isSwitching() || LANGUAGE !== browserLanguage())
      ? known
      : await navigator.serviceWorker.register(
          workerOf(LANGUAGE),
          // The worker's file is always requested from the server, bypassing HTTP caches.
          { scope: import.meta.env.BASE_URL, updateViaCache: 'none' },
        )
  const listeners = new Set<() => void>()
  let isWaiting = false

  if (registration.waiting) markWaiting(registration.waiting)
  registration.addEventListener('updatefound', () => {
    const next = registration.installing
    next?.addEventListener('statechange', () => {
      if (next.state === 'installed') markWaiting(next)
    })
  })
  checkPeriodically(registration)

  return {
    waiting: () => isWaiting,
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    reload() {
      const next = registration.waiting
      // Another tab has already activated it.
      if (!next) return location.reload()
      next.addEventListener('statechange', () => {
        if (next.state === 'activated') location.reload()
      })
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
      next.postMessage({ type: 'SKIP_WAITING' })
    },
  }

  function markWaiting(next: ServiceWorker): void {
    // Without a controller this is the first version, not an update. Nor is another language.
    if (!navigator.serviceWorker.controller || !isOwn(next)) return
    if (registration.active && !isOwn(registration.active)) return
    isWaiting = true
    for (const listener of listeners) listener()
  }
}

/** Checks for a new version when the page becomes visible, at most once an hour. */
function checkPeriodically(registration: ServiceWorkerRegistration): void {
  let checkedAt = Date.now()
  const check = (): void => {
    if (document.visibilityState !== 'visible') return
    if (Date.now() - checkedAt < CHECK_MILLISECONDS) return
    checkedAt = Date.now()
    registration.update().catch(() => {
      // Offline or the server is down. The next check retries.
    })
  }
  document.addEventListener('visibilitychange', check)
  setInterval(check, CHECK_MILLISECONDS)
}
