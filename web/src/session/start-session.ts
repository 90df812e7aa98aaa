/**
 * Creates the session with its real dependencies: the SDK, the server's clock and the browser's locks.
 */
import { readBackendConfig } from '#backend/config.ts'
import { lazyBackend } from '#backend/lazy-backend.ts'
import { browserLocks } from '#session/locks.ts'
import { createServerClock } from '#backend/server-clock.ts'

import { deviceLabel } from './device-label.ts'
import { isBehindProxy } from './page-policy.ts'
import { createSession } from './session.ts'
import type { Session } from './session.ts'

/**
 * Stint's own server sets a readable cookie beside the HTTP-only session cookie. Only with it is a
 * request for the account worth making on a public page.
 */
const SIGNED_IN_HINT = /(?:^|; )stint_signed_in=1/

/** Creates and starts the session of this browser. */
export function startSession({ needed }: { needed: boolean }): Session {
  const clock = createServerClock(browserStorage())
  const backend = lazyBackend(readBackendConfig(), async (config) => {
    const { createAppwriteBackend } = await import('#backend/appwrite-backend.ts')
    return createAppwriteBackend(config, clock.learn)
  })
  const device = deviceLabel(navigator.userAgent)
  const session = createSession({
    backend,
    clock,
    withLock: browserLocks(),
    device,
    isBehindProxy: isBehindProxy(),
  })
  const isHinted = SIGNED_IN_HINT.test(document.cookie)
  void session.start(needed || isHinted, isHinted)
  return session
}

/**
 * Returns localStorage, or null where the browser blocks it. The clock then measures its offset at each
 * load.
 */
function browserStorage(): Storage | null {
  try {
    return localStorage
  } catch {
    return null
  }
}
