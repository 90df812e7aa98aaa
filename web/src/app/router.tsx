/** The route table. Each screen's code is loaded when the screen is opened. */
import { useEffect, useState } from 'react'
import type { ComponentType } from 'react'
import { matchRoutes, useLocation, useRoutes } from 'react-router'
import type { Location, RouteObject } from 'react-router'

import { ErrorBoundary } from './error-boundary.tsx'
import { ErrorPage, NotFoundPage } from './error-page.tsx'
import { RequireSignedOut } from './guards.tsx'
import { LeaveApp } from './leave-app.tsx'
import { isLoaded, loadScreen, screen } from './screen.tsx'
import { LoadingPage } from './waiting.tsx'

/** The routes that require a signed-in user. */
const signedInRoutes: RouteObject[] = [
  { path: '/dashboard', Component: screen(() => import('#routes/dashboard.tsx')) },
  { path: '/tasks', Component: screen(() => import('#routes/tasks.tsx')) },
  { path: '/tasks/:taskId', Component: screen(() => import('#routes/task-analytics.tsx')) },
  { path: '/reports', Component: screen(() => import('#routes/reports.tsx')) },
  { path: '/settings', Component: screen(() => import('#routes/settings.tsx')) },
  { path: '/data', Component: screen(() => import('#routes/data.tsx')) },
  { path: '/data/print', Component: screen(() => import('#routes/data-print.tsx')) },
  { path: '/signout', Component: screen(() => import('#routes/signout.tsx')) },
]

// The production build prerenders the public pages as separate documents, so the app reloads for them
// and does not contain them (docs/decisions/0012-public-pages-are-loaded-as-documents.md). The development
// server has no such documents.
const routes: RouteObject[] = [
  {
    Component: RequireSignedOut,
    children: [
      {
        path: '/',
        Component: import.meta.env.PROD ? LeaveApp : screen(() => import('#routes/landing.tsx')),
      },
      { path: '/login', Component: screen(() => import('#routes/login.tsx')) },
      { path: '/signup', Component: screen(() => import('#routes/signup.tsx')) },
    ],
  },
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
  { Component: screen(() => import('./signed-in.tsx')), children: signedInRoutes },
  { path: '*', Component: NotFoundPage },
]

/** Returns whether `pathname` requires a signed-in user. */
export function needsSignIn(pathname: string): boolean {
  return matchRoutes(signedInRoutes, pathname) !== null
}

/** Loads the code of every screen on the path in parallel. Rejects when one cannot be loaded. */
export async function preload(pathname: string): Promise<void> {
  await Promise.all(componentsOf(pathname).map(loadScreen))
}

function componentsOf(pathname: string): ComponentType[] {
  const matches = matchRoutes(routes, pathname) ?? []
  return matches.flatMap(({ route }) => route.Component ?? [])
}

/** Renders the screen of the current address. The previous screen stays until the new one is loaded. */
export function Screens() {
  const location = useLocation()
  const { pathname } = location
  const [last, setLast] = useState<Location | null>(null)
  const [failure, setFailure] = useState<{ at: Location; error: unknown } | null>(null)
  const isReady = componentsOf(pathname).every(isLoaded)
  if (isReady && last !== location) setLast(location)

  useEffect(() => {
    if (isReady) return undefined
    let isCurrent = true
    void preload(pathname).then(
      () => isCurrent && setLast(location),
      (error: unknown) => isCurrent && setFailure({ at: location, error }),
    )
    return () => {
      isCurrent = false
    }
  }, [isReady, pathname, location])

  const shown = isReady ? location : last
  const routed = useRoutes(routes, shown ?? location)
  if (failure?.at === location) return <ErrorPage error={failure.error} />
  if (!shown) return <LoadingPage />
  return <ErrorBoundary location={shown}>{routed}</ErrorBoundary>
}
