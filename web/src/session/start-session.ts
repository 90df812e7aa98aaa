/** Puts the real parts together: the SDK, the server's clock, the browser's locks. */
import { readBackendConfig } from '#backend/config.ts'
import { lazyBackend } from '#backend/lazy-backend.ts'
import { browserLocks } from '#session/locks.ts'
import { createServerClock } from '#backend/server-clock.ts'

import { deviceLabel } from './device-label.ts'
import { createSession } from './session.ts'
import type { Session } from './session.ts'

/**
 * Stint's own server sets a readable cookie beside the session's, which no script can read: only
 * then is it worth asking who is signed in on a page that needs nobody.
 */
const SIGNED_IN_HINT = /(?:^|; )stint_signed_in=1/

/** The session of this browser, already finding out who is signed in. */
export function startSession({ needed }: { needed: boolean }): Session {
  const clock = createServerClock(browserStorage())
  const backend = lazyBackend(async () => {
    const { createAppwriteBackend } = await import('#backend/appwrite-backend.ts')
    return createAppwriteBackend(readBackendConfig(), clock.learn)
  })
  const device = deviceLabel(navigator.userAgent)
  const session = createSession({ backend, clock, withLock: browserLocks(), device })
  void session.start(needed || SIGNED_IN_HINT.test(document.cookie))
  return session
}

/** localStorage, or null where the browser refuses it: the clock then learns anew each time. */
function browserStorage(): Storage | null {
  try {
    return localStorage
  } catch {
    return null
  }
}
