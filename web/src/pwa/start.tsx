/**
 * What an installed app has and a page has not: a service worker, its updates, the badge, the hint
 * how to install. Loaded when the first screen is there, and in a root of its own, so that no
 * screen waits for it or knows of it.
 */
import { createRoot } from 'react-dom/client'

import { SessionContext } from '#session/current-session.ts'
import type { Session } from '#session/session.ts'

import { Notices } from './notices.tsx'
import { watchUpdates } from './service-worker.ts'

/** Registers the service worker and shows what there is to say about it. */
export async function startPwa(session: Session): Promise<void> {
  const updates = 'serviceWorker' in navigator ? await watchUpdates().catch(() => null) : null
  const place = document.createElement('div')
  document.body.append(place)
  createRoot(place).render(
    <SessionContext value={session}>
      <Notices updates={updates} />
    </SessionContext>,
  )
  if (!updates) return
  await navigator.serviceWorker.ready
  await loadEveryScreen()
}

/**
 * A tab that stays open while another lets a new version in must not ask for files of the old one:
 * they may be gone. So it has them all before.
 */
async function loadEveryScreen(): Promise<void> {
  const screens = import.meta.glob(['../routes/*.tsx', '!../routes/{landing,terms,privacy}.tsx'])
  await Promise.allSettled(Object.values(screens).map((load) => load()))
}
