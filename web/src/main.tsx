/** The app's entry point: creates the session and renders the first screen. */
import { createRoot } from 'react-dom/client'

import { App } from '#app/app.tsx'
import { needsSignIn, preload } from '#app/router.tsx'
import { takeInvite } from '#features/auth/take-invite.ts'
import { takeMailLink } from '#features/auth/mail-link.ts'
import { leavePageCache } from '#record/page-cache.ts'
import type { SessionState } from '#session/session-state.ts'
import { startSession } from '#session/start-session.ts'
import { untilLoaded } from '#loading/until-loaded.ts'
import { currentLocation, Router } from '#ui/navigation.tsx'

import './pwa/install-offer.ts'
import './styles.css'

// Must run before anything reads the address, and before the first await.
takeMailLink()
takeInvite()
leavePageCache()

// Only browsers without Temporal download it.
if (!('Temporal' in globalThis)) await import('temporal-polyfill/global')

const { pathname } = currentLocation()
const session = startSession({ needed: needsSignIn(pathname) })
const root = document.getElementById('root')
if (!root) throw new Error('The page has no root element')
// A screen that cannot be loaded shows its own error.
const screenLoaded = preload(pathname).catch(() => undefined)
// A prerendered screen stays until the live one can replace it completely.
if (root.hasChildNodes())
  await Promise.all([sessionIs((status) => status !== 'loading'), screenLoaded])
createRoot(root).render(
  <Router>
    <App session={session} />
  </Router>,
)
if (import.meta.env.PROD) onceLoaded(startPwa)

function sessionIs(wanted: (status: SessionState['status']) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const stop = session.state.subscribe(check)
    check()
    function check(): void {
      if (!wanted(session.state.get().status)) return
      stop()
      resolve()
    }
  })
}

/**
 * Keeps the language, and starts the PWA part for signed-in users only, so that a visitor of the sign-in page does not download
 * the whole app.
 */
async function startPwa(): Promise<void> {
  const isOpening = session.state.get().status !== 'signed-out'
  const { keepLanguage } = await untilLoaded(() => import('./pwa/language.ts'))
  await keepLanguage()
  await sessionIs((status) => status === 'signed-in')
  const pwa = await untilLoaded(() => import('./pwa/start.tsx'))
  await pwa.startPwa(session, isOpening)
}

/** Calls `work` after the first screen has loaded, when the browser is idle. */
function onceLoaded(work: () => Promise<void>): void {
  const whenIdle = () => {
    // Safari has no requestIdleCallback.
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => void work())
    else setTimeout(() => void work(), 1_000)
  }
  if (document.readyState === 'complete') whenIdle()
  else window.addEventListener('load', whenIdle, { once: true })
}
