/**
 * The PWA part of the app: service worker, updates, badge and install hint. It is loaded after the
 * first screen and has its own React root, so that no screen waits for it.
 */
import { createRoot } from 'react-dom/client'

import { SessionContext } from '#session/current-session.ts'
import type { Session } from '#session/session.ts'
import { untilLoaded } from '#loading/until-loaded.ts'

import { Notices } from './notices.tsx'
import { watchUpdates } from './service-worker.ts'
import type { Updates } from './service-worker.ts'

/** After so long the server is expected to have the service worker that its first build lacks. */
const BUILD_MILLISECONDS = 60_000

/**
 * Registers the service worker and renders the notices.
 * @param isOpening false: the user has signed in on this page.
 */
export async function startPwa(session: Session, isOpening: boolean): Promise<void> {
  const hasWorkers = 'serviceWorker' in navigator
  const isOfFirstBuild = document.querySelector('meta[name=service-worker][content=later]') !== null
  const updates = hasWorkers && !isOfFirstBuild ? await watchUpdates().catch(() => null) : null
  const place = document.createElement('div')
  document.body.append(place)
  const root = createRoot(place)
  show(updates)
  if (!hasWorkers) return
  if (isOfFirstBuild) await new Promise((resolve) => setTimeout(resolve, BUILD_MILLISECONDS))
  if (!updates) show(await untilLoaded(watchUpdates))
  await navigator.serviceWorker.ready
  await loadEveryScreen()

  function show(updates: Updates | null): void {
    root.render(
      <SessionContext value={session}>
        <Notices updates={updates} isOpening={isOpening} />
      </SessionContext>,
    )
  }
}

/**
 * Loads every screen. While this tab stays open, another tab may activate a new version and remove the
 * old version's files.
 */
async function loadEveryScreen(): Promise<void> {
  const screens = import.meta.glob(['../routes/*.tsx', '!../routes/{landing,terms,privacy}.tsx'])
  await Promise.all(Object.values(screens).map((load) => untilLoaded(load)))
}
