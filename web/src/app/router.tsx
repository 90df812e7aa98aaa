/** The route table. Each screen's code is loaded when the screen is opened. */
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { LocationContext, matchPath, ParamsContext, useLocation } from '#ui/navigation.tsx'
import type { Location, Params } from '#ui/navigation.tsx'
import { untilLoaded } from '#loading/until-loaded.ts'

import { ErrorBoundary } from './error-boundary.tsx'
import { ErrorPage, NotFoundPage } from './error-page.tsx'
import { RequireSignedOut } from './require-signed-out.tsx'
import { LeaveApp } from './leave-app.tsx'
import { isLoaded, loadScreen, screen } from './screen.tsx'
import type { ScreenComponent } from './screen.tsx'
import { LoadingPage } from './waiting.tsx'

interface Route {
  /** The pattern of its path: '/tasks/:taskId'. */
  readonly path: string
  readonly Component: ScreenComponent
}

/** The routes that require a signed-in user. */
const signedInRoutes: readonly Route[] = [
  { path: '/dashboard', Component: screen(() => import('#routes/dashboard.tsx')) },
  { path: '/tasks', Component: screen(() => import('#routes/tasks.tsx')) },
  { path: '/tasks/:taskId', Component: screen(() => import('#routes/task-analytics.tsx')) },
  { path: '/reports', Component: screen(() => import('#routes/reports.tsx')) },
  { path: '/sessions', Component: screen(() => import('#routes/sessions.tsx')) },
  { path: '/settings', Component: screen(() => import('#routes/settings.tsx')) },
  { path: '/data', Component: screen(() => import('#routes/data.tsx')) },
  { path: '/data/print', Component: screen(() => import('#routes/data-print.tsx')) },
  { path: '/signout', Component: screen(() => import('#routes/signout.tsx')) },
]

// The production build prerenders the public pages as separate documents, so the app reloads for them
// and does not contain them (docs/decisions/0041-pages-and-builds.md). The development
// server has no such documents.
const signedOutRoutes: readonly Route[] = [
  {
    path: '/',
    Component: import.meta.env.PROD ? LeaveApp : screen(() => import('#routes/landing.tsx')),
  },
  { path: '/login', Component: screen(() => import('#routes/login.tsx')) },
  { path: '/signup', Component: screen(() => import('#routes/signup.tsx')) },
]

/** The routes that everybody may open. */
const routes: readonly Route[] = [
  { path: '/recovery', Component: screen(() => import('#routes/recovery.tsx')) },
  { path: '/verify', Component: screen(() => import('#routes/verify.tsx')) },
  {
    path: '/terms',
    Component: import.meta.env.PROD ? LeaveApp : screen(() => import('#routes/terms.tsx')),
  },
  {
    path: '/privacy',
    Component: import.meta.env.PROD ? LeaveApp : screen(() => import('#routes/privacy.tsx')),
  },
]

const SignedIn = screen(() => import('./require-signed-in.tsx'))

interface Match {
  /** The screen after the guards around it. A guard stays mounted while the screens in it change. */
  readonly components: readonly ScreenComponent[]
  readonly params: Params
}

/** Returns what the path shows: for an unknown one, the page that says so. */
function matchOf(pathname: string): Match {
  return (
    matchIn(signedInRoutes, pathname, [SignedIn]) ??
    matchIn(signedOutRoutes, pathname, [RequireSignedOut]) ??
    matchIn(routes, pathname, []) ?? { components: [NotFoundPage], params: {} }
  )
}

function matchIn(
  among: readonly Route[],
  pathname: string,
  guards: readonly ScreenComponent[],
): Match | null {
  for (const { path, Component } of among) {
    const params = matchPath(path, pathname)
    if (params) return { components: [...guards, Component], params }
  }
  return null
}

/** Returns whether `pathname` requires a signed-in user. */
export function needsSignIn(pathname: string): boolean {
  return matchIn(signedInRoutes, pathname, []) !== null
}

/** Loads the code of every screen on the path in parallel. Rejects when one cannot be loaded. */
export async function preload(pathname: string): Promise<void> {
  await Promise.all(matchOf(pathname).components.map(loadScreen))
}

/**
 * Renders the screen of the current address. The previous screen stays until the new one is loaded. A screen
 * that failed to load shows the error page until a retry succeeds.
 */
export function Screens() {
  const location = useLocation()
  const { pathname } = location
  const [last, setLast] = useState<Location | null>(null)
  const [failure, setFailure] = useState<{ at: Location; error: unknown } | null>(null)
  const isReady = matchOf(pathname).components.every(isLoaded)
  if (isReady && last !== location) setLast(location)

  useEffect(() => {
    if (isReady) return undefined
    const left = new AbortController()
    void untilLoaded(() => preload(pathname), {
      signal: left.signal,
      onFailure: (error) => setFailure({ at: location, error }),
    }).then(() => setLast(location))
    return () => left.abort()
  }, [isReady, pathname, location])

  const shown = isReady ? location : last
  if (!isReady && failure?.at === location) return <ErrorPage error={failure.error} />
  if (!shown) return <LoadingPage />
  const { components, params } = matchOf(shown.pathname)
  return (
    <LocationContext value={shown}>
      <ParamsContext value={params}>
        <ErrorBoundary location={shown}>
          {components.reduceRight<ReactNode>(
            (children, Each) => (
              <Each>{children}</Each>
            ),
            null,
          )}
        </ErrorBoundary>
      </ParamsContext>
    </LocationContext>
  )
}
