/** Where the app begins: the backend, the session, the screen. */
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'

import { App } from '#app/app.tsx'
import { needsSignIn, preload } from '#app/router.tsx'
import { takeMailLink } from '#features/auth/mail-link.ts'
import type { SessionState } from '#session/session.ts'
import { startSession } from '#session/start-session.ts'

import './pwa/install-offer.ts'
import './styles.css'

// Before anything reads the address, or waits.
takeMailLink()

// Only browsers without Temporal pay for it.
if (!('Temporal' in globalThis)) await import('temporal-polyfill/global')

const session = startSession({ needed: needsSignIn(pathWithinApp()) })
const root = document.getElementById('root')
if (!root) throw new Error('The page has no root element')
// A screen that cannot be loaded says so itself.
const screenLoaded = preload(pathWithinApp()).catch(() => undefined)
// A prerendered screen stays until the live one can take its place whole.
if (root.hasChildNodes())
  await Promise.all([sessionIs((status) => status !== 'loading'), screenLoaded])
createRoot(root).render(
  <BrowserRouter basename={import.meta.env.BASE_URL} useTransitions={false}>
    <App session={session} />
  </BrowserRouter>,
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

/** For who uses the app: a stranger on the sign-in page does not download all of it. */
async function startPwa(): Promise<void> {
  await sessionIs((status) => status === 'signed-in')
  const pwa = await import('./pwa/start.tsx')
  await pwa.startPwa(session)
}

/** When the first screen is there and the browser has nothing better to do. */
function onceLoaded(work: () => Promise<void>): void {
  const whenIdle = () => {
    // Safari has no requestIdleCallback.
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => void work())
    else setTimeout(() => void work(), 1_000)
  }
  if (document.readyState === 'complete') whenIdle()
  else window.addEventListener('load', whenIdle, { once: true })
}

/** The path without the folder that the app is served from. */
function pathWithinApp(): string {
  return location.pathname.replace(import.meta.env.BASE_URL, '/')
}
