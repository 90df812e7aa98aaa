/** What each path shows. A screen's code is loaded when the screen is opened. */
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { SCREENS } from '@stint/core/screens.ts'
import type { Screen, ScreenPath } from '@stint/core/screens.ts'
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

/**
 * The code of each screen. The production build prerenders the public pages as separate documents, so the app reloads
 * for them and does not contain them (docs/decisions/0041-pages-and-builds.md). The development server has no such
 * documents.
 */
const COMPONENTS: Readonly<Record<ScreenPath, ScreenComponent>> = {
  '/dashboard': screen(() => import('#routes/dashboard.tsx')),
  '/tasks': screen(() => import('#routes/tasks.tsx')),
  '/tasks/:taskId': screen(() => import('#routes/task-analytics.tsx')),
  '/reports': screen(() => import('#routes/reports.tsx')),
  '/sessions': screen(() => import('#routes/sessions.tsx')),
  '/timesheet': screen(() => import('#routes/timesheet.tsx')),
  '/balance': screen(() => import('#routes/balance.tsx')),
  '/targets': screen(() => import('#routes/targets.tsx')),
  '/year': screen(() => import('#routes/year.tsx')),
  '/rebuild': screen(() => import('#routes/rebuild.tsx')),
  '/settings': screen(() => import('#routes/settings.tsx')),
  '/data': screen(() => import('#routes/data.tsx')),
  '/data/print': screen(() => import('#routes/data-print.tsx')),
  '/signout': screen(() => import('#routes/signout.tsx')),
  '/': import.meta.env.PROD ? LeaveApp : screen(() => import('#routes/landing.tsx')),
  '/login': screen(() => import('#routes/login.tsx')),
  '/signup': screen(() => import('#routes/signup.tsx')),
  '/try': screen(() => import('#routes/try.tsx')),
  '/recovery': screen(() => import('#routes/recovery.tsx')),
  '/verify': screen(() => import('#routes/verify.tsx')),
  '/terms': import.meta.env.PROD ? LeaveApp : screen(() => import('#routes/terms.tsx')),
  '/privacy': import.meta.env.PROD ? LeaveApp : screen(() => import('#routes/privacy.tsx')),
}

const SignedIn = screen(() => import('./require-signed-in.tsx'))
const MaybeSignedIn = screen(() => import('./maybe-signed-in.tsx'))

interface Match {
  /** The screen after the guards around it. A guard stays mounted while the screens in it change. */
  readonly components: readonly ScreenComponent[]
  readonly params: Params
}

/** What is around the screens of each kind. */
const GUARDS: Readonly<Record<Screen['for'], readonly ScreenComponent[]>> = {
  'signed-in': [SignedIn],
  visitors: [RequireSignedOut],
  everybody: [],
}

/** Returns what the path shows: for an unknown one, the page that says so. */
function matchOf(pathname: string): Match {
  const found = screenAt(pathname)
  if (!found) return { components: [MaybeSignedIn, NotFoundPage], params: {} }
  const { path, params } = found
  return { components: [...GUARDS[SCREENS[path].for], COMPONENTS[path]], params }
}

function screenAt(pathname: string): { readonly path: ScreenPath; readonly params: Params } | null {
  for (const path of PATHS) {
    const params = matchPath(path, pathname)
    if (params) return { path, params }
  }
  return null
}
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its keys are the paths
const PATHS = Object.keys(SCREENS) as ScreenPath[]

/** Returns whether `pathname` requires a signed-in user. */
export function needsSignIn(pathname: string): boolean {
  const found = screenAt(pathname)
  return found !== null && SCREENS[found.path].for === 'signed-in'
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
