/**
 * What runs on the prerendered pages once they can be read: the way in for somebody known, the
 * sample timer, the installation, the server's own support address. Nothing needs it to be read.
 */
import { readBackendConfig } from '#backend/config.ts'
import { runDemo } from '#features/landing/run-demo.ts'

import { rememberedUser } from './remembered-user.ts'

const backend = readBackendConfig()
const demo = document.querySelector<HTMLElement>('[data-demo]')
if (demo) runDemo(demo)
showWorkingHours()
void showWayIn()
offerInstallation()
if (document.querySelector('[data-support=""]')) void showSupportAddress()

/** On a phone the sample week is wider than the window: it begins with the morning, as in the app. */
function showWorkingHours(): void {
  const scroller = document.querySelector('[role=grid]')?.parentElement
  if (!scroller) return
  // Once it is near: measuring it earlier would lay the page out twice.
  new IntersectionObserver(([seen], observer) => {
    if (!seen?.isIntersecting) return
    observer.disconnect()
    scroller.scrollLeft = scroller.scrollWidth / 3
  }).observe(scroller)
}

/** A signed-in person's front page is the dashboard; the others see 'Get Started'. */
async function showWayIn(): Promise<void> {
  const corner = document.querySelector<HTMLAnchorElement>('[data-corner]')
  if (!corner) return
  const memory = await rememberedUser()
  if (memory === 'signed-in' || (memory === 'ask' && (await isSignedIn()))) {
    corner.href = corner.href.replace(/signup$/, 'dashboard')
    corner.textContent = 'Dashboard'
    location.replace(corner.href)
  }
  corner.style.visibility = 'visible'
}

async function isSignedIn(): Promise<boolean> {
  try {
    const { ok } = await fetch(`${backend.endpoint}/account`, {
      headers: { 'X-Appwrite-Project': backend.projectId },
      credentials: 'include',
    })
    return ok
  } catch {
    return false
  }
}

/** The address of the server's configuration, where the build was made without it. */
async function showSupportAddress(): Promise<void> {
  if (!backend.ownServer) return
  const info: unknown = await fetch(`${backend.endpoint}/stint/info`).then(
    (answer) => (answer.ok ? answer.json() : null),
    () => null,
  )
  if (typeof info !== 'object' || info === null || !('supportEmail' in info)) return
  const address = info.supportEmail
  if (typeof address !== 'string') return
  for (const link of document.querySelectorAll<HTMLAnchorElement>('[data-support]')) {
    link.href = `mailto:${address}`
    link.textContent = address
  }
}

/** Browsers that can install say so with an event; only then is there a button for it. */
function offerInstallation(): void {
  const button = document.querySelector<HTMLElement>('[data-install]')
  if (!button) return
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    button.hidden = false
    button.addEventListener('click', () => {
      button.hidden = true
      if ('prompt' in event && typeof event.prompt === 'function') event.prompt()
    })
  })
}
