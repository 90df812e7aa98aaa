/** The whole route table. Screens are loaded when they are opened. */
import { createBrowserRouter, matchRoutes } from 'react-router'
import type { RouteObject } from 'react-router'

import { ErrorPage } from './error-page.tsx'
import { RequireSignedOut } from './guards.tsx'
import { LeaveApp } from './leave-app.tsx'
import { notFound } from './not-found.ts'
import { LoadingPage } from './waiting.tsx'

/** Routes that need a signed-in user; the others may be read by anyone. */
const signedInRoutes: RouteObject[] = [
  { path: '/dashboard', lazy: () => import('#routes/dashboard.tsx') },
  { path: '/tasks', lazy: () => import('#routes/tasks.tsx') },
  { path: '/tasks/:taskId', lazy: () => import('#routes/task-analytics.tsx') },
  { path: '/reports', lazy: () => import('#routes/reports.tsx') },
  { path: '/settings', lazy: () => import('#routes/settings.tsx') },
  { path: '/data', lazy: () => import('#routes/data.tsx') },
  { path: '/data/print', lazy: () => import('#routes/data-print.tsx') },
  { path: '/signout', lazy: () => import('#routes/signout.tsx') },
]

/** Whether opening `pathname` needs a signed-in user. */
export function needsSignIn(pathname: string): boolean {
  return matchRoutes(signedInRoutes, pathname) !== null
}

// The build has the public pages as documents of their own, so the app leaves for them and need not
// carry them (docs/decisions/0012-leaving-for-the-public-pages.md). While developing there are none.
export const routes: RouteObject[] = [
  {
    errorElement: <ErrorPage />,
    HydrateFallback: LoadingPage,
    children: [
      {
        element: <RequireSignedOut />,
        children: [
          {
            path: '/',
            ...(import.meta.env.PROD
              ? { Component: LeaveApp }
              : { lazy: () => import('#routes/landing.tsx') }),
          },
          { path: '/login', lazy: () => import('#routes/login.tsx') },
          { path: '/signup', lazy: () => import('#routes/signup.tsx') },
        ],
      },
      { path: '/recovery', lazy: () => import('#routes/recovery.tsx') },
      { path: '/verify', lazy: () => import('#routes/verify.tsx') },
      {
        path: '/terms',
        ...(import.meta.env.PROD
          ? { Component: LeaveApp }
          : { lazy: () => import('#routes/terms.tsx') }),
      },
      {
        path: '/privacy',
        ...(import.meta.env.PROD
          ? { Component: LeaveApp }
          : { lazy: () => import('#routes/privacy.tsx') }),
      },
      {
        lazy: () => import('./signed-in.tsx'),
        children: signedInRoutes,
      },
      { path: '*', loader: notFound, Component: LoadingPage },
    ],
  },
]

/** The router of the browser's address bar. */
export function createRouter() {
  return createBrowserRouter(routes, { basename: import.meta.env.BASE_URL })
}
