/**
 * Enhances the prerendered pages: the link for signed-in users, the sample timer, the install button
 * and the server's support address. The pages can be read without it.
 */
import { t } from '@stint/core/text.ts'
import { readBackendConfig } from '#backend/config.ts'
import { runDemo } from '#features/landing/run-demo.ts'
import { keepLanguage } from '#pwa/language.ts'

import { rememberedUser } from './remembered-user.ts'

const backend = readBackendConfig()
const demo = document.querySelector<HTMLElement>('[data-demo]')
if (demo) runDemo(demo)
showWorkingHours()
void showWayIn()
offerInstallation()
void keepLanguage()
if (document.querySelector('[data-support=""]')) void showSupportAddress()

/** On a phone the sample week is wider than the screen. Scrolls it to the morning, as in the app. */
function showWorkingHours(): void {
  const scroller = document.querySelector('[role=grid]')?.parentElement
  if (!scroller) return
  // Deferred until it is near the viewport, as measuring it earlier would cause a second layout.
  new IntersectionObserver(([seen], observer) => {
    if (!seen?.isIntersecting) return
    observer.disconnect()
    scroller.scrollLeft = scroller.scrollWidth / 3
  }).observe(scroller)
}

/** Sends a signed-in visitor to the dashboard. Shows the others 'Get Started'. */
async function showWayIn(): Promise<void> {
  const corner = document.querySelector<HTMLAnchorElement>('[data-corner]')
  if (!corner) return
  const memory = await rememberedUser()
  if (memory === 'signed-in' || (memory === 'ask' && (await isSignedIn()))) {
    corner.href = corner.href.replace(/signup$/, 'dashboard')
    corner.textContent = t('Dashboard')
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

/** Shows the support address of the server's configuration when the build has none. */
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

/** Shows the install button when the browser fires its install event. */
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
