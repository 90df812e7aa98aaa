/** The app around the routes: the session, and the router. */
import { RouterProvider } from 'react-router'
import type { DataRouter } from 'react-router'

import { SessionContext } from '#sync/current-session.ts'
import type { Session } from '#sync/session.ts'

export function App({ session, router }: { session: Session; router: DataRouter }) {
  return (
    <SessionContext value={session}>
      <RouterProvider router={router} />
    </SessionContext>
  )
}
