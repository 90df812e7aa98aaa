/**
 * The service worker from the page's side: registered, looked after, replaced only when somebody
 * says so: a page that changes under its reader loses what they typed. Nothing here ever reloads a page by itself, in this tab or another.
 */

/** How often a page that stays open asks for a new version. */
const CHECK_MILLISECONDS = 3_600_000

export interface Updates {
  /** Whether a new version is here and waits. */
  readonly waiting: () => boolean
  /** Calls back when that changes; returns an unsubscribe function. */
  readonly onChange: (listener: () => void) => () => void
  /** Lets the new version take over, then reloads this page. */
  readonly reload: () => void
}

/** Registers the service worker of this build and watches for the next one. */
export async function watchUpdates(): Promise<Updates> {
  const registration = await navigator.serviceWorker.register(
    `${import.meta.env.BASE_URL}sw.js`,
    // The worker's own file is always asked for, whatever a cache on the way thinks of it.
    { scope: import.meta.env.BASE_URL, updateViaCache: 'none' },
  )
  const listeners = new Set<() => void>()
  let isWaiting = false

  if (registration.waiting) noteWaiting()
  registration.addEventListener('updatefound', () => {
    const next = registration.installing
    next?.addEventListener('statechange', () => {
      if (next.state === 'installed') noteWaiting()
    })
  })
  checkNowAndThen(registration)

  return {
    waiting: () => isWaiting,
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    reload() {
      const next = registration.waiting
      // Another tab has let it in already.
      if (!next) return location.reload()
      next.addEventListener('statechange', () => {
        if (next.state === 'activated') location.reload()
      })
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
      next.postMessage({ type: 'SKIP_WAITING' })
    },
  }

  function noteWaiting(): void {
    // Without a controller this is the first version, not a new one.
    if (!navigator.serviceWorker.controller) return
    isWaiting = true
    for (const listener of listeners) listener()
  }
}

/** Asks for a new version when the page is looked at again, at most once an hour. */
function checkNowAndThen(registration: ServiceWorkerRegistration): void {
  let checkedAt = Date.now()
  const check = (): void => {
    if (document.visibilityState !== 'visible') return
    if (Date.now() - checkedAt < CHECK_MILLISECONDS) return
    checkedAt = Date.now()
    registration.update().catch(() => {
      // Offline, or the server is away: the next look asks again.
    })
  }
  document.addEventListener('visibilitychange', check)
  setInterval(check, CHECK_MILLISECONDS)
}
