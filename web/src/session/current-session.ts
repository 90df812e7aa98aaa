/** How the app reaches its session: apart from the local data, which the sign-in page does without. */
import { createContext, use, useSyncExternalStore } from 'react'

import type { Session, SessionState } from './session.ts'

export const SessionContext = createContext<Session | null>(null)

/** The session given at the root. Throws outside it. */
export function useSession(): Session {
  const session = use(SessionContext)
  if (!session) throw new Error('There is no session around this component')
  return session
}

/** Who is signed in, live. */
export function useSessionState(): SessionState {
  const { state } = useSession()
  return useSyncExternalStore(state.subscribe, state.get, state.get)
}
