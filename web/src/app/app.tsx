/**
 * Renders the app inside a router: provides the session and renders the screen of the current address.
 */
import { SessionContext } from '#session/current-session.ts'
import type { Session } from '#session/session.ts'

import { Screens } from './router.tsx'

export function App({ session }: { session: Session }) {
  return (
    <SessionContext value={session}>
      <Screens />
    </SessionContext>
  )
}
